// Above the picture: how far the work is, what is shown, and whether everything is saved.

import { html } from "../html.js";
import { t } from "../i18n.js";
import { Icon } from "../parts/icons.js";
import * as M from "./model.js";
import { sessionName } from "./panel.js";
import { saveState, saveTrouble } from "./outbox.js";

function Progress() {
  const { reviewed, all } = M.counts.value;
  return html`<label class="progress">
    <span class="figures">${t("annotate.progress", { reviewed, all })}</span>
    <progress value=${reviewed} max=${Math.max(1, all)}></progress>
  </label>`;
}

const saving = () =>
  M.online.value ? saveState.value : saveState.value === "saved" ? "offline" : "failed";

function SaveState() {
  const state = saving();
  return html`<span class=${`save ${state}`} data-state=${state}>
    <span aria-hidden="true">${{ saved: "✓", saving: "…", failed: "!", offline: "!" }[state]}</span>
    ${t(`annotate.save.${state}`)}</span>`;
}

// In the footer, where it has room: the bar stands still while saving fails.
export function Trouble() {
  if (saving() !== "failed" || saveTrouble.value === null) return null;
  return html`<span class="trouble bad">${t("annotate.tryingAgain", { why: saveTrouble.value })}</span>`;
}

export function Model() {
  const model = M.modelStatus.value;
  if (model === null) return html`<span class="muted">${t("annotate.model.off")}</span>`;
  return html`<span class="muted" title=${model.reason || model.model} data-model=${model.state}>
    ${t(`annotate.model.${model.state}`, { n: model.left })}</span>`;
}

function Choice({ label, value, options, onPick }) {
  return html`<label class="choice"><span aria-hidden="true">${label}</span>
    <select aria-label=${label} value=${value} onChange=${(e) => { onPick(e.currentTarget.value); e.currentTarget.blur(); }}>
      ${options.map(([v, text]) => html`<option key=${v} value=${v} selected=${v === value}>${text}</option>`)}
    </select></label>`;
}

// The word is seen where there is room for it, and always heard.
function Tool({ icon, word, keys = "", onClick }) {
  return html`<button class="tool" title=${word + keys} onClick=${onClick}>
    <${Icon} name=${icon} /><span class="word">${word}</span></button>`;
}

export function Top({ onHelp, onSettings, onAdd }) {
  const f = M.filter.value;
  return html`<header class="top">
    <h1>${M.setName.value || t("annotate.title")}</h1>
    <${Progress} />
    <${Choice} label=${t("annotate.show")} value=${f.show} onPick=${(show) => M.setFilter({ show })}
      options=${M.FILTERS.map((k) => [k, t(`annotate.filter.${k}`)])} />
    <${Choice} label=${t("annotate.order")} value=${f.order} onPick=${(order) => M.setFilter({ order })}
      options=${M.ORDERS.map((k) => [k, t(`annotate.orders.${k}`)])} />
    ${M.sessions.value.length > 1 && html`<${Choice} label=${t("annotate.session")} value=${f.session}
      onPick=${(session) => M.setFilter({ session })}
      options=${[["", t("annotate.allSessions")], ...M.sessions.value.map((s) => [s, sessionName(s)])]} />`}
    <span class="grow"></span>
    <${SaveState} />
    <${Tool} icon="undo" word=${t("common.undo")} keys=" (Ctrl+Z)" onClick=${M.undo} />
    <${Tool} icon="redo" word=${t("common.redo")} keys=" (Ctrl+Shift+Z)" onClick=${M.redo} />
    <button onClick=${onAdd}>${t("annotate.add")}</button>
    <${Tool} icon="settings" word=${t("annotate.settings")} onClick=${onSettings} />
    <button onClick=${onHelp}>${t("common.help")}</button>
  </header>`;
}
