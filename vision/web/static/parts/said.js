// Where messages are seen and heard. Behind an open dialog everything is inert, so each dialog has
// a place of its own for them; the one on top has the word.

import { signal } from "@preact/signals";

const AGAIN_MS = 2000;
const CLOSED_MS = 100; // a region speaks of changes only, and only after it has come back

export const dialogs = signal([]); // the names of those that are open, the one on top last

let newest = { text: "", at: -Infinity };

function region() {
  const top = dialogs.peek().at(-1);
  return document.getElementById(top === undefined ? "live" : `${top}-live`);
}

export function hear(text) {
  newest = { text, at: performance.now() };
  region().textContent = text;
}

// Opens a dialog's place; what comes back closes it. What was said just before, as by the tap that
// closed the dialog, is said where people are then.
export function openPlace(name) {
  dialogs.value = [...dialogs.peek(), name];
  return () => {
    dialogs.value = dialogs.peek().filter((other) => other !== name);
    const said = newest;
    if (performance.now() - said.at > AGAIN_MS) return;
    setTimeout(() => {
      const now = region();
      if (newest === said && now.textContent !== said.text) now.textContent = said.text;
    }, CLOSED_MS);
  };
}
