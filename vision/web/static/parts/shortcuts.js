// Keys for the table, switched off in the settings; never while something is being typed.

import { useEffect } from "preact/hooks";

import { prefs } from "/static/prefs.js";

// `keys` maps a key to what it does.
export function useShortcuts(keys) {
  useEffect(() => {
    const onKey = (event) => {
      if (!prefs.value.shortcuts || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest?.("input, select, textarea, dialog[open]")) return;
      if (document.querySelector("dialog[open]")) return;
      const does = keys[event.key.toLowerCase()];
      if (does) {
        event.preventDefault();
        does();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
}
