// Labels on their way to the server: in order, one at a time, again and again until they are
// acknowledged. What is not acknowledged is also kept in this browser, so that neither a closed
// tab nor a dead server loses it; nothing is called saved before the server has said so.

import { signal, computed, effect } from "@preact/signals";
import { api } from "./api.js";
import { same } from "./labels.js";
import { client, who, read, write } from "./settings.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;

const waiting = signal(new Map()); // photo id -> { revision, steps: [labels, …] }
const trouble = signal(null); // why it does not go on, in the server's words

// Something on the page is not handed over yet (a box that is still being nudged).
export const dirty = signal(false);

// saved | saving | failed
export const saveState = computed(() => {
  if (waiting.value.size === 0) return dirty.value ? "saving" : "saved";
  return trouble.value === null ? "saving" : "failed";
});
export const saveTrouble = trouble;
export const unsaved = computed(() => waiting.value.size);

let storageKey = null;
let onSaved = () => {};
let onConflict = () => {};
let onRefused = () => {};
let running = null;
let wake = () => {};

function keep(next) {
  waiting.value = next;
  if (storageKey !== null) {
    write(storageKey, next.size ? [...next.entries()] : undefined);
  }
}

export function startOutbox(setName, handlers) {
  ({ onSaved, onConflict, onRefused } = handlers);
  storageKey = `sooee.outbox.${setName}`;
  const left = read(storageKey, null);
  if (Array.isArray(left)) keep(new Map([...left, ...waiting.value]));
  addEventListener("online", () => wake());
  void run();
  return left === null ? 0 : left.length;
}

// The labels said last that are not acknowledged yet.
export const pending = (id) => waiting.value.get(id)?.steps.at(-1) ?? null;

// Labels of a photograph, changed from `revision` on. Each is a step of its own: so is its undo.
export function put(id, labels, revision) {
  const before = waiting.value.get(id);
  const steps = [...(before?.steps ?? []), labels];
  keep(new Map(waiting.value).set(id, { revision: before?.revision ?? revision, steps }));
  wake();
  void run();
}

function drop(id) {
  const next = new Map(waiting.value);
  next.delete(id);
  keep(next);
}

// The first step is on the server's disk, as `revision`.
function advance(id, revision) {
  const steps = waiting.value.get(id).steps.slice(1);
  if (steps.length === 0) drop(id);
  else keep(new Map(waiting.value).set(id, { revision, steps }));
}

// Resolves when everything said so far is acknowledged, or rejects when that does not work now.
export function flush() {
  void run();
  return new Promise((resolve, reject) => {
    const stop = effect(() => {
      const [left, why] = [waiting.value.size, trouble.value];
      if (left > 0 && why === null) return;
      queueMicrotask(() => stop());
      if (left === 0) resolve();
      else reject(new Error(why));
    });
  });
}

function run() {
  running ??= send().finally(() => {
    running = null;
  });
  return running;
}

const pause = (ms) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });

async function send() {
  let wait = FIRST_WAIT_MS;
  let lost = false; // the answer to the first step was lost: the server may have it already
  while (waiting.value.size > 0) {
    const [id, { revision, steps }] = waiting.value.entries().next().value;
    const labels = steps[0];
    try {
      const photo = await api.save(id, { labels, revision, client, who: who.value });
      advance(id, photo.revision);
      trouble.value = null;
      onSaved(photo, labels);
    } catch (error) {
      if (error.isPassing) {
        trouble.value = error.message;
        lost = true;
        await pause(wait);
        wait = Math.min(2 * wait, LONGEST_WAIT_MS);
        continue;
      }
      const mine = pending(id);
      if (error.isConflict && lost && same(labels, error.photo.labels)) {
        advance(id, error.photo.revision);
      } else {
        drop(id);
        if (error.isConflict) onConflict(error.photo, mine);
        else onRefused(id, mine, error);
      }
    }
    wait = FIRST_WAIT_MS;
    lost = false;
  }
  trouble.value = null;
}

addEventListener("beforeunload", (event) => {
  if (waiting.value.size > 0 || dirty.value) event.preventDefault();
});
