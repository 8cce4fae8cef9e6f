// What the page knows and what can be done: the list, the picture in hand, its labels.

import { batch, computed, signal } from "@preact/signals";
import { api, Offline, pictureUrl } from "./api.js";
import * as L from "./labels.js";
import * as outbox from "./outbox.js";
import { client, who } from "./settings.js";
import { t } from "../i18n.js";

const POLL_MS = 2000;
const COALESCE_MS = 400; // nudges within this are one change, one undo
const PREFETCH_MS = 80;
const AHEAD = 2; // pictures fetched before they are asked for
const KEPT = 6; // pictures kept whole: a decoded one of a telephone takes 50 MB
const REST_MS = 250;

export const setName = signal("");
export const entries = signal(new Map()); // id -> line of the list
export const modelStatus = signal(null);
export const videos = signal([]);
export const online = signal(true);
export const needsCode = signal(false);
export const loaded = signal(false);

export const filter = signal({ show: "unreviewed", order: "name", session: "" });
export const walk = signal([]); // ids in the order they are gone through; stands still while working
export const photo = signal(null); // as the server has it
export const labels = signal(L.EMPTY); // as shown
export const selected = signal(-1);
export const conflict = signal(null); // { theirs: photo, mine: labels }
export const notice = signal(null); // { kind, text }
export const picture = signal(null); // the decoded picture of `photo`, an ImageBitmap
export const resting = signal(true); // false while picture follows picture: small things wait

export const vocabulary = { poses: [], contacts: [] };

const cache = new Map(); // id -> { photo, image: Promise of an ImageBitmap }
let stamp = -1;
let polled = false;
let previous = null; // labels of the picture before, for "copy from previous"
let timer = null;

const has = (entry, letter) => entry.flags.includes(letter);
export const counts = computed(() => {
  let reviewed = 0;
  let all = 0;
  for (const e of entries.value.values()) {
    if (has(e, "m") || has(e, "x")) continue;
    all += 1;
    if (has(e, "r")) reviewed += 1;
  }
  return { reviewed, all };
});
export const sessions = computed(() =>
  [...new Set([...entries.value.values()].map((e) => e.session))].sort(),
);
export const place = computed(() => walk.value.indexOf(photo.value?.id));

const SHOWN = {
  all: () => true,
  unreviewed: (e) => !has(e, "r") && !has(e, "x"),
  reviewed: (e) => has(e, "r"),
  unsure: (e) => has(e, "u"),
  disagree: (e) => has(e, "d"),
  leftOut: (e) => has(e, "x"),
};
export const FILTERS = Object.keys(SHOWN);
export const ORDERS = ["name", "sure", "new"];

function ordered(list, order) {
  const byName = (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true });
  if (order === "sure") {
    const sure = (e) => (e.sure === null ? 2 : e.sure);
    return list.sort((a, b) => sure(a) - sure(b) || a.id - b.id);
  }
  if (order === "new") return list.sort((a, b) => b.id - a.id);
  return list.sort(byName);
}

export function applyFilter(next = filter.value) {
  const shown = [...entries.value.values()].filter(
    (e) =>
      !has(e, "m") && SHOWN[next.show](e) && (next.session === "" || e.session === next.session),
  );
  batch(() => {
    filter.value = next;
    walk.value = ordered(shown, next.order).map((e) => e.id);
  });
}

export async function setFilter(change) {
  commit();
  const here = photo.value?.id;
  applyFilter({ ...filter.value, ...change });
  if (!walk.value.includes(here)) await open(walk.value[0] ?? null);
}

export function say(text, kind = "plain") {
  notice.value = { kind, text };
  document.getElementById("news").textContent = text;
}

// What was said about one picture is not left standing under the next.
function hush() {
  notice.value = null;
  document.getElementById("news").textContent = "";
}

// ---- the list -------------------------------------------------------------------------------

export async function start() {
  await poll();
  if (needsCode.value) return;
  applyFilter();
  if (walk.value.length === 0 && entries.value.size > 0) applyFilter({ ...filter.value, show: "all" });
  const left = outbox.startOutbox(setName.value, { onSaved, onConflict, onRefused });
  await open(walk.value[0] ?? null);
  loaded.value = true;
  if (left > 0) say(t("annotate.sentLeft", { n: left }), "good");
  setInterval(poll, POLL_MS);
}

