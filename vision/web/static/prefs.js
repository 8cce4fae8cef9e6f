// What this viewer chose, kept in this browser: theme, voice, shortcuts, advice, picture.

import { effect, signal } from "@preact/signals";

const KEY = "sooee.prefs";
const DEFAULTS = {
  theme: "system",
  voice: false,
  sound: false,
  shortcuts: true,
  advice: false,
  picture: true,
};

function load() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return DEFAULTS;
  }
}

export const prefs = signal(load());

export function setPref(name, value) {
  prefs.value = { ...prefs.value, [name]: value };
}

effect(() => {
  const now = prefs.value;
  if (now.theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = now.theme;
  try {
    localStorage.setItem(KEY, JSON.stringify(now));
  } catch {
    // storage switched off: the choice lasts as long as the page
  }
});
