// When what has the focus is taken away, the focus goes on to the next best, not to nowhere: to the
// same line drawn anew, to the button before it in its group, else to the screen or the dialog.

const CAN = "button:enabled, a[href], input:enabled, select:enabled, summary";

let last = null; // what has the focus
let group = null; // the `data-stay` around it
let place = 0; // its number in there

function members() {
  return group?.isConnected ? [...group.querySelectorAll(CAN)] : [];
}

function remember(event) {
  last = event.target;
  group = last.closest("[data-stay]");
  place = members().indexOf(last);
}

// Left by whoever wished to, it is not gone back to.
function forget() {
  setTimeout(() => {
    if (last?.isConnected && document.activeElement === document.body) last = null;
  });
}

function next() {
  const within = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  const same = last.dataset.entry && within.querySelector(`[data-entry="${last.dataset.entry}"]`);
  if (same) return same;
  const others = members().filter((other) => within.contains(other));
  if (others.length > 0) return others[Math.max(0, Math.min(place - 1, others.length - 1))];
  return within === document ? document.getElementById("main") : within.querySelector("h2");
}

export function keepFocus() {
  document.addEventListener("focusin", remember);
  document.addEventListener("focusout", forget);
  new MutationObserver(() => {
    if (last === null || last.isConnected || document.activeElement !== document.body) return;
    next()?.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}
