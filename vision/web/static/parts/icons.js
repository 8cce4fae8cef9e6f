// A few line icons, drawn for 24 px; always beside or under a text, or hidden from ears.

import { html } from "/static/html.js";

const PATHS = {
  table: "M3 10h18M5 10v9M19 10v9M3 7h18v3H3z",
  history: "M4 6v5h5M4.5 11A8 8 0 1 1 6 17M12 8v5l3 2",
  stats: "M5 20v-7M12 20V5M19 20v-10",
  games: "M4 6h16M4 12h16M4 18h10",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  phone: "M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2",
  big: "M3 5h18v11H3zM8 20h8M12 16v4",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  bank: "M5 12l5 5L20 7",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  hand: "M8 13V6a1.5 1.5 0 0 1 3 0v5M11 11V4.5a1.5 1.5 0 0 1 3 0V11M14 11V6a1.5 1.5 0 0 1 3 0v8a7 7 0 0 1-7 7c-3 0-4.500-2-6-5l-1.200-2.500a1.500 1.500 0 0 1 2.700-1.300L8 15",
  camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 16.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7z",
  touch: "M8.500 15a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM15.500 18a4.500 4.500 0 1 0 0-9",
  close: "M6 6l12 12M18 6L6 18",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  plus: "M12 5v14M5 12h14",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  crown: "M4 18h16M4 15l-1-8 5 4 4-6 4 6 5-4-1 8z",
  sound: "M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 0 1 0 6M18.500 6.500a8 8 0 0 1 0 11",
  reset: "M4 12a8 8 0 1 0 3-6.200M4 4v4h4",
  right: "M9 5l7 7-7 7",
  megaphone: "M4 10v4h3l9 5V5l-9 5zM19 9a4 4 0 0 1 0 6",
};

export function Icon({ name, size = 24 }) {
  return html`<svg
    class="icon"
    width=${size}
    height=${size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width=${name === "more" ? 3.5 : 2}
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d=${PATHS[name]} />
  </svg>`;
}

export function Brand() {
  return html`<img class="brand-mark" src="/static/img/icon.svg" width="32" height="32" alt="" />`;
}
