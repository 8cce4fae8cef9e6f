// The keyboard: every action of the page, without the mouse. One table, also shown as help.

import * as M from "./model.js";
import { canvas } from "./canvas.js";
import { shortcuts, zoomToPigs } from "./settings.js";

const at = (f) => () => canvas.value && f(canvas.value);

function newPig() {
  const box = canvas.value?.newBoxInView();
  if (box) M.addPig(box);
}

// Keys as `KeyboardEvent.key`, letters small; what the help says is `annotate.key.NAME`.
export const KEYS = [
  { name: "accept", keys: ["r", "Enter"], run: M.accept },
  { name: "pose", keys: ["1", "2", "3", "4", "5", "6", "7"], run: (key) => M.setPose(M.vocabulary.poses[key - 1]) },
  { name: "touching", keys: ["t"], run: () => M.setContact("touching") },
  { name: "stacked", keys: ["s"], run: () => M.setContact("stacked") },
  { name: "apart", keys: ["a"], run: () => M.setContact("apart") },
  { name: "nextPig", keys: ["e"], run: () => M.selectNext(1) },
  { name: "newPig", keys: ["n"], run: newPig },
  { name: "deletePig", keys: ["Delete", "Backspace", "d"], run: M.deletePig },
  { name: "copy", keys: ["c"], run: M.copyPrevious },
  { name: "unsure", keys: ["u"], run: () => M.toggle("unsure") },
  { name: "leaveOut", keys: ["x"], run: () => M.toggle("left_out") },
  { name: "next", keys: ["PageDown", "k"], run: () => M.go(1) },
  { name: "back", keys: ["PageUp", "j"], run: () => M.go(-1) },
  { name: "first", keys: ["Home"], run: () => M.open(M.walk.value[0] ?? null) },
  { name: "last", keys: ["End"], run: () => M.open(M.walk.value.at(-1) ?? null) },
  { name: "zoom", keys: ["z"], run: at((c) => c.toggleZoom()) },
  { name: "zoomIn", keys: ["+", "="], run: at((c) => c.zoom(1.25)) },
  { name: "zoomOut", keys: ["-"], run: at((c) => c.zoom(0.8)) },
  { name: "fit", keys: ["0"], run: at((c) => c.fit()) },
  { name: "alwaysZoom", keys: ["p"], run: () => (zoomToPigs.value = !zoomToPigs.value) },
];

export const MORE_HELP = [
  { name: "nudge", keys: ["← ↑ → ↓"] },
  { name: "nudgeFar", keys: ["Shift + ← ↑ → ↓"] },
  { name: "grow", keys: ["Alt + ← ↑ → ↓"] },
  { name: "undo", keys: ["Ctrl + Z"] },
  { name: "redo", keys: ["Ctrl + Shift + Z"] },
  { name: "drawOver", keys: ["Shift"] },
  { name: "pan", keys: ["Space"] },
  { name: "help", keys: ["?", "F1"] },
];

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const table = new Map(KEYS.flatMap((k) => k.keys.map((key) => [key, k])));

// Where keys belong to what has the focus. A focused button keeps Enter and Space for itself.
function taken(event) {
  const target = event.target;
  if (!(target instanceof Element)) return false;
  if (document.querySelector("dialog[open]")) return true;
  if (target.closest("input, select, textarea, [contenteditable]")) return true;
  const held = event.key === "Enter" || event.key === " ";
  return held && target.closest("button, a, summary") !== null;
}

function arrow(event) {
  const [dx, dy] = ARROWS[event.key];
  const far = event.shiftKey ? 10 : 1;
  if (event.altKey) M.grow(dx * far, dy * far);
  else M.nudge(dx * far, dy * far);
}

export function listen(openHelp) {
  addEventListener("keydown", (event) => {
    const control = event.ctrlKey || event.metaKey;
    if (control && !document.querySelector("dialog[open]") && !event.target.closest?.("input")) {
      const key = event.key.toLowerCase();
      if (key === "z" || key === "y") {
        event.preventDefault();
        void (key === "y" || event.shiftKey ? M.redo() : M.undo());
      }
      return;
    }
    if (control || event.isComposing || taken(event)) return;
    if (event.key === "F1") {
      event.preventDefault();
      openHelp();
      return;
    }
    if (!shortcuts.value) return;
    if (event.key === "?") openHelp();
    else if (event.key in ARROWS) {
      event.preventDefault();
      arrow(event);
    } else if (event.key === " " && canvas.value) {
      event.preventDefault();
      canvas.value.panKey = true;
    } else {
      const hit = table.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
      if (!hit || event.altKey) return;
      event.preventDefault();
      if (event.repeat && ["accept", "pose", "newPig", "deletePig"].includes(hit.name)) return;
      void hit.run(event.key);
    }
  });
  addEventListener("keyup", (event) => {
    if (event.key === " " && canvas.value) canvas.value.panKey = false;
  });
}
