// Entering a throw by hand: tap how each pig lies, or what else happened.

import { useState } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { Die, PigPicture } from "/static/parts/pigs.js";
import { POSES, figure, landingName, notation, outcomeOf } from "/static/words.js";

// `onThrow(throw)` is called with the second tap; each button of the second row says before what
// it would give. `chosen` shows a throw to start from.
export function Pad({ rules, onThrow, name = "pad" }) {
  return rules.dice
    ? html`<${DicePad} ...${{ rules, onThrow, name }} />`
    : html`<${PigPad} ...${{ rules, onThrow, name }} />`;
}

function PigPad({ rules, onThrow, name }) {
  const [first, setFirst] = useState(null);
  const [second, setSecond] = useState(null);
  const pick = (row, pose) => {
    const other = row === 0 ? second : first;
    const set = row === 0 ? setFirst : setSecond;
    const mine = row === 0 ? first : second;
    if (mine === pose) {
      set(null);
      return;
    }
    if (other === null) {
      set(pose);
      return;
    }
    setFirst(null);
    setSecond(null);
    onThrow({ poses: row === 0 ? [pose, other] : [other, pose], contact: "apart" });
  };
  const rows = [
    ["pad.first", first, second],
    ["pad.second", second, first],
  ];
  return html`<div class="pad" data-pad=${name}>
    ${rows.map(
      ([title, mine, other], row) => html`<fieldset class="pad-row">
        <legend>${t(title)}</legend>
        <div class="pad-poses">
          ${POSES.map((pose) => {
            const outcome =
              other === null ? null : outcomeOf(rules, { poses: [pose, other], contact: "apart" });
            return html`<${PoseButton}
              key=${pose}
              pose=${pose}
              pressed=${mine === pose}
              outcome=${outcome}
              onClick=${() => pick(row, pose)}
            />`;
          })}
        </div>
      </fieldset>`,
    )}
    <${Specials} rules=${rules} onThrow=${onThrow} />
  </div>`;
}

function PoseButton({ pose, pressed, outcome, onClick }) {
  const short = t(`pad.pose.${pose}`);
  const name = t(`common.pose.${pose}`);
  const more = [name === short ? null : name, outcome ? landingName(outcome) : null];
  return html`<button
    type="button"
    class=${`pose ${outcome ? outcome.effect : ""}`}
    aria-pressed=${pressed}
    data-pose=${pose}
    onClick=${onClick}
  >
    <${PigPicture} pose=${pose} size=${64} />
    <span class="pose-name">${short}</span>
    <span class="for-ears">${more.filter(Boolean).join(", ")}</span>
    <span class="pose-gives figures" aria-hidden="true">${outcome ? figure(outcome) : ""}</span>
  </button>`;
}

const SPECIALS = [
  { poses: ["dot_up", "dot_up"], contact: "touching" },
  { poses: ["dot_up", "dot_up"], contact: "stacked" },
  { mishap: "off_table" },
  { mishap: "leaning" },
  { mishap: "late" },
];

function Specials({ rules, onThrow }) {
  return html`<fieldset class="pad-row">
    <legend>${t("pad.special")}</legend>
    <div class="pad-specials">
      ${SPECIALS.map((thrown) => {
        const key = notation(thrown);
        const outcome = rules.outcomes[key];
        return html`<button type="button" data-special=${key} onClick=${() => onThrow(thrown)}>
          <span>${t(`pad.special.${key}`)}</span>
          <small class="muted">${t(`effect.${outcome.effect}`)}</small>
        </button>`;
      })}
    </div>
  </fieldset>`;
}

function DicePad({ rules, onThrow, name }) {
  const [first, setFirst] = useState(null);
  const pick = (face) => {
    if (rules.dice === 1) onThrow({ dice: [face] });
    else if (first === null) setFirst(face);
    else {
      setFirst(null);
      onThrow({ dice: [first, face] });
    }
  };
  const title = rules.dice === 1 ? "pad.die" : first === null ? "pad.firstDie" : "pad.secondDie";
  return html`<div class="pad" data-pad=${name}>
    <fieldset class="pad-row">
      <legend>${t(title)}</legend>
      <div class="pad-poses">
        ${[1, 2, 3, 4, 5, 6].map((face) => {
          const dice = rules.dice === 1 ? [face] : first === null ? null : [first, face];
          const outcome = dice ? outcomeOf(rules, { dice }) : null;
          return html`<button
            type="button"
            class=${`pose ${outcome ? outcome.effect : ""}`}
            data-face=${face}
            aria-pressed=${first === face}
            onClick=${() => pick(face)}
          >
            <${Die} face=${face} size=${56} />
            <span class="for-ears">${outcome ? `${face}, ${landingName(outcome)}` : face}</span>
            <span class="pose-gives figures" aria-hidden="true">
              ${outcome ? figure(outcome) : ""}
            </span>
          </button>`;
        })}
      </div>
    </fieldset>
    <div class="pad-specials">
      <button type="button" onClick=${() => onThrow({ mishap: "off_table" })}>
        <span>${t("pad.special.dieOff")}</span>
        <small class="muted">${t(`effect.${rules.outcomes.off_table.effect}`)}</small>
      </button>
    </div>
  </div>`;
}
