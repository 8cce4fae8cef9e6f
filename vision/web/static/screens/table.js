// The table: what everybody looks at while playing.

import { useState } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { act, answer, doOnce, game, mayScore, table } from "/static/net.js";
import { prefs } from "/static/prefs.js";
import { Action } from "/static/parts/action.js";
import { Advice } from "/static/parts/advice.js";
import { Bar } from "/static/parts/bar.js";
import { CameraCard } from "/static/parts/camera.js";
import { Dialog } from "/static/parts/dialog.js";
import { CorrectDialog, LastThrow } from "/static/parts/last.js";
import { Pad } from "/static/parts/pad.js";
import { Ending, Players, Turn } from "/static/parts/scores.js";
import { useShortcuts } from "/static/parts/shortcuts.js";

// A throw entered by hand; while a question is open it is the question's answer.
export function enter(thrown) {
  const question = table.value?.question ?? null;
  return question === null
    ? act("throws", { throw: thrown, question: null })
    : answer(question.id, thrown);
}

export function TableScreen() {
  const now = game.value;
  const [correcting, setCorrecting] = useState(null);
  const [byHand, setByHand] = useState(false);
  const camera = table.value.camera;
  const seen = camera.mode !== "off";
  const can = mayScore.value;
  useShortcuts({
    b: () => can && now?.can_bank && act("bank"),
    u: () => can && now?.can_undo && act("undo"),
    r: () => can && now?.can_redo && act("redo"),
    c: () => can && now?.last && setCorrecting(now.last),
    h: () => can && now && !now.over && (seen ? setByHand(true) : focusPad()),
  });
  if (now === null) return html`<${NoGame} />`;
  const hand = async (thrown) => {
    if (await enter(thrown)) setByHand(false);
  };
  return html`<div class=${`table ${seen ? "with-camera" : "by-hand"} ${now.over ? "over" : ""}`}>
    <div class="table-main">
      ${now.over
        ? html`<${Ending} game=${now}><${AfterGame} game=${now} /><//>`
        : html`<${Turn} game=${now}>${prefs.value.advice && html`<${Advice} />`}<//>`}
      <${Players} game=${now} />
      <${LastThrow} onCorrect=${setCorrecting} />
    </div>
    <div class="table-side">
      ${seen && html`<${CameraCard} />`}
      ${!seen &&
      can &&
      !now.over &&
      html`<section class="card hand" aria-labelledby="hand-title">
        <h2 id="hand-title" class="card-title">${t("hand.title")}</h2>
        <${Pad} rules=${now.rules} onThrow=${enter} name="table" />
      </section>`}
    </div>
    <${Bar} byHand=${seen} onByHand=${() => setByHand(true)} />
    ${correcting &&
    html`<${CorrectDialog} entry=${correcting} onClose=${() => setCorrecting(null)} />`}
    ${byHand &&
    html`<${Dialog} title=${t("hand.title")} onClose=${() => setByHand(false)} wide>
      <${Pad} rules=${now.rules} onThrow=${hand} name="hand" />
    <//>`}
  </div>`;
}

function focusPad() {
  document.querySelector('[data-pad="table"] button')?.focus();
}

function NoGame() {
  return html`<section class="welcome">
    <img class="welcome-pig" src="/static/img/pose/trotter.webp" width="200" height="200" alt="" />
    <h1>${t("welcome.title")}</h1>
    <p class="welcome-text">${t("welcome.text")}</p>
    ${mayScore.value
      ? html`<a class="button primary big" href="#/new" data-do="new">${t("welcome.new")}</a>`
      : html`<p class="note">${t("welcome.wait")}</p>`}
  </section>`;
}

function AfterGame({ game: now }) {
  if (!mayScore.value) return null;
  const again = () =>
    doOnce("games", {
      variant: now.rules.variant,
      options: options(now.rules),
      players: turnedRound(now.players.map((p) => p.name)),
      expected_game: now.id,
    });
  return html`<div class="ending-actions">
    <${Action} class="primary big" data-do="again" onClick=${again}>${t("end.again")}<//>
    <a class="button big" href="#/new">${t("end.new")}</a>
    <a class="button big" href="#/stats">${t("end.stats")}</a>
  </div>`;
}

// The next game is begun by the next player.
function turnedRound(names) {
  return [...names.slice(1), names[0]];
}

export function options(rules) {
  const { game_end, piggyback, off_table, leaning, hog_call, target } = rules;
  const goal = target === null ? { endless: true } : { target };
  return { game_end, piggyback, off_table, leaning, hog_call, ...goal };
}
