// A button that keeps the focus while it cannot be used: whoever plays by keyboard stays where they
// are. A disabled one would drop the focus each time something is on its way.

import { html } from "/static/html.js";
import { busy } from "/static/net.js";

export function Action({ able = true, onClick, children, ...more }) {
  const press = () => able && !busy.peek() && onClick();
  return html`<button
    type="button"
    ...${more}
    aria-disabled=${able && !busy.value ? undefined : "true"}
    onClick=${press}
  >
    ${children}
  </button>`;
}
