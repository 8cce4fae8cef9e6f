// The actions of the table, always in the same place.

import { useRef, useState } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { act, game, mayScore, table } from "/static/net.js";
import { Action } from "/static/parts/action.js";
import { Dialog } from "/static/parts/dialog.js";
import { useFoot } from "/static/parts/foot.js";
import { Icon } from "/static/parts/icons.js";
import { POSES, landingName, outcomeOf } from "/static/words.js";

export function Bar({ onByHand, byHand }) {
  if (game.value === null || !mayScore.value) return null;
  return html`<${Actions} onByHand=${onByHand} byHand=${byHand} />`;
}

function Actions({ onByHand, byHand }) {
  const now = game.value;
  const [calling, setCalling] = useState(false);
  const [stopping, setStopping] = useState(false);
  const box = useRef(null);
  useFoot(box);
  const asked = table.value.question !== null;
  const callers = now.players.filter((p) => p.may_call);
  const bankable = now.can_bank && !asked;
  return html`<div ref=${box} class="bar" role="group" aria-label=${t("bar.label")}>
    ${!now.over &&
    html`<${Action} class="primary bank" data-do="bank" able=${bankable} onClick=${() => act("bank")}>
      <${Icon} name="bank" size=${28} />
      <span>${bankable && now.turn_points > 0 ? t("bar.bankPoints", { n: now.turn_points }) : t("bar.bank")}</span>
    <//>`}
    <${Action} data-do="undo" able=${now.can_undo} onClick=${() => act("undo")}>
      <${Icon} name="undo" /><span>${t("common.undo")}</span>
    <//>
    <${Action} data-do="redo" able=${now.can_redo} onClick=${() => act("redo")}>
      <${Icon} name="redo" /><span>${t("common.redo")}</span>
    <//>
    ${byHand &&
    !now.over &&
    html`<button type="button" data-do="by-hand" onClick=${onByHand}>
      <${Icon} name="hand" /><span>${t("bar.byHand")}</span>
    </button>`}
    ${now.rules.hog_call !== "off" &&
    !now.over &&
    html`<${Action} data-do="call" able=${callers.length > 0 && !asked} onClick=${() => setCalling(true)}>
      <${Icon} name="megaphone" /><span>${t("bar.call")}</span>
    <//>`}
    ${!now.over &&
    html`<button type="button" class="quiet" data-do="stop" disabled=${asked} onClick=${() => setStopping(true)}>
      <span>${t("bar.stop")}</span>
    </button>`}
    ${calling && html`<${CallDialog} game=${now} onClose=${() => setCalling(false)} />`}
    ${stopping && html`<${StopDialog} game=${now} onClose=${() => setStopping(false)} />`}
  </div>`;
}

function StopDialog({ game: now, onClose }) {
  const stop = async () => {
    await act("stop");
    onClose();
  };
  return html`<${Dialog} title=${t("stop.title")} onClose=${onClose}>
    <p>${t("stop.text")}</p>
    ${now.turn_points > 0 && html`<p class="note warn">${t("stop.turn", { n: now.turn_points })}</p>`}
    <div class="dialog-actions">
      <button type="button" onClick=${onClose}>${t("stop.goOn")}</button>
      <button type="button" class="primary" data-do="stop-now" onClick=${stop}>${t("stop.now")}</button>
    </div>
  <//>`;
}

// Sooee! Who calls, and what.
function CallDialog({ game: now, onClose }) {
  const callers = now.players.map((p, seat) => [seat, p]).filter(([, p]) => p.may_call);
  const [caller, setCaller] = useState(callers.length === 1 ? callers[0][0] : null);
  const send = async (call) => {
    if (await act("call", { caller, ...call })) onClose();
  };
  return html`<${Dialog} title=${t("call.title")} onClose=${onClose} wide>
    <p class="muted">${t(`call.how.${now.rules.hog_call}`)}</p>
    <fieldset class="pad-row">
      <legend>${t("call.who")}</legend>
      <div class="choices">
        ${callers.map(
          ([seat, p]) => html`<button
            type="button"
            data-caller=${p.name}
            aria-pressed=${caller === seat}
            onClick=${() => setCaller(seat)}
          >
            ${p.name}
          </button>`,
        )}
      </div>
    </fieldset>
    <fieldset class="pad-row" disabled=${caller === null}>
      <legend>${t("call.what")}</legend>
      <div class="choices landings">
        ${landings(now.rules).map(
          ([poses, outcome]) => html`<button
            type="button"
            data-call=${poses.join(" ")}
            onClick=${() => send({ poses })}
          >
            ${outcome.landing === "mixed_combo"
              ? poses.map((p) => t(`common.pose.${p}`)).join(" + ")
              : landingName(outcome)}
            <small class="muted">${t("throw.points", { n: outcome.points })}</small>
          </button>`,
        )}
      </div>
    </fieldset>
    <fieldset class="pad-row" disabled=${caller === null}>
      <legend>${t("call.points")}</legend>
      <div class="choices figures">
        ${now.rules.calls.map(
          (points) => html`<button type="button" data-points=${points} onClick=${() => send({ points })}>
            ${points}
          </button>`,
        )}
      </div>
    </fieldset>
  <//>`;
}

// Every landing that may be called: sides are called as a side, whichever.
function landings(rules) {
  const found = [];
  const poses = POSES.filter((p) => p !== "dot_down");
  poses.forEach((a, i) => {
    for (const b of poses.slice(i)) {
      found.push([[a, b], outcomeOf(rules, { poses: [a, b], contact: "apart" })]);
    }
  });
  return found;
}
