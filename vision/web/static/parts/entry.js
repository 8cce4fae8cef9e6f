// One line of the history: what was seen, and every way to put it right, tried out first.

import { useState } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { act, game, send } from "/static/net.js";
import { Dialog } from "/static/parts/dialog.js";
import { Icon } from "/static/parts/icons.js";
import { Pad } from "/static/parts/pad.js";
import { callText, landingName, outcomeOf, worth } from "/static/words.js";

const PATHS = {
  correct: "correct",
  remove: "remove",
  add_throw: "add-throw",
  add_bank: "add-bank",
};
const NEEDS_THROW = ["correct", "add_throw"];

export function EntryDialog({ entry, entries, onClose }) {
  const now = game.value;
  const [change, setChange] = useState(null); // {kind, throw, later}
  const [preview, setPreview] = useState(null);
  const others = entries.some((e) => e.id !== entry.id && e.turn > entry.turn);

  const attempt = async (kind, thrown, later) => {
    const wish = { kind, throw: thrown, later: later ?? (kind === "correct" ? "kept" : "dealt_anew") };
    setChange(wish);
    setPreview(null);
    if (NEEDS_THROW.includes(kind) && !thrown) return;
    const body = { change: kind, later: wish.later };
    if (thrown) body.throw = thrown;
    const found = await send(`games/${now.id}/entries/${entry.id}/preview`, body);
    if (found === null) setChange(null);
    else setPreview(found);
  };
  const carryOut = async () => {
    const body = { later: change.later };
    if (change.throw) body.throw = change.throw;
    if (await act(`entries/${entry.id}/${PATHS[change.kind]}`, body)) onClose();
  };
  return html`<${Dialog} title=${title(entry, now)} onClose=${onClose} wide>
    <${Seen} entry=${entry} />
    ${change === null && html`<${Ways} entry=${entry} onChoose=${attempt} />`}
    ${change !== null &&
    NEEDS_THROW.includes(change.kind) &&
    !change.throw &&
    html`<h3>${t(`entry.ask.${change.kind}`)}</h3>
      <${Pad} rules=${now.rules} name="entry" onThrow=${(thrown) => attempt(change.kind, thrown, change.later)} />`}
    ${preview !== null &&
    html`<${Preview}
      ...${{ change, preview, others, now }}
      onLater=${(later) => attempt(change.kind, change.throw, later)}
      onBack=${() => {
        setChange(null);
        setPreview(null);
      }}
      onDo=${carryOut}
    />`}
  <//>`;
}

function title(entry, now) {
  const player = now.players[entry.player].name;
  if (entry.kind === "bank") return t("entry.bank", { player });
  if (entry.kind === "call") {
    return t("news.call", { player: now.players[entry.call.caller].name, call: callText(entry.call) });
  }
  return t("entry.throw", { player, name: landingName(entry.outcome) });
}

// The pictures of the throw: those kept on the disk, with the replay, or the ones in memory.
function Seen({ entry }) {
  const [replay, setReplay] = useState(false);
  if (!entry.kept && entry.sight === null) return null;
  const place = entry.kept
    ? `/api/games/${game.value.id}/entries/${entry.id}`
    : `/api/sights/${entry.sight}`;
  const second = replay ? "replay" : "table";
  return html`<div class="entry-seen">
    <img src=${`${place}/pair.jpg`} alt=${t("question.picture")} width="240" height="240" />
    <img
      src=${`${place}/${second}.jpg`}
      alt=${t(`entry.${second}`)}
      width="427"
      height="240"
      data-picture=${second}
    />
    ${entry.kept &&
    html`<button type="button" data-do="replay" aria-pressed=${replay} onClick=${() => setReplay(!replay)}>
      <${Icon} name="history" />${t("entry.showReplay")}
    </button>`}
  </div>`;
}

function Ways({ entry, onChoose }) {
  const thrown = entry.kind === "throw";
  return html`<div class="ways">
    ${thrown &&
    html`<button type="button" data-way="correct" onClick=${() => onChoose("correct")}>
      <${Icon} name="edit" /><span>${t("entry.correct")}<small class="muted">${t("entry.correctHow")}</small></span>
    </button>`}
    <button type="button" data-way="remove" onClick=${() => onChoose("remove")}>
      <${Icon} name="close" /><span>${t("entry.remove")}<small class="muted">${t("entry.removeHow")}</small></span>
    </button>
    ${entry.kind !== "call" &&
    html`<button type="button" data-way="add_throw" onClick=${() => onChoose("add_throw")}>
        <${Icon} name="plus" /><span>${t("entry.addThrow")}<small class="muted">${t("entry.addThrowHow")}</small></span>
      </button>
      <button type="button" data-way="add_bank" onClick=${() => onChoose("add_bank")}>
        <${Icon} name="bank" /><span>${t("entry.addBank")}<small class="muted">${t("entry.addBankHow")}</small></span>
      </button>`}
  </div>`;
}

// As the board shows it: the pad, and the running turn beside it.
function Has({ player: { score, total } }) {
  if (total === score) return score;
  return html`${score} (+${total - score}<span class="for-ears"> ${t("table.thisTurn")}</span>)`;
}

function Preview({ change, preview, others, now, onLater, onBack, onDo }) {
  const outcome = change.throw ? outcomeOf(now.rules, change.throw) : null;
  return html`<div class="preview">
    <h3>
      ${t(`entry.${change.kind}.title`)}${outcome ? `: ${landingName(outcome)}, ${worth(outcome)}` : ""}
    </h3>
    ${others &&
    html`<fieldset class="pad-row">
      <legend>${t("entry.later")}</legend>
      <div class="choices">
        ${["kept", "dealt_anew"].map(
          (later) => html`<button
            type="button"
            data-later=${later}
            aria-pressed=${change.later === later}
            onClick=${() => onLater(later)}
          >
            <span>${t(`entry.later.${later}`)}</span>
          </button>`,
        )}
      </div>
    </fieldset>`}
    <table class="preview-table figures">
      <caption>${t("entry.then")}</caption>
      <thead>
        <tr><th scope="col">${t("entry.player")}</th><th scope="col">${t("entry.now")}</th><th scope="col">${t("entry.after")}</th></tr>
      </thead>
      <tbody>
        ${preview.players.map((player, seat) => {
          const before = now.players[seat];
          const same = player.score === before.score && player.total === before.total;
          return html`<tr class=${same ? "" : "changed"}>
            <th scope="row">${player.name}</th>
            <td><${Has} player=${before} /></td>
            <td><b><${Has} player=${player} /></b>${player.out ? ` · ${t("table.out")}` : ""}</td>
          </tr>`;
        })}
      </tbody>
    </table>
    <p class="muted">
      ${preview.over ? t("news.stop") : t("news.next", { player: preview.players[preview.up].name })}
    </p>
    <div class="dialog-actions">
      <button type="button" onClick=${onBack}>${t("entry.back")}</button>
      <button type="button" class="primary" data-do="carry-out" onClick=${onDo}>${t("entry.do")}</button>
    </div>
  </div>`;
}
