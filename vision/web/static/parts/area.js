// The throwing area: four corners on the live picture, moved by finger, mouse or arrow keys.

import { useRef, useState } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { send } from "/static/net.js";
import { CameraPicture } from "/static/parts/camera.js";

const WHOLE = [
  [0.1, 0.1],
  [0.9, 0.1],
  [0.9, 0.9],
  [0.1, 0.9],
];
const STEP = 0.01;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const clamp = (share) => Math.min(1, Math.max(0, share));

export function AreaEditor({ camera, onClose }) {
  const [corners, setCorners] = useState(camera.area.length === 4 ? camera.area : WHOLE);
  const frame = useRef(null);
  const move = (at, where) =>
    setCorners((now) => now.map((c, i) => (i === at ? where(c).map(clamp) : c)));
  const drag = (at) => (event) => {
    if (event.buttons === 0) return;
    const box = frame.current.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    move(at, () => [x / box.width, y / box.height]);
  };
  const press = (at) => (event) => {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    move(at, ([x, y]) => [x + step[0] * STEP, y + step[1] * STEP]);
  };
  const save = async (wished) => {
    if ((await send("camera/area", { corners: wished }, "PUT")) !== null) onClose();
  };
  const points = corners.map(([x, y]) => `${x * 100},${y * 100}`).join(" ");
  return html`<div class="area">
    <p class="muted">${t("area.how")}</p>
    <div class="area-frame" ref=${frame}>
      <${CameraPicture} camera=${camera} />
      <svg class="area-shape" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <polygon points=${points} />
      </svg>
      ${corners.map(
        ([x, y], i) => html`<button
          type="button"
          key=${i}
          class="area-corner"
          data-corner=${i}
          style=${`left:${x * 100}%;top:${y * 100}%`}
          onPointerDown=${(e) => e.target.setPointerCapture(e.pointerId)}
          onPointerMove=${drag(i)}
          onKeyDown=${press(i)}
        >
          <span class="for-ears">${t("area.corner", { n: i + 1 })}</span>
        </button>`,
      )}
    </div>
    <div class="dialog-actions">
      <button type="button" onClick=${onClose}>${t("common.cancel")}</button>
      ${camera.area.length > 0 && html`<button type="button" data-do="no-area" onClick=${() => save(null)}>${t("area.none")}</button>`}
      <button type="button" class="primary" data-do="save-area" onClick=${() => save(corners)}>${t("common.save")}</button>
    </div>
  </div>`;
}