async function poll() {
  let answer;
  try {
    answer = await api.list(stamp);
  } catch (error) {
    if (error.status === 401 || error.status === 429) needsCode.value = true;
    online.value = !(error instanceof Offline);
    return;
  }
  online.value = true;
  needsCode.value = false;
  if (vocabulary.poses.length === 0) {
    vocabulary.poses = answer.poses;
    vocabulary.contacts = answer.contacts;
    if (who.value === "" && answer.who) who.value = answer.who;
  }
  const first = !polled;
  polled = true;
  stamp = answer.stamp;
  const news = answer.photos.filter((e) => !known(e));
  batch(() => {
    setName.value = answer.set;
    modelStatus.value = answer.model;
    videos.value = answer.videos;
    if (news.length > 0) {
      const next = new Map(entries.value);
      const fresh = news.filter((e) => !next.has(e.id));
      for (const entry of news) next.set(entry.id, entry);
      entries.value = next;
      if (!first && fresh.length > 0) append(fresh);
    }
  });
  if (!first) for (const entry of news) await refreshed(entry);
}

// The list's line is what this page has already: mostly what it saved itself.
function known(entry) {
  const held = entries.value.get(entry.id);
  return held !== undefined && Object.keys(entry).every((k) => entry[k] === held[k]);
}

// New pictures go to the end of the walk, so that nothing moves under the hands.
function append(fresh) {
  const fit = fresh.filter((e) => !has(e, "m") && SHOWN[filter.value.show](e));
  walk.value = [...walk.value, ...ordered(fit, filter.value.order).map((e) => e.id)];
  if (photo.value === null && walk.value.length > 0) void open(walk.value[0]);
}

// Somebody else, or the model, said something about a picture that is kept here.
async function refreshed(entry) {
  const known = cache.get(entry.id)?.photo;
  if (!known) return;
  const here = photo.value?.id === entry.id;
  const proposalCame = entry.sure !== null && known.proposal === null;
  if (entry.rev <= known.revision && !proposalCame) return;
  if (!here) {
    forget(entry.id);
    return;
  }
  if (outbox.pending(entry.id) || timer !== null) return; // the save will tell
  const now = await fetchPhoto(entry.id, true);
  if (photo.value?.id !== entry.id || outbox.pending(entry.id) || timer !== null) return;
  if (now.revision > known.revision) say(t("annotate.changedElsewhere"), "warn");
  show(now);
}

// ---- pictures -------------------------------------------------------------------------------

// Decoded beside the page's own thread, and it stays so until it is let go of.
async function decode(p) {
  const answer = await fetch(pictureUrl(p));
  if (!answer.ok) throw new Error(String(answer.status));
  return createImageBitmap(await answer.blob());
}

function forget(id) {
  const held = cache.get(id);
  cache.delete(id);
  void held?.image.then((bitmap) => bitmap !== picture.value && bitmap.close()).catch(() => {});
}

async function fetchPhoto(id, again = false) {
  const held = cache.get(id);
  if (held && !again) return held.photo;
  const p = await api.photo(id);
  const image = held && held.photo.sha256 === p.sha256 ? held.image : decode(p);
  image.catch(() => {}); // told where it is shown
  cache.set(id, { photo: p, image });
  for (const old of cache.keys()) {
    if (cache.size <= KEPT) break;
    if (old !== id && old !== photo.value?.id) forget(old);
  }
  return p;
}

// Once what was said is on its way: it goes first.
let soon = null;
function prefetchSoon() {
  clearTimeout(soon);
  soon = setTimeout(prefetch, PREFETCH_MS);
}

function prefetch() {
  const at = place.value;
  for (let i = 1; i <= AHEAD; i += 1) {
    const id = walk.value[at + i];
    if (id !== undefined && !cache.has(id)) fetchPhoto(id).catch(() => {});
  }
}

function show(p) {
  const shown = outbox.pending(p.id) ?? L.labelsOf(p);
  batch(() => {
    const stays = photo.value?.id === p.id;
    photo.value = p;
    labels.value = shown;
    selected.value = stays ? Math.min(selected.value, shown.pigs.length - 1) : firstOpen(shown);
  });
}

// The pig that wants a word: one without a pose, else the first.
function firstOpen(shown) {
  const unnamed = shown.pigs.findIndex((p) => p.pose === null);
  return unnamed >= 0 ? unnamed : shown.pigs.length > 0 ? 0 : -1;
}

