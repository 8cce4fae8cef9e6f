// The newest change, said once: in the one live region, in a short note, and aloud if wished.

import { effect, signal } from "@preact/signals";

import { html } from "/static/html.js";
import { language, t } from "/static/i18n.js";
import { table, toast } from "/static/net.js";
import { dialogs, hear } from "/static/parts/said.js";
import { prefs } from "/static/prefs.js";
import { newsText } from "/static/words.js";

const SHOWN_MS = 6000;
const VOICES = { da: "da-DK", en: "en-GB" };
const QUIET = ["started", "opened"];

export const note = signal(null);
let told = null;
let asked = null;
let timer = null;

function show(text, kind) {
  note.value = { text, kind };
  clearTimeout(timer);
  timer = setTimeout(() => (note.value = null), SHOWN_MS);
}

function aloud(text) {
  if (!prefs.value.voice || !("speechSynthesis" in window)) return;
  speechSynthesis.cancel(); // only the newest
  const words = new SpeechSynthesisUtterance(text);
  words.lang = VOICES[language.value] ?? language.value;
  speechSynthesis.speak(words);
}

function announce(text) {
  hear(text);
  aloud(text);
}

export function listen() {
  effect(() => {
    const news = table.value?.news ?? null;
    if (news === null || news.id === told) return;
    const first = told === null;
    told = news.id;
    if (first || QUIET.includes(news.kind)) return; // what was there before this page was
    const text = newsText(news);
    announce(text);
    show(text, news.kind);
  });
  effect(() => {
    const question = table.value?.question ?? null;
    if ((question?.id ?? null) === asked) return;
    asked = question?.id ?? null;
    if (question !== null) announce(t(`question.${question.kind}`));
  });
  effect(() => {
    if (toast.value === null) return;
    const text = t(toast.value.key, toast.value.values);
    announce(text);
    show(text, toast.value.kind);
  });
}

// Each dialog has one with its name; it is shown in the dialog on top, else on the screen.
export function Note({ dialog }) {
  const now = dialogs.value.at(-1) === dialog ? note.value : null;
  return html`<div class="toast-place" aria-hidden="true">
    ${now && html`<p class=${`toast ${now.kind}`}>${now.text}</p>`}
  </div>`;
}
