// The row of small pictures. Only those in sight exist, so thousands cost nothing,
// and while picture follows picture no new one is fetched.

import { useEffect, useRef } from "preact/hooks";
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { html } from "../html.js";
import { t } from "../i18n.js";
import { thumbUrl } from "./api.js";
import * as M from "./model.js";

const WIDTH = 104;
const SPARE = 4;

const MARKS = [
  ["x", "✕", "leftOut"],
  ["u", "?", "unsure"],
  ["d", "≠", "disagree"],
  ["r", "✓", "reviewed"],
];
const BEGUN = ["b", "…", "begun"];

// All that holds of a picture; that it is begun only where nothing else does.
function marksOf({ flags }) {
  const marks = MARKS.filter(([letter]) => flags.includes(letter));
  return marks.length === 0 && flags.includes(BEGUN[0]) ? [BEGUN] : marks;
}

export function Strip() {
  const holder = useRef(null);
  const left = useSignal(0);
  const wide = useSignal(1000);
  const total = useComputed(() => M.walk.value.length);

  useEffect(() => {
    const observer = new ResizeObserver(() => (wide.value = holder.current.clientWidth));
    observer.observe(holder.current);
    return () => observer.disconnect();
  }, []);

  // By what is known already: to ask the row where it is would lay out the whole page at once.
  useSignalEffect(() => {
    const at = M.place.value;
    if (at < 0 || !holder.current) return;
    const [x, from, width] = [at * WIDTH, left.peek(), wide.peek()];
    if (x < from + WIDTH || x > from + width - 2 * WIDTH)
      holder.current.scrollLeft = x - width / 2 + WIDTH / 2;
  });

  const first = Math.max(0, Math.floor(left.value / WIDTH) - SPARE);
  const last = Math.min(total.value, Math.ceil((left.value + wide.value) / WIDTH) + SPARE);
  const ids = M.walk.value.slice(first, last);
  return html`<nav class="strip" ref=${holder} aria-label=${t("annotate.pictures")} tabindex="-1"
      onScroll=${(e) => (left.value = e.currentTarget.scrollLeft)}>
    <ul style=${`width:${total.value * WIDTH}px`}>
      ${ids.map((id, i) => html`<${Thumb} key=${id} id=${id} x=${(first + i) * WIDTH} />`)}
    </ul>
  </nav>`;
}

const asked = new Set(); // whose small picture was fetched: it is shown at once

function Thumb({ id, x }) {
  const line = useComputed(() => M.entries.value.get(id));
  const current = useComputed(() => M.photo.value?.id === id);
  const shown = useComputed(() => asked.has(id) || M.resting.value);
  const entry = line.value;
  if (!entry) return null;
  if (shown.value) asked.add(id);
  const here = current.value;
  const marks = marksOf(entry);
  const states = marks.length > 0 ? marks.map(([, , name]) => name) : ["new"];
  const state = states.map((name) => t(`annotate.state.${name}`)).join(", ");
  return html`<li style=${`left:${x}px`}>
    <button class="thumb" aria-current=${here ? "true" : null} tabindex=${here ? 0 : -1}
        aria-label=${`${entry.name}: ${state}`} title=${`${entry.name}: ${state}`}
        onClick=${() => M.open(id)}>
      ${shown.value && html`<img src=${thumbUrl(id)} alt="" loading="lazy" decoding="async" draggable=${false} />`}
      <span class="marks" aria-hidden="true">
        ${marks.map(([, sign, name]) => html`<span key=${name} class=${`mark ${name}`}>${sign}</span>`)}</span>
    </button>
  </li>`;
}
