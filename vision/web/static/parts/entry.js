// One line of the history: what was seen, and every way to put it right, tried out first.

import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { act, game, send } from "/static/net.js";
import { Action } from "/static/parts/action.js";
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
  const [change, setChange] = useState(null); // the wish: {kind, throw, later}
  const [preview, setPreview] = useState(null); // {wish, found}: what it would come to
  const newest = useRef(null);
  const left = useRef(null); // the way that was come back from
  const others = entries.some((e) => e.id !== entry.id && e.turn > entry.turn);
  const picks = change !== null && NEEDS_THROW.includes(change.kind);

  const attempt = async (kind, thrown, later) => {
    const wish = { kind, throw: thrown, later: later ?? (kind === "correct" ? "kept" : "dealt_anew") };
    newest.current = wish;
    setChange(wish);
    if (NEEDS_THROW.includes(kind) && !thrown) return;
    const body = { change: kind, later: wish.later };
    if (thrown) body.throw = thrown;
    const found = await send(`games/${now.id}/entries/${entry.id}/preview`, body);
    if (newest.current !== wish) return;
    if (found !== null) setPreview({ wish, found });
    else if (preview !== null) setChange(preview.wish);
    else setChange(thrown ? { ...wish, throw: undefined } : null); // refused: choose again
  };
  const back = () => {
    left.current = change.kind;
    newest.current = null;
    setChange(null);
    setPreview(null);
  };
  const carryOut = async () => {
    const body = { later: change.later };
    if (change.throw) body.throw = change.throw;
    if (await act(`entries/${entry.id}/${PATHS[change.kind]}`, body)) onClose();
  };
  return html`<${Dialog} title=${title(entry, now)} onClose=${onClose} wide>
    <${Seen} entry=${entry} />
    ${!picks &&
    preview === null &&
    html`<${Ways} entry=${entry} stop=${mayStopBefore(entry, entries)} left=${left.current} onChoose=${attempt} />`}
    ${picks &&
    preview === null &&
    html`<${Heading}>${t(`entry.ask.${change.kind}`)}<//>
      <${Pad} rules=${now.rules} name="entry" onThrow=${(thrown) => attempt(change.kind, thrown, change.later)} />`}
    ${preview !== null &&
    html`<${Preview}
      ...${{ change, others, now }}
      preview=${preview.found}
      fresh=${preview.wish === change}
      onLater=${(later) => attempt(change.kind, change.throw, later)}
      onBack=${back}
      onDo=${carryOut}
    />`}
  <//>`;
}

// A stop can be missing only where a turn had points to take.
function mayStopBefore(entry, entries) {
  if (entry.kind !== "throw") return false;
  const before = entries.slice(0, entries.findIndex((e) => e.id === entry.id));
  return before.some(
    (e) => e.turn === entry.turn && e.player === entry.player && e.counted && e.outcome?.effect === "score",
  );
}

// What was pressed is gone: the focus goes to the head of what came in its place.
function Heading({ children }) {
  const here = useRef(null);
  useLayoutEffect(() => here.current.focus(), []);
  return html`<h3 ref=${here} class="entry-step" tabindex="-1">${children}</h3>`;
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

function Ways({ entry, stop, left, onChoose }) {
  const thrown = entry.kind === "throw";
  const box = useRef(null);
  useLayoutEffect(() => box.current.querySelector(`[data-way="${left}"]`)?.focus(), []);
  return html`<div ref=${box} class="ways">
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
    </button>`}
    ${stop &&
    html`<button type="button" data-way="add_bank" onClick=${() => onChoose("add_bank")}>
      <${Icon} name="bank" /><span>${t("entry.addBank")}<small class="muted">${t("entry.addBankHow")}</small></span>
    </button>`}
  </div>`;
}

// As the board shows it: the pad, and the running turn beside it.
function Has({ player: { score, total } }) {
  if (total === score) return score;
  return html`${score} (+${total - score}<span class="for-ears"> ${t("table.thisTurn")}</span>)`;
}

// `fresh` is whether this is what the newest wish comes to; only then can it be carried out.
function Preview({ change, preview, fresh, others, now, onLater, onBack, onDo }) {
  const outcome = change.throw ? outcomeOf(now.rules, change.throw) : null;
  return html`<div class="preview">
    <${Heading}>
      ${t(`entry.${change.kind}.title`)}${outcome ? `: ${landingName(outcome)}, ${worth(outcome)}` : ""}
    <//>
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
      <${Action} class="primary" data-do="carry-out" able=${fresh} onClick=${onDo}>${t("entry.do")}<//>
    </div>
  </div>`;
}
