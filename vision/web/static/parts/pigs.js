// Pigs and dice as pictures; the words beside them say the same.

import { html } from "/static/html.js";

export function PigPicture({ pose, size = 64 }) {
  const file = pose === "other" ? "trotter" : pose;
  return html`<img
    class="pig"
    src=${`/static/img/pose/${file}.webp`}
    width=${size}
    height=${size}
    alt=""
    loading="eager"
    decoding="async"
  />`;
}

const PIPS = {
  1: [[12, 12]],
  2: [[7, 7], [17, 17]],
  3: [[7, 7], [12, 12], [17, 17]],
  4: [[7, 7], [17, 7], [7, 17], [17, 17]],
  5: [[7, 7], [17, 7], [12, 12], [7, 17], [17, 17]],
  6: [[7, 6], [17, 6], [7, 12], [17, 12], [7, 18], [17, 18]],
};

export function Die({ face, size = 64 }) {
  return html`<svg class="die" width=${size} height=${size} viewBox="0 0 24 24" aria-hidden="true">
    <rect x="2" y="2" width="20" height="20" rx="5" />
    ${PIPS[face].map(([x, y]) => html`<circle cx=${x} cy=${y} r="1.9" />`)}
  </svg>`;
}

// The two pigs, or the dice, of a throw.
export function ThrowPicture({ thrown, size = 48 }) {
  if (thrown.dice) {
    return html`<span class="throw-picture">
      ${thrown.dice.map((face) => html`<${Die} face=${face} size=${size} />`)}
    </span>`;
  }
  if (!thrown.poses) return null;
  const close = thrown.contact === "apart" ? "" : " close";
  return html`<span class=${`throw-picture${close}`}>
    ${thrown.poses.map((pose) => html`<${PigPicture} pose=${pose} size=${size} />`)}
  </span>`;
}
