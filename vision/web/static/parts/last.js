// The last throw: what it was, what the camera saw of it, and the way to put it right.

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { act, game, mayScore } from "/static/net.js";
import { Action } from "/static/parts/action.js";
import { Dialog } from "/static/parts/dialog.js";
import { Icon } from "/static/parts/icons.js";
import { Pad } from "/static/parts/pad.js";
import { ThrowPicture } from "/static/parts/pigs.js";
import { landingName, lying, settledText, worth } from "/static/words.js";

export function LastThrow({ onCorrect }) {
  const now = game.value;
  const entry = now?.last ?? null;
  return html`<section class="last card" aria-labelledby="last-title">
    <div class="last-head">
      <h2 id="last-title" class="card-title">${t("last.title")}</h2>
      ${entry !== null && mayScore.value && html`<${Fixes} entry=${entry} onCorrect=${onCorrect} />`}
    </div>
    ${entry === null
      ? html`<p class="muted last-none">${t("last.none")}</p>`
      : html`<${Throw} entry=${entry} players=${now.players} key=${entry.id} />`}
  </section>`;
}

function Throw({ entry, players }) {
  const { outcome, settled } = entry;
  const player = players[entry.player];
  const how = entry.throw.contact === "apart" || entry.throw.dice ? lying(entry.throw) : "";
  return html`<div class=${`last-throw ${outcome.effect}`}>
    <${Evidence} entry=${entry} />
    <div class="last-words">
      <p class="last-name">${landingName(outcome)}</p>
      <p class="last-worth figures">${worth(outcome)}</p>
      <p class="muted">${[player.name, how].filter(Boolean).join(" · ")}</p>
      ${settled && html`<p class="last-call">${settledText(settled, players[settled.caller].name, player.name)}</p>`}
    </div>
  </div>`;
}

// The two crops where the camera saw it, drawn pigs where it was entered by hand.
export function Evidence({ entry, size = 88 }) {
  const seen = entry.sight !== null && entry.sight !== undefined;
  if (!seen && !entry.kept) return html`<${ThrowPicture} thrown=${entry.throw} size=${size} />`;
  const place = seen ? `/api/sights/${entry.sight}` : `/api/games/${game.value.id}/entries/${entry.id}`;
  return html`<span class="throw-picture crops">
    ${["first", "second"].map(
      (name) => html`<img
        src=${`${place}/${name}.jpg`}
        width=${size}
        height=${size}
        alt=""
      />`,
    )}
  </span>`;
}

function Fixes({ entry, onCorrect }) {
  const touching = () =>
    act(`entries/${entry.id}/correct`, {
      throw: { poses: entry.throw.poses, contact: "touching" },
    });
  const again = () => act(`entries/${entry.id}/correct`, { throw: { mishap: "late" } });
  const pigs = Boolean(entry.throw.poses);
  return html`<div class="fixes" data-stay>
    <button type="button" data-do="correct" onClick=${() => onCorrect(entry)}>
      <${Icon} name="edit" />${t("last.correct")}
    </button>
    ${pigs &&
    entry.throw.contact === "apart" &&
    html`<${Action} data-do="touching" onClick=${touching}>
      <${Icon} name="touch" />${t("last.touching")}
    <//>`}
    ${!entry.throw.mishap &&
    html`<${Action} data-do="again" onClick=${again}>
      <${Icon} name="reset" />${t("last.again")}
    <//>`}
  </div>`;
}

// Correct one throw: what was it really?
export function CorrectDialog({ entry, onClose }) {
  const now = game.value;
  if (now === null) return null;
  const correct = async (thrown) => {
    if (await act(`entries/${entry.id}/correct`, { throw: thrown })) onClose();
  };
  return html`<${Dialog} title=${t("correct.title")} onClose=${onClose} wide>
    <p class="correct-was">
      <${Evidence} entry=${entry} size=${64} />
      <span>
        ${t("correct.was", { player: now.players[entry.player].name })}${" "}
        <b>${landingName(entry.outcome)}</b>, ${worth(entry.outcome)}
      </span>
    </p>
    <${Pad} rules=${now.rules} onThrow=${correct} name="correct" />
  <//>`;
}