let rest = null;
function hurry() {
  clearTimeout(rest);
  resting.value = false;
  rest = setTimeout(() => (resting.value = true), REST_MS);
}

let opening = 0;
export async function open(id) {
  commit();
  hurry();
  if (photo.value && photo.value.id !== id) {
    previous = labels.value;
    hush();
  }
  const mine = (opening += 1);
  if (id === null || id === undefined) {
    batch(() => {
      photo.value = null;
      picture.value = null;
      labels.value = L.EMPTY;
      selected.value = -1;
    });
    return;
  }
  let p;
  try {
    p = await fetchPhoto(id);
  } catch (error) {
    if (mine === opening) say(t("annotate.cannotOpen", { why: error.message }), "bad");
    return;
  }
  if (mine !== opening) return;
  const { image } = cache.get(id);
  let decoded = null;
  try {
    decoded = await image;
  } catch {
    say(t("annotate.cannotShow", { name: p.name }), "bad");
  }
  if (mine !== opening) return;
  if (decoded?.width === 0) {
    cache.delete(id); // let go of meanwhile
    await open(id);
    return;
  }
  commit(); // said while this one was on its way
  batch(() => {
    picture.value = decoded;
    show(cache.get(id)?.photo ?? p);
  });
  prefetchSoon();
}

export async function go(step) {
  const at = place.value;
  const next = at < 0 ? 0 : at + step;
  if (next < 0 || next >= walk.value.length) {
    commit();
    say(t(step > 0 ? "annotate.atEnd" : "annotate.atStart", { folder: setName.value }));
    return;
  }
  await open(walk.value[next]);
}

// ---- changes --------------------------------------------------------------------------------

function change(next, { now = false } = {}) {
  if (photo.value === null || next === labels.value) return;
  labels.value = next;
  clearTimeout(timer);
  outbox.dirty.value = true;
  timer = setTimeout(commit, COALESCE_MS);
  if (now) commit();
}

// Hand what changed to the outbox.
export function commit() {
  clearTimeout(timer);
  timer = null;
  const p = photo.value;
  if (p === null || conflict.value?.theirs.id === p.id) return;
  const said = outbox.pending(p.id) ?? L.labelsOf(p);
  const untouched = L.same(labels.value, said);
  if (!untouched) outbox.put(p.id, labels.value, p.revision);
  outbox.dirty.value = false;
}

function onSaved(p, said) {
  const held = cache.get(p.id);
  if (held) held.photo = p;
  const entry = entries.value.get(p.id);
  if (entry) entries.value = new Map(entries.value).set(p.id, lineOf(entry, p));
  if (photo.value?.id === p.id) {
    const pristine = L.same(labels.value, said);
    photo.value = p;
    if (pristine && p.labels) labels.value = p.labels;
  }
  performance.mark("saved", { detail: p.id });
}

function lineOf(entry, p) {
  const l = p.labels;
  const flags = l
    ? `b${l.reviewed ? "r" : ""}${l.unsure ? "u" : ""}${l.left_out ? "x" : ""}`
    : "";
  return {
    ...entry,
    flags: flags + (p.missing ? "m" : "") + (p.disagrees ? "d" : ""),
    poses: (l?.pigs ?? [])
      .map((g) => (g.pose === null ? "?" : vocabulary.poses.indexOf(g.pose) + 1))
      .join(""),
    contact: l?.contact?.[0] ?? "",
    rev: p.revision,
  };
}

function onConflict(theirs, sent) {
  const held = cache.get(theirs.id);
  if (held) held.photo = theirs;
  const mine = photo.value?.id === theirs.id ? labels.value : sent;
  conflict.value = { theirs, mine };
  if (photo.value?.id === theirs.id) photo.value = theirs;
  else void open(theirs.id).then(() => (labels.value = mine));
  say(t("annotate.conflict", { name: theirs.name }), "warn");
}

function onRefused(id, mine, error) {
  say(t("annotate.refused", { why: error.message }), "bad");
}

export function settle(keepMine) {
  const { theirs, mine } = conflict.value;
  conflict.value = null;
  outbox.dirty.value = false;
  if (keepMine) {
    outbox.put(theirs.id, mine, theirs.revision);
    if (photo.value?.id === theirs.id) labels.value = mine;
  } else if (photo.value?.id === theirs.id) {
    show(theirs);
  }
}

