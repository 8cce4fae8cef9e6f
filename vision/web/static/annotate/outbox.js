// Labels on their way to the server: in order, one at a time, again and again until they are
// acknowledged. What is not acknowledged is also kept in this browser, so that neither a closed
// tab nor a dead server loses it; nothing is called saved before the server has said so.

import { signal, computed, effect } from "@preact/signals";
import { api } from "./api.js";
import { same } from "./labels.js";
import { client, who, read, write } from "./settings.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;

const waiting = signal(new Map()); // photo id -> { labels, revision }
const trouble = signal(null); // why it does not go on, in the server's words

// saved | saving | failed
export const saveState = computed(() => {
  if (waiting.value.size === 0) return "saved";
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

export const pending = (id) => waiting.value.get(id) ?? null;

// Labels of a photograph, changed from `revision` on; an earlier change still waiting is replaced.
export function put(id, labels, revision) {
  keep(new Map(waiting.value).set(id, { labels, revision }));
  wake();
  void run();
}

export function drop(id) {
  const next = new Map(waiting.value);
  next.delete(id);
  keep(next);
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

async function send() {
  let wait = FIRST_WAIT_MS;
  const sent = new Map(); // photo id -> labels whose answer was lost: the server may have them
  while (waiting.value.size > 0) {
    const [id, item] = waiting.value.entries().next().value;
    try {
      const photo = await api.save(id, { ...item, client, who: who.value });
      wait = FIRST_WAIT_MS;
      trouble.value = null;
      sent.delete(id);
      const newer = waiting.value.get(id);
      if (newer === item) drop(id);
      else put(id, newer.labels, photo.revision);
      onSaved(photo, item.labels);
    } catch (error) {
      if (error.isConflict && (sent.get(id) ?? []).some((l) => same(l, error.photo.labels))) {
        put(id, waiting.value.get(id).labels, error.photo.revision);
        sent.delete(id);
      } else if (error.isConflict) {
        const mine = waiting.value.get(id);
        drop(id);
        onConflict(error.photo, mine.labels);
      } else if (error.isPassing) {
        trouble.value = error.message;
        sent.set(id, [...(sent.get(id) ?? []), item.labels]);
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, wait);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wait = Math.min(2 * wait, LONGEST_WAIT_MS);
      } else {
        const mine = waiting.value.get(id);
        drop(id);
        onRefused(id, mine.labels, error);
      }
    }
  }
  trouble.value = null;
}

addEventListener("beforeunload", (event) => {
  if (waiting.value.size > 0) event.preventDefault();
});
