// What this browser remembers: who sits here, and how they like the page.
import { signal, effect } from "@preact/signals";

function read(key, otherwise) {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise; // storage switched off, or another program's words in it
  }
}

export function write(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export { read };

function kept(key, otherwise) {
  const value = signal(read(key, otherwise));
  let first = true;
  effect(() => {
    const now = value.value;
    if (!first) write(key, now);
    first = false;
  });
  return value;
}

const newClient = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
};

export const who = kept("sooee.who", "");
export const shortcuts = kept("sooee.shortcuts", true);
export const zoomToPigs = kept("sooee.zoomToPigs", false);
export const theme = kept("sooee.theme", "system");

// Whose undo it is: this browser, also tomorrow.
export const client = read("sooee.client", null) ?? newClient();
write("sooee.client", client);

effect(() => {
  const root = document.documentElement;
  if (theme.value === "system") delete root.dataset.theme;
  else root.dataset.theme = theme.value;
});
