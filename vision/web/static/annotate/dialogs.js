// Help, settings, and the code that other machines need.

import { useLayoutEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../html.js";
import { language, languages, setLanguage, t } from "../i18n.js";
import { api } from "./api.js";
import { KEYS, MORE_HELP } from "./keys.js";
import { shortcuts, theme, who } from "./settings.js";

export function Dialog({ title, onClose, children }) {
  const box = useRef(null);
  useLayoutEffect(() => {
    box.current.showModal();
  }, []);
  return html`<dialog ref=${box} onClose=${onClose} aria-labelledby="dialog-title">
    <form method="dialog">
      <header><h2 id="dialog-title">${title}</h2><button>${t("common.close")}</button></header>
    </form>
    ${children}
  </dialog>`;
}

const shown = (key) => (key.length === 1 ? key.toUpperCase() : key);

export function Help({ onClose }) {
  return html`<${Dialog} title=${t("common.help")} onClose=${onClose}>
    <p>${t("annotate.helpIntro")}</p>
    <table class="keys"><tbody>
      ${[...KEYS, ...MORE_HELP].map(
        ({ name, keys }) => html`<tr key=${name}><th scope="row">${t(`annotate.key.${name}`)}</th>
          <td>${keys.map((k) => html`<kbd key=${k}>${shown(k)}</kbd> `)}</td></tr>`,
      )}
    </tbody></table>
  <//>`;
}

export function Settings({ onClose }) {
  return html`<${Dialog} title=${t("annotate.settings")} onClose=${onClose}>
    <div class="form">
      <label><span>${t("annotate.who")}</span>
        <input value=${who.value} maxlength="80" autocomplete="nickname" onInput=${(e) => (who.value = e.currentTarget.value)} />
        <small class="muted">${t("annotate.whoWhy")}</small></label>
      <label><span>${t("common.language")}</span>
        <select onChange=${(e) => setLanguage(e.currentTarget.value)}>
          ${languages.value.map((code) => html`<option key=${code} value=${code} selected=${code === language.value}>
            ${new Intl.DisplayNames([code], { type: "language" }).of(code)}</option>`)}
        </select></label>
      <label><span>${t("common.theme")}</span>
        <select onChange=${(e) => (theme.value = e.currentTarget.value)}>
          ${[["system", "themeSystem"], ["light", "themeLight"], ["dark", "themeDark"]].map(
            ([v, k]) => html`<option key=${v} value=${v} selected=${v === theme.value}>${t(`common.${k}`)}</option>`,
          )}
        </select></label>
      <label class="check"><input type="checkbox" checked=${shortcuts.value} onChange=${(e) => (shortcuts.value = e.currentTarget.checked)} />
        <span>${t("annotate.shortcuts")}</span></label>
    </div>
  <//>`;
}

export function Code({ onTry }) {
  const code = useSignal("");
  const send = async (event) => {
    event.preventDefault();
    await api.join(code.value.trim());
    onTry();
  };
  return html`<main class="code card"><form onSubmit=${send}>
    <h1>${t("annotate.title")}</h1>
    <label><span>${t("annotate.code")}</span>
      <input value=${code.value} autofocus onInput=${(e) => (code.value = e.currentTarget.value)} /></label>
    <button class="primary">${t("annotate.enter")}</button>
  </form></main>`;
}
