// Pictures and videos on their way in: dropped anywhere on the page, or chosen.

import { signal } from "@preact/signals";
import { html } from "../html.js";
import { t } from "../i18n.js";
import { api, why } from "./api.js";
import * as M from "./model.js";
import { Dialog } from "./dialogs.js";

const AT_ONCE = 2;
const RETRIES = 3;

export const hovering = signal(false);
const transfers = signal({ done: 0, all: 0, twice: 0, problems: [] });
const session = signal(new Date().toLocaleDateString("sv")); // YYYY-MM-DD, by the local clock
const camera = signal("");
const waiting = [];
let working = 0;

const isVideo = (file) => file.type.startsWith("video/") || /\.(mp4|mov|mkv|webm|avi|m4v)$/i.test(file.name);

function note(change) {
  const now = transfers.value;
  transfers.value = {
    done: now.done + (change.done ?? 0),
    all: now.all + (change.all ?? 0),
    twice: now.twice + (change.twice ?? 0),
    problems: change.problem ? [...now.problems, change.problem] : now.problems,
  };
}

export function take(files) {
  const list = [...files];
  if (list.length === 0) return;
  if (waiting.length === 0 && working === 0) transfers.value = { done: 0, all: 0, twice: 0, problems: [] };
  waiting.push(...list);
  note({ all: list.length });
  while (working < AT_ONCE && waiting.length > 0) void next();
}

async function next() {
  working += 1;
  while (waiting.length > 0) await send(waiting.shift());
  working -= 1;
  const { done, all, twice, problems } = transfers.value;
  if (working === 0 && done === all)
    M.say(
      problems.length > 0 ? t("annotate.addedSome", { n: problems.length }) : t("annotate.addedAll", { n: all - twice, twice }),
      problems.length > 0 ? "warn" : "good",
    );
}

async function send(file, attempt = 1) {
  const fields = { name: file.name, session: session.value, camera: camera.value };
  try {
    if (isVideo(file)) {
      await api.addVideo(file, fields);
      note({ done: 1 });
    } else {
      const answer = await api.addPicture(file, fields);
      note({ done: 1, twice: answer.new ? 0 : 1 });
    }
  } catch (error) {
    if (error.isPassing && error.status !== 507 && attempt < RETRIES) {
      await new Promise((resolve) => setTimeout(resolve, 1000 * attempt));
      await send(file, attempt + 1);
      return;
    }
    const text = error.message.includes(file.name) ? error.message : `${file.name}: ${error.message}`;
    note({ done: 1, problem: { text, lang: error.lang } });
  }
}

// Whole folders may be dropped, too.
async function filesOf(transfer) {
  const entries = [...transfer.items].map((i) => i.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return [...transfer.files];
  const found = [];
  const visit = async (entry) => {
    if (entry.isFile) found.push(await new Promise((ok, no) => entry.file(ok, no)));
    else {
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((ok, no) => reader.readEntries(ok, no));
        if (some.length === 0) break;
        for (const inner of some) await visit(inner);
      }
    }
  };
  for (const entry of entries) await visit(entry);
  return found.filter((f) => f.type.startsWith("image/") || isVideo(f) || /\.(tiff?|bmp|heic|heif)$/i.test(f.name));
}

export function listenToDrops() {
  let depth = 0;
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragenter", (event) => {
    if (!hasFiles(event)) return;
    depth += 1;
    hovering.value = true;
  });
  addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (depth === 0) hovering.value = false;
  });
  addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
  addEventListener("drop", async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    hovering.value = false;
    take(await filesOf(event.dataTransfer));
  });
}

function Problem({ text, lang }) {
  return html`<span class="bad" lang=${lang}>${text}</span>`;
}

export function Transfers() {
  const { done, all, problems } = transfers.value;
  const films = M.videos.value.filter((v) => v.state !== "done" || v.problem || v.stills > 0);
  return html`<div class="transfers">
    ${all > 0 && html`<p><progress value=${done} max=${all} aria-label=${t("annotate.add")}></progress> ${t("annotate.adding", { done, all })}</p>`}
    ${films.map((v) => html`<p key=${v.job}>${t(`annotate.video.${v.state}`, { name: v.name, n: v.stills, time: v.time_s })}
      ${v.problem ? html` <${Problem} ...${why(v.code, v.problem)} />` : null}</p>`)}
    ${problems.length > 0 && html`<ul class="problems">${problems.map((p, i) => html`<li key=${i} lang=${p.lang}>${p.text}</li>`)}</ul>`}
  </div>`;
}

export function Add({ onClose }) {
  return html`<${Dialog} title=${t("annotate.add")} onClose=${onClose}>
    <div class="form">
      <p>${t("annotate.addHow")}</p>
      <label><span>${t("annotate.session")}</span>
        <input value=${session.value} maxlength="80" onInput=${(e) => (session.value = e.currentTarget.value)} />
        <small class="muted">${t("annotate.sessionWhy")}</small></label>
      <label><span>${t("annotate.camera")}</span>
        <input value=${camera.value} maxlength="80" onInput=${(e) => (camera.value = e.currentTarget.value)} /></label>
      <label class="button primary files">${t("annotate.choose")}
        <input type="file" multiple accept="image/*,video/*,.mkv" class="for-ears"
          onChange=${(e) => { take(e.currentTarget.files); e.currentTarget.value = ""; }} /></label>
      <${Transfers} />
    </div>
  <//>`;
}