const edit = (f, options) => {
  const asked = conflict.value;
  if (photo.value === null) return;
  if (asked === null) {
    change(f(labels.value), options);
  } else if (asked.theirs.id === photo.value.id) {
    labels.value = f(asked.mine); // said while the question stands: it belongs to mine
    conflict.value = { ...asked, mine: labels.value };
  }
};

export function setPose(pose) {
  const at = selected.value;
  if (at < 0) return;
  edit((l) => L.withPose(l, at, pose, who.value), { now: true });
  const open_ = labels.value.pigs.findIndex((p) => p.pose === null);
  if (open_ >= 0) selected.value = open_;
  say(t(`common.pose.${pose}`));
}

export function setContact(contact) {
  if (labels.value.pigs.length !== 2) {
    say(t("annotate.contactNeedsTwo"), "warn");
    return;
  }
  edit((l) => L.withContact(l, contact, who.value), { now: true });
  say(t(`common.contact.${contact}`));
}

export function clearContact() {
  edit((l) => L.withContact(l, null, who.value), { now: true });
  say(t("annotate.contactGone"));
}

export const toggle = (flag) => edit((l) => L.withFlag(l, flag), { now: true });

export function setBox(index, box, { resized = false, now = false } = {}) {
  const { width, height } = photo.value;
  const fit = resized ? L.cut(box, width, height) : L.inside(box, width, height);
  edit((l) => L.withBox(l, index, fit, who.value), { now });
}

export function nudge(dx, dy) {
  if (selected.value < 0) return;
  setBox(selected.value, L.moved(labels.value.pigs[selected.value].box, dx, dy));
}

export function grow(dx, dy) {
  if (selected.value < 0) return;
  setBox(selected.value, L.grown(labels.value.pigs[selected.value].box, dx, dy), { resized: true });
}

export function addPig(box) {
  const { width, height } = photo.value;
  edit((l) => L.withPig(l, L.cut(box, width, height), who.value), { now: true });
  selected.value = labels.value.pigs.length - 1;
  say(t("annotate.namePig"));
}

export function deletePig() {
  const at = selected.value;
  if (at < 0) return;
  edit((l) => L.withoutPig(l, at, who.value), { now: true });
  selected.value = Math.min(at, labels.value.pigs.length - 1);
  say(t("annotate.deleted"));
}

export function selectNext(step) {
  const n = labels.value.pigs.length;
  if (n > 0) selected.value = (selected.value + step + n) % n;
}

export function copyPrevious() {
  if (previous === null || previous.pigs.length === 0) {
    say(t("annotate.nothingToCopy"), "warn");
    return;
  }
  edit((l) => L.copied(previous, l, photo.value), { now: true });
  selected.value = labels.value.pigs.length > 0 ? 0 : -1;
  say(t("annotate.copied"));
}

export async function accept() {
  if (photo.value === null || conflict.value !== null) return;
  performance.mark("accept", { detail: photo.value.id });
  const unnamed = labels.value.pigs.findIndex((p) => p.pose === null);
  if (unnamed >= 0) {
    selected.value = unnamed;
    say(t("annotate.unnamed"), "warn");
    return;
  }
  const { name } = photo.value;
  const open_ = L.contactOpen(labels.value);
  edit((l) => L.accepted(l, who.value), { now: true });
  await go(1);
  if (open_) say(t("annotate.withoutContact", { name }), "warn");
}

async function step(ask, none) {
  commit();
  try {
    await outbox.flush();
    const p = await ask(client);
    if (p === null) {
      say(t(none));
      return;
    }
    const here = photo.value?.id === p.id;
    onSaved(p, labels.value);
    if (here) show(p);
    else await open(p.id);
    say(t(ask === api.undo ? "annotate.undone" : "annotate.redone", { name: p.name }));
  } catch (error) {
    say(t(error.isConflict ? "annotate.undoConflict" : "annotate.notNow", { why: error.message }), "warn");
  }
}

let stepping = Promise.resolve();
const inTurn = (f) => (stepping = stepping.then(f));
export const undo = () => inTurn(() => step(api.undo, "annotate.nothingToUndo"));
export const redo = () => inTurn(() => step(api.redo, "annotate.nothingToRedo"));
