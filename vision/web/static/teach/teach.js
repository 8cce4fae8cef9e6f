// The lesson's page: what to lay, the camera's picture, and what came of it.

import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { signal } from "@preact/signals";
import { html } from "../html.js";
import { language, languages, loadLanguage, setLanguage, t } from "../i18n.js";
import { reasonText } from "../words.js";

const POLL_MS = 250;
const FRAME_MS = 100;

const lesson = signal(null);
const away = signal(false);

async function ask(path, body) {
  const options = body && {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  };
  try {
    const answer = await fetch(path, options);
    if (!answer.ok) throw new Error(String(answer.status));
    const next = await answer.json();
    tell(lesson.value, next);
    lesson.value = next;
    away.value = false;
  } catch {
    away.value = true;
  }
}

const press = (button) => () => ask("/api/press", { button });

// Only what is new is read aloud.
function tell(before, now) {
  const text = stageText(now);
  if (!before || text !== stageText(before) || before.step !== now.step)
    document.getElementById("news").textContent = `${task(now)} ${text}`;
}

function task(l) {
  if (l.stage === "complete") return t("teach.complete");
  if (l.contact === "stacked") return t("teach.layStacked");
  const pose = t(`common.pose.${l.pose}`);
  return t(l.contact === "touching" ? "teach.layTouching" : "teach.lay", { pose });
}

function stageText(l) {
  if (l.stage === "no_camera") return reasonText(l.reason);
  const text = t(`teach.stage.${l.stage}`, { n: l.boxes.length });
  if (!l.missed || l.stage !== "paused") return text;
  return `${text}: ${t("teach.stage.count", { n: l.boxes.length })}`;
}

function Camera() {
  const image = useRef(null);
  useEffect(() => {
    let stopped = false;
    const next = async () => {
      if (stopped) return;
      const started = performance.now();
      try {
        const answer = await fetch("/api/frame");
        if (answer.status === 200) {
          const url = URL.createObjectURL(await answer.blob());
          const old = image.current?.src;
          if (image.current) image.current.src = url;
          if (old?.startsWith("blob:")) URL.revokeObjectURL(old);
        }
      } catch {
        // told by the poll of the lesson
      }
      setTimeout(next, Math.max(0, FRAME_MS - (performance.now() - started)));
    };
    void next();
    return () => (stopped = true);
  }, []);
  const l = lesson.value;
  const [w, h] = l.size;
  return html`<div class="camera" style=${w ? `aspect-ratio:${w}/${h}` : ""}>
    <img ref=${image} alt=${t("teach.camera")} />
    ${w > 0 && html`<svg viewBox=${`0 0 ${w} ${h}`} aria-hidden="true">
      ${l.boxes.map((b, i) => html`<rect key=${i} x=${b[0]} y=${b[1]} width=${b[2] - b[0]} height=${b[3] - b[1]} />`)}
    </svg>`}
    <p class=${`stage ${l.stage}`} lang=${l.stage === "no_camera" && l.reason?.key === "other" ? "en" : undefined}>${stageText(l)}</p>
  </div>`;
}

function Task() {
  const l = lesson.value;
  const turned = l.turn > 0 && l.contact !== "stacked";
  return html`<section class="task card" aria-labelledby="task">
    <p class="muted figures">${t("teach.place", { step: Math.min(l.step + 1, l.steps), all: l.steps })}</p>
    <h1 id="task">${task(l)}</h1>
    ${l.pose && html`<img class="pose" src=${`/static/img/pose/${l.pose}.webp`} alt=${t(`common.pose.${l.pose}`)} />`}
    ${turned && html`<p>${t("teach.turn", { turn: l.turn })}</p>`}
    <progress value=${l.step} max=${l.steps} aria-label=${t("teach.progress")}></progress>
    <div class="buttons">
      ${l.stage === "paused"
        ? html`<button class="primary" onClick=${press("resume")}>${t("teach.resume")}</button>`
        : html`<button onClick=${press("pause")}>${t("teach.pause")}</button>`}
      <button onClick=${press("take")}>${t("teach.take")}</button>
      <button onClick=${press("skip")}>${t("teach.skip")}</button>
      <button disabled=${l.taken === 0} onClick=${press("back")}>${t("teach.back")}</button>
    </div>
    <button class=${l.stage === "complete" ? "primary" : ""} disabled=${l.fitting || l.taken < 6} onClick=${press("fit")}>
      ${t(l.stage === "complete" ? "teach.fit" : "teach.fitNow")}</button>
    ${l.taken < 6 && html`<p class="muted">${t("teach.fewest")}</p>`}
  </section>`;
}

function Shots() {
  const { shots, taken } = lesson.value;
  return html`<section class="shots" aria-label=${t("teach.shots", { n: taken })}>
    <h2>${t("teach.shots", { n: taken })}</h2>
    <div>${[...shots].reverse().map((s) => html`<img key=${s.photo} src=${`/api/shots/${s.photo}`} alt="" />`)}</div>
  </section>`;
}

function Result() {
  const { lesson: r, used, fitting, error } = lesson.value;
  if (fitting) return html`<section class="card" role="status"><h2>${t("teach.fitting")}</h2></section>`;
  if (error) return html`<section class="note warn" role="alert" lang="en">${error}</section>`;
  if (!r) return null;
  const share = (n, of) => `${n} / ${of}`;
  return html`<section class="card result" aria-labelledby="result">
    <h2 id="result">${t(r.helps ? "teach.helps" : "teach.noGain")}</h2>
    <table>
      <thead><tr><th>${t("teach.pose")}</th><th>${t("teach.before")}</th><th>${t("teach.after")}</th></tr></thead>
      <tbody>
        ${r.poses.map((p) => html`<tr key=${p.pose}><th scope="row">${t(`common.pose.${p.pose}`)}</th>
          <td>${share(p.before, p.shots)}</td><td>${share(p.after, p.shots)}</td></tr>`)}
        <tr class="sum"><th scope="row">${t("teach.all")}</th><td>${share(r.before, r.shots)}</td><td>${share(r.after, r.shots)}</td></tr>
      </tbody>
    </table>
    <p class="muted">${t("teach.heldOut", { seconds: r.seconds })}</p>
    ${used
      ? html`<p class="note good">${t("teach.used")}</p>`
      : r.helps && html`<div class="buttons">
          <button class="primary" onClick=${press("use")}>${t("teach.use")}</button>
          <button onClick=${press("discard")}>${t("teach.discard")}</button>
        </div>`}
  </section>`;
}

function Language() {
  return html`<label class="language"><span>${t("common.language")}</span>
    <select onChange=${(e) => setLanguage(e.currentTarget.value)}>
      ${languages.value.map((c) => html`<option key=${c} value=${c} selected=${c === language.value}>
        ${new Intl.DisplayNames([c], { type: "language" }).of(c)}</option>`)}
    </select></label>`;
}

function Page() {
  document.title = `${t("teach.title")} · Sooee`;
  if (lesson.value === null) return html`<main><p>${t("teach.starting")}</p></main>`;
  return html`<main>
    <header><strong>${t("teach.title")}</strong><${Language} /></header>
    ${away.value && html`<p class="note bad" role="alert">${t("teach.away")}</p>`}
    <div class="desk"><${Camera} /><${Task} /></div>
    <${Result} />
    <${Shots} />
  </main>`;
}

await loadLanguage();
render(html`<${Page} />`, document.getElementById("page"));
await ask("/api/lesson");
setInterval(() => ask("/api/lesson"), POLL_MS);
