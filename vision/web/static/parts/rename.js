// A player's name, which may be changed at any time.

import { useState } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { act, mayScore } from "/static/net.js";
import { Dialog } from "/static/parts/dialog.js";

export function PlayerName({ name, seat }) {
  const [open, setOpen] = useState(false);
  if (!mayScore.value) return html`<span class="player-name">${name}</span>`;
  return html`<button
      type="button"
      class="quiet player-name"
      aria-haspopup="dialog"
      data-rename=${name}
      onClick=${() => setOpen(true)}
    >
      <span>${name}</span>
    </button>
    ${open && html`<${RenameDialog} name=${name} seat=${seat} onClose=${() => setOpen(false)} />`}`;
}

function RenameDialog({ name, seat, onClose }) {
  const [text, setText] = useState(name);
  const save = async (event) => {
    event.preventDefault();
    if (text.trim() === name || (await act("rename", { player: seat, name: text }))) onClose();
  };
  return html`<${Dialog} title=${t("rename.title", { player: name })} onClose=${onClose}>
    <form class="inline-form" onSubmit=${save}>
      <label>
        <span>${t("rename.name")}</span>
        <input type="text" maxlength="40" required autocomplete="off" value=${text} onInput=${(e) => setText(e.target.value)} />
      </label>
      <button type="submit" class="primary" data-do="save-name">${t("common.save")}</button>
    </form>
  <//>`;
}
