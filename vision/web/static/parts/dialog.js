// A dialog that keeps the focus, closes by Escape, and gives the focus back.

import { useLayoutEffect, useRef } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { Icon } from "/static/parts/icons.js";

let names = 0;

export function Dialog({ title, onClose, children, wide = false, kind = "" }) {
  const box = useRef(null);
  const name = useRef(null);
  if (name.current === null) {
    names += 1;
    name.current = `dialog-${names}`;
  }
  // Before anything can be pressed: opening it later would take the focus from where it has gone.
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  const cancel = (event) => {
    event.preventDefault();
    onClose();
  };
  const onClick = (event) => {
    if (event.target === box.current) onClose(); // beside the box
  };
  return html`<dialog
    ref=${box}
    class=${`dialog ${wide ? "wide" : ""} ${kind}`}
    aria-labelledby=${name.current}
    onCancel=${cancel}
    onClick=${onClick}
  >
    <div class="dialog-inner">
      <header class="dialog-head">
        <h2 id=${name.current} tabindex="-1" autofocus>${title}</h2>
        <button class="quiet" type="button" onClick=${onClose}>
          <${Icon} name="close" /><span class="for-ears">${t("common.close")}</span>
        </button>
      </header>
      ${children}
    </div>
  </dialog>`;
}
