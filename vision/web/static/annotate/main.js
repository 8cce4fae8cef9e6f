// The annotation page.

import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { signal } from "@preact/signals";
import { html } from "../html.js";
import { language, loadLanguage, t } from "../i18n.js";
import { Add, hovering, listenToDrops, Transfers } from "./add.js";
import { Canvas, canvas } from "./canvas.js";
import { Code, Help, Settings } from "./dialogs.js";
import { listen } from "./keys.js";
import * as M from "./model.js";
import { Panel } from "./panel.js";
import { Strip } from "./strip.js";
import { Model, Top, Trouble } from "./top.js";

const dialog = signal(null);
const open = (name) => () => (dialog.value = name);
const close = () => (dialog.value = null);

function View() {
  const holder = useRef(null);
  useEffect(() => {
    canvas.value = new Canvas(holder.current);
    return () => {
      canvas.value.destroy();
      canvas.value = null;
    };
  }, []);
  const photo = M.photo.value;
  return html`<div class="view" ref=${holder} role="img"
    aria-label=${photo ? t("annotate.viewOf", { name: photo.name, n: M.labels.value.pigs.length }) : t("annotate.noPicture")}></div>`;
}

function Empty() {
  const nothing = M.entries.value.size === 0;
  return html`<div class="empty card">
    <h2>${t(nothing ? "annotate.emptySet" : "annotate.allDone")}</h2>
    <p>${t(nothing ? "annotate.emptyHow" : "annotate.allDoneHow")}</p>
    ${nothing
      ? html`<button class="primary" onClick=${open("add")}>${t("annotate.add")}</button>`
      : html`<button class="primary" onClick=${() => M.setFilter({ show: "all", session: "" })}>${t("annotate.showAll")}</button>`}
  </div>`;
}

function Page() {
  document.title = `${M.setName.value} · Sooee`;
  document.documentElement.lang = language.value;
  if (M.needsCode.value) return html`<${Code} onTry=${M.start} />`;
  const notice = M.notice.value;
  return html`
    <a class="skip-link button" href="#panel">${t("common.skipToContent")}</a>
    <${Top} onHelp=${open("help")} onSettings=${open("settings")} onAdd=${open("add")} />
    <main class="work">
      <${View} />
      ${M.loaded.value && M.photo.value === null && html`<${Empty} />`}
      <div id="panel" tabindex="-1"><${Panel} /></div>
    </main>
    <${Strip} />
    <footer class="foot">
      <span class=${`notice ${notice?.kind ?? ""}`} aria-hidden="true">${notice?.text ?? ""}</span>
      ${dialog.value !== "add" && html`<${Transfers} />`}
      <span class="grow"></span>
      <${Trouble} />
      <${Model} />
    </footer>
    ${hovering.value && html`<div class="drop" aria-hidden="true">${t("annotate.dropHere")}</div>`}
    ${dialog.value === "help" && html`<${Help} onClose=${close} />`}
    ${dialog.value === "settings" && html`<${Settings} onClose=${close} />`}
    ${dialog.value === "add" && html`<${Add} onClose=${close} />`}`;
}

await loadLanguage();
render(html`<${Page} />`, document.getElementById("page"));
listen(open("help"));
listenToDrops();
await M.start();
