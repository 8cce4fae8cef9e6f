// The line to the server: the table as it stands, and everything that is done to it.

import { computed, signal } from "@preact/signals";

export const table = signal(null); // the newest table, null before the first
export const me = signal(null); // who this page is: {host, member, may_score}
export const link = signal("connecting"); // "connecting", "up", "down"
export const toast = signal(null); // {id, kind, text key, values}
export const busy = signal(false); // something done here is on its way

export const game = computed(() => table.value?.game ?? null);
export const mayScore = computed(() => me.value?.may_score ?? false);

// A tap is meant for what was on the screen. What another page or the camera changed in this last
// moment has not been seen yet: the tap carries the number from before, and the server refuses it.
const SEEN_MS = 350;
const SILENT_MS = 11000;

let socket = null;
let heard = 0;
let wait = 300;
let timer = null;
let seen = { game: null, seq: 0 };
let toasts = 0;
let fresh = true;

export function say(key, values = {}, kind = "info") {
  toasts += 1;
  toast.value = { id: toasts, key, values, kind };
}

function take(next, { own = false } = {}) {
  const last = table.value;
  table.value = next;
  const now = { game: next.game?.id ?? null, seq: next.game?.seq ?? 0 };
  if (own || last === null || now.game !== seen.game) look(now);
  else if (now.seq !== seen.seq) {
    setTimeout(() => {
      const current = table.value?.game;
      if (current?.id === now.game && seen.game === now.game && seen.seq < now.seq) look(now);
    }, SEEN_MS);
  }
}

function look(now) {
  seen = now;
  document.documentElement.dataset.seen = now.seq;
}

function onMessage(event) {
  heard = Date.now();
  const message = JSON.parse(event.data);
  if (message.type === "hello") me.value = { ...me.value, ...message.me };
  else if (message.type === "table") {
    take(message.table, { own: fresh });
    fresh = false;
  }
}

function retry() {
  clearTimeout(timer);
  timer = setTimeout(connect, wait);
  wait = Math.min(wait * 1.7, 4000);
}

export function connect() {
  clearTimeout(timer);
  if (socket !== null) {
    socket.onclose = socket.onmessage = null;
    socket.close();
  }
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/ws`);
  const mine = socket;
  mine.onopen = () => {
    heard = Date.now();
    wait = 300;
    fresh = true; // whatever the server says next is the truth, also after its restart
    link.value = "up";
  };
  mine.onmessage = onMessage;
  mine.onclose = async () => {
    if (mine !== socket) return;
    if (link.value !== "connecting") link.value = "down";
    await whoAmI();
    if (me.value?.member !== false) retry();
  };
}

function wake() {
  if (document.visibilityState === "hidden" || me.value?.member === false) return;
  if (socket?.readyState !== WebSocket.OPEN || Date.now() - heard > SILENT_MS) connect();
}

export async function whoAmI() {
  try {
    const answer = await fetch("/api/me");
    if (answer.ok) me.value = await answer.json();
  } catch {
    // no line: what was known stays
  }
}

export async function start() {
  await whoAmI();
  if (me.value?.member !== false) connect();
  setInterval(() => {
    if (link.value === "up" && Date.now() - heard > SILENT_MS) connect();
  }, 2000);
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", wake);
}

export async function get(path) {
  const answer = await fetch(`/api/${path}`);
  if (!answer.ok) throw new Error((await answer.json()).error);
  return answer.json();
}

export async function send(path, body, method = "POST") {
  let answer;
  try {
    answer = await fetch(`/api/${path}`, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body ?? {}),
    });
  } catch {
    say("error.offline", {}, "bad");
    return null;
  }
  const data = answer.status === 204 ? {} : await answer.json();
  if (answer.ok) return data;
  say(`error.${data.error}`, { message: data.message }, "bad");
  return null;
}

// Does something to the game on the table.
export async function act(path, body = {}) {
  const current = game.value;
  if (current === null) return false;
  return doOnce(`games/${current.id}/${path}`, { ...body, expected_seq: seen.seq });
}

export async function answer(question, throw_) {
  return doOnce(`questions/${question}/answer`, { throw: throw_, expected_seq: seen.seq });
}

// Does something once: nothing else goes out while it is on its way.
export async function doOnce(path, body) {
  if (busy.peek()) return false;
  busy.value = true;
  try {
    const data = await send(path, body);
    if (data === null) return false;
    if (data.version !== undefined && data.version >= (table.value?.version ?? 0)) {
      take(data, { own: true });
    }
    return true;
  } finally {
    busy.value = false;
  }
}
