// A throw that a person must name: the enlarged picture, and one tap.

import { useEffect, useState } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { answer, doOnce, game, mayScore, table } from "/static/net.js";
import { Action } from "/static/parts/action.js";
import { Dialog } from "/static/parts/dialog.js";
import { Icon } from "/static/parts/icons.js";
import { Pad } from "/static/parts/pad.js";
import { ThrowPicture } from "/static/parts/pigs.js";
import { landingName, lying, percent, reasonText, worth } from "/static/words.js";

export function Question() {
  const question = table.value?.question ?? null;
  const [later, setLater] = useState(null);
  useEffect(() => setLater(null), [question?.id]);
  if (question === null) return null;
  if (!mayScore.value) return html`<p class="waiting note warn">${t("question.host")}</p>`;
  if (later === question.id) {
    return html`<button type="button" class="waiting primary" data-do="question" onClick=${() => setLater(null)}>
      ${t("question.open")}
    </button>`;
  }
  return html`<${QuestionDialog}
    key=${question.id}
    question=${question}
    onClose=${() => setLater(question.id)}
  />`;
}

// Whether the pigs were thrown at all is the question, not how they lie.
const THROWN = ["moved", "may_lay_here"];
// What the title says already.
const PLAIN = ["either", "close", "other"];

function QuestionDialog({ question, onClose }) {
  const now = game.value;
  const [byHand, setByHand] = useState(question.options.length === 0);
  const name = (thrown) => answer(question.id, thrown);
  const player = now.players[now.up].name;
  const why = question.reason?.key ?? "other";
  return html`<${Dialog}
    title=${t(THROWN.includes(why) ? "question.thrown" : `question.${question.kind}`)}
    onClose=${onClose}
    wide
    kind="question"
  >
    ${!PLAIN.includes(why) && html`<p class="question-why">${reasonText(question.reason)}</p>`}
    <p class="muted question-who">
      ${t("question.who", { player })}
      ${table.value.waiting > 0 ? ` ${t("question.waiting", { n: table.value.waiting })}` : ""}
    </p>
    <div class="question">
      ${question.kind === "pose" && question.pigs.length === 2
        ? html`<${Pigs} question=${question} />`
        : html`<${Sight} question=${question} />`}
      <div class="question-answers">
        ${question.options.map(
          (option) => html`<${Action}
            class="answer"
            data-answer=${`${option.throw.poses.join(" ")} ${option.throw.contact}`}
            onClick=${() => name(option.throw)}
          >
            <${ThrowPicture} thrown=${option.throw} size=${52} />
            <span class="answer-words">
              <b>${answerTitle(question, option)}</b>
              <span>${answerMore(question, option)}</span>
            </span>
            <span class="answer-chance figures">${percent(option.probability)}</span>
          <//>`,
        )}
        <div class="question-else">
          <button type="button" data-do="else" aria-expanded=${byHand} onClick=${() => setByHand(!byHand)}>
            <${Icon} name="edit" />${t("question.else")}
          </button>
          <${Action} data-do="dismiss" onClick=${() => doOnce(`questions/${question.id}/dismiss`, {})}>
            <${Icon} name="close" />${t("question.none")}
          <//>
        </div>
      </div>
    </div>
    ${byHand && html`<${Pad} rules=${now.rules} onThrow=${name} name="question" />`}
  <//>`;
}

function answerTitle(question, { throw: thrown, outcome }) {
  if (question.kind !== "contact") return landingName(outcome);
  return t(`question.contact.${thrown.contact}`);
}

function answerMore(question, { throw: thrown, outcome }) {
  if (question.kind === "contact") return `${landingName(outcome)}, ${worth(outcome)}`;
  return `${lying(thrown)}, ${worth(outcome)}`;
}

// How a pig lies is seen on each by itself, as large as can be.
function Pigs({ question }) {
  return html`<div class="pig-crops">
    ${["first", "second"].map((name, i) => {
      const { pose, probability } = question.pigs[i];
      return html`<figure class="sight">
        <img src=${`/api/sights/${question.sight}/${name}.jpg`} alt=${t("question.pig", { n: i + 1 })} />
        <figcaption>${t(`common.pose.${pose}`)} <b>${percent(probability)}</b></figcaption>
      </figure>`;
    })}
  </div>`;
}

// The picture of both pigs; of a table without two pigs, the whole table.
export function Sight({ question }) {
  const picture = question.pigs.length === 2 ? "pair" : "table";
  return html`<figure class=${`sight sight-${picture}`}>
    <img src=${`/api/sights/${question.sight}/${picture}.jpg`} alt=${t("question.picture")} />
    <div class="boxes" aria-hidden="true">
      ${question.pigs.map(({ box: [x0, y0, x1, y1], pose, probability }) => {
        const place = `left:${x0 * 100}%;top:${y0 * 100}%;width:${(x1 - x0) * 100}%;height:${(y1 - y0) * 100}%`;
        // The label goes where there is more room for it.
        const sides = `${y0 < 0.12 ? "low" : ""} ${x0 + x1 > 1 ? "leftward" : ""}`;
        return html`<div class=${`box ${sides}`} style=${place}>
          <span class="box-label">${t(`common.pose.${pose}`)} <b>${percent(probability)}</b></span>
        </div>`;
      })}
    </div>
    ${question.gap_mm !== null &&
    question.kind === "contact" &&
    html`<figcaption>${t("question.gap", { n: question.gap_mm })}</figcaption>`}
  </figure>`;
}
