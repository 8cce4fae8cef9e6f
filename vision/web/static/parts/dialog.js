// A dialog that keeps the focus, closes by Escape, and gives the focus back.

import { useLayoutEffect, useRef } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { Note } from "/static/parts/announce.js";
import { Icon } from "/static/parts/icons.js";
import { openPlace } from "/static/parts/said.js";

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
    const closePlace = openPlace(name.current);
    return () => {
      dialog.close();
      closePlace();
    };
  }, []);
  const cancel = (event) => {
    event.preventDefault();
    onClose();
  };
  // A press beside the box closes it; one that began inside, as when text is chosen, does not.
  const beside = useRef(false);
  const onPointerDown = (event) => (beside.current = event.target === box.current);
  const onClick = (event) => {
    if (beside.current && event.target === box.current) onClose();
  };
  return html`<dialog
    ref=${box}
    class=${`dialog ${wide ? "wide" : ""} ${kind}`}
    aria-labelledby=${name.current}
    onCancel=${cancel}
    onPointerDown=${onPointerDown}
    onClick=${onClick}
  >
    <${Note} dialog=${name.current} />
    <div id=${`${name.current}-live`} class="for-ears" aria-live="polite" aria-atomic="true"></div>
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
