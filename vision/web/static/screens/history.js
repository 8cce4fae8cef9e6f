// Every throw of the game, turn by turn; any of them can be put right.

import { useEffect, useState } from "preact/hooks";

import { html } from "/static/html.js";
import { language, t } from "/static/i18n.js";
import { game, get, mayScore } from "/static/net.js";
import { EntryDialog } from "/static/parts/entry.js";
import { Icon } from "/static/parts/icons.js";
import { Evidence } from "/static/parts/last.js";
import { callText, clock, landingName, lying, settledText, worth } from "/static/words.js";

export default function History() {
  const now = game.value;
  const [found, setFound] = useState(null); // {game, entries}
  const [open, setOpen] = useState(null);
  useEffect(() => {
    if (now === null) return undefined;
    let wanted = true;
    get(`games/${now.id}/history`)
      .then((entries) => wanted && setFound({ game: now.id, entries }))
      .catch(() => {});
    return () => (wanted = false);
  }, [now?.id, now?.seq]);
  if (now === null) return html`<p class="note">${t("history.noGame")}</p>`;
  // The lines of the game before are no lines of this one: it has other players.
  const entries = found?.game === now.id ? found.entries : null;
  if (entries === null) return html`<p class="loading muted">${t("shell.loading")}</p>`;
  const chosen = open === null ? null : entries.find((e) => e.id === open);
  return html`<div class="history">
    <h1>${t("history.title")}</h1>
    ${entries.length === 0
      ? html`<p class="muted">${t("last.none")}</p>`
      : html`<p class="muted">${mayScore.value ? t("history.how") : t("history.look")}</p>`}
    <ol class="turns" reversed data-stay>
      ${turns(entries).map(
        (turn) => html`<${Turn} key=${turn.key} turn=${turn} game=${now} onOpen=${setOpen} />`,
      )}
    </ol>
    ${chosen && html`<${EntryDialog} entry=${chosen} entries=${entries} onClose=${() => setOpen(null)} />`}
  </div>`;
}

// The newest turn first, the throws of a turn in their order.
function turns(entries) {
  const found = [];
  for (const entry of entries) {
    const last = found.at(-1);
    if (last && last.turn === entry.turn && last.player === entry.player) last.entries.push(entry);
    else {
      const key = `${entry.turn}-${entry.id}`;
      found.push({ key, turn: entry.turn, player: entry.player, entries: [entry] });
    }
  }
  return found.reverse();
}

function Turn({ turn, game: now, onOpen }) {
  const last = turn.entries.at(-1);
  return html`<li class="past-turn card">
    <div class="past-head">
      <h2>${now.players[turn.player].name}</h2>
      <span class="past-total figures">${t("history.total", { n: last.score })}</span>
    </div>
    <ul class="past-throws">
      ${turn.entries.map((entry) => html`<${Line} key=${entry.id} entry=${entry} game=${now} onOpen=${onOpen} />`)}
    </ul>
  </li>`;
}

function Line({ entry, game: now, onOpen }) {
  const can = mayScore.value;
  const inside = html`<${Words} entry=${entry} game=${now} />
    <span class="past-time muted figures">${entry.at ? clock(entry.at, language.value) : ""}</span>
    ${can && html`<${Icon} name="edit" size=${20} />`}`;
  const kind = `past-line ${entry.kind} ${entry.counted ? "" : "void"}`;
  if (!can || entry.kind === "stop") return html`<li class=${kind}>${inside}</li>`;
  return html`<li>
    <button type="button" class=${`quiet ${kind}`} data-entry=${entry.id} onClick=${() => onOpen(entry.id)}>
      ${inside}
    </button>
  </li>`;
}

function Words({ entry, game: now }) {
  if (entry.kind === "bank") {
    return html`<span class="past-icon"><${Icon} name="bank" /></span>
      <span class="past-words"><b>${t("history.banked", { n: entry.score })}</b></span>`;
  }
  if (entry.kind === "call") {
    const caller = now.players[entry.call.caller].name;
    const thrower = now.players[entry.player].name;
    return html`<span class="past-icon"><${Icon} name="megaphone" /></span>
      <span class="past-words">
        <b>${t("news.call", { player: caller, call: callText(entry.call) })}</b>
        ${entry.settled && html`<span class="muted">${settledText(entry.settled, caller, thrower)}</span>`}
      </span>`;
  }
  if (entry.kind === "stop") return html`<span class="past-words"><b>${t("news.stop")}</b></span>`;
  return html`<span class="past-icon"><${Evidence} entry=${entry} size=${44} /></span>
    <span class="past-words">
      <b>${landingName(entry.outcome)}</b>
      <span class="muted">${worth(entry.outcome)}${seenBy(entry)}</span>
      ${!entry.counted && html`<span class="chip plain">${t("history.void")}</span>`}
    </span>`;
}

function seenBy(entry) {
  const what = entry.throw.contact === "apart" ? ` · ${lying(entry.throw)}` : "";
  return entry.source === "camera" ? `${what} · ${t("history.camera")}` : what;
}
