// What the camera sees: the newest picture, with boxes drawn from data, and the table's state.

import { useEffect, useRef, useState } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { act, busy, game, mayScore, send, table } from "/static/net.js";
import { prefs, setPref } from "/static/prefs.js";
import { Icon } from "/static/parts/icons.js";
import { percent, reasonText } from "/static/words.js";

const MISSING = ["one_missing", "off_table"];

// Pictures come one at a time, each after the last was drawn: a slow viewer only gets fewer.
export function usePictures(canvas, on) {
  const [live, setLive] = useState(false);
  useEffect(() => {
    if (!on) return undefined;
    let socket = null;
    let timer = null;
    let ended = false;
    const open = () => {
      const scheme = location.protocol === "https:" ? "wss" : "ws";
      socket = new WebSocket(`${scheme}://${location.host}/ws/camera`);
      socket.binaryType = "blob";
      socket.onmessage = async (event) => {
        const mine = event.target;
        try {
          const picture = await createImageBitmap(event.data);
          const box = canvas.current;
          if (box !== null) {
            if (box.width !== picture.width || box.height !== picture.height) {
              box.width = picture.width;
              box.height = picture.height;
            }
            box.getContext("2d").drawImage(picture, 0, 0);
            box.dataset.frames = Number(box.dataset.frames ?? 0) + 1;
            setLive(true);
          }
          picture.close();
        } finally {
          if (mine.readyState === WebSocket.OPEN) mine.send("taken");
        }
      };
      socket.onclose = () => {
        if (!ended) timer = setTimeout(open, 1500);
      };
    };
    const show = () => {
      clearTimeout(timer);
      if (document.visibilityState === "hidden") socket?.close();
      else if (socket === null || socket.readyState > WebSocket.OPEN) open();
    };
    open();
    document.addEventListener("visibilitychange", show);
    return () => {
      ended = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", show);
      socket?.close();
      setLive(false);
    };
  }, [on]);
  return live;
}

export function CameraPicture({ camera, on = true }) {
  const canvas = useRef(null);
  // Without a size the camera is only starting: what is drawn is another camera's last picture.
  const live = usePictures(canvas, on) && camera.width > 0;
  const shape = camera.width ? `${camera.width} / ${camera.height}` : "16 / 9";
  return html`<div class="picture" style=${`aspect-ratio:${shape}`}>
    <canvas ref=${canvas} width="16" height="9" aria-label=${t("camera.picture")} role="img"></canvas>
    ${live && html`<${Boxes} camera=${camera} />`}
    ${camera.hand_left_s !== null && html`<${HandCount} left=${camera.hand_left_s} />`}
    ${!live && html`<p class="picture-none">${modeText(camera)}</p>`}
  </div>`;
}

// An open hand banks the turn: how long it must still be held.
function HandCount({ left }) {
  return html`<p class="hand-count">
    <b class="figures">${Math.ceil(left)}</b>
    <span>${t("camera.handBanks")}</span>
  </p>`;
}

function Boxes({ camera }) {
  const touching = camera.contact && camera.contact.state !== "apart";
  return html`<div class="boxes" aria-hidden="true">
    ${camera.area.length > 0 &&
    html`<svg class="area-shape" viewBox="0 0 100 100" preserveAspectRatio="none">
      <polygon points=${camera.area.map(([x, y]) => `${x * 100},${y * 100}`).join(" ")} />
    </svg>`}
    ${camera.pigs.map(({ box: [x0, y0, x1, y1], pose, probability }) => {
      const place = `left:${x0 * 100}%;top:${y0 * 100}%;width:${(x1 - x0) * 100}%;height:${(y1 - y0) * 100}%`;
      const sides = `${y0 < 0.12 ? "low" : ""} ${x0 + x1 > 1.2 ? "leftward" : ""}`;
      return html`<div class=${`box ${touching ? "touching" : ""} ${sides}`} style=${place}>
        <span class="box-label">${t(`common.pose.${pose}`)} <b>${percent(probability)}</b></span>
      </div>`;
    })}
  </div>`;
}

export function modeText(camera) {
  return t(`camera.mode.${camera.mode}`);
}

// The state of the table in words, with its own colour and sign.
export function SceneState({ camera }) {
  const shown = camera.state ?? null;
  const reason = camera.reason ? reasonText(camera.reason) : "";
  const text = shown === null ? modeText(camera) : t(`state.${shown}`);
  const kind = shown ?? camera.mode;
  return html`<p class=${`scene scene-${kind}`} data-state=${kind}>
    <span class="scene-dot" aria-hidden="true"></span>
    <span class="scene-text">
      <b>${text}</b>
      ${reason && html`<span class="scene-reason" lang=${camera.reason.key === "other" ? "en" : undefined}>${reason}</span>`}
    </span>
  </p>`;
}

export function CameraCard() {
  const { camera, idle } = table.value;
  const shown = prefs.value.picture;
  const toggle = () => setPref("picture", !shown);
  return html`<section class="camera card" aria-labelledby="camera-title">
    <div class="card-head">
      <h2 id="camera-title" class="card-title">${t("camera.title")}</h2>
      <button
        type="button"
        class="quiet small"
        aria-expanded=${shown}
        data-do="picture"
        onClick=${toggle}
      >
        ${shown ? t("camera.hide") : t("camera.show")}
      </button>
    </div>
    ${shown && html`<${CameraPicture} camera=${camera} />`}
    <${SceneState} camera=${camera} />
    ${camera.source === "demo" && html`<p class="muted">${t("camera.demo")}</p>`}
    ${idle && html`<p class="note warn">${t(`idle.${idle}`)}</p>`}
    <${CameraHelp} camera=${camera} />
  </section>`;
}

function CameraHelp({ camera }) {
  if (!mayScore.value) return null;
  if (camera.mode === "ended") {
    return html`<div class="camera-help">
      <button type="button" data-do="again" onClick=${() => send("camera/again")}>
        <${Icon} name="reset" />${t("camera.again")}
      </button>
      <a class="button" href="#/settings">${t("camera.choose")}</a>
      <a class="button" href="#/new">${t("welcome.new")}</a>
    </div>`;
  }
  if (camera.mode === "failed") {
    return html`<a class="button" href="#/settings">${t("camera.choose")}</a>`;
  }
  if (camera.mode !== "live" && camera.mode !== "clip") return null;
  // A question is about an earlier throw: a tap here would not be its answer.
  const asked = table.value.question !== null;
  const missing = MISSING.includes(camera.reason?.key) && game.value && !game.value.over;
  return html`<div class="camera-help">
    ${missing &&
    html`<button
      type="button"
      data-do="off-table"
      disabled=${asked || busy.value}
      onClick=${() => act("throws", { throw: { mishap: "off_table" }, question: null })}
    >
      ${t("camera.offTable")}
    </button>`}
    <button type="button" class="quiet small" data-do="reset-camera" onClick=${() => send("camera/reset")}>
      <${Icon} name="reset" size=${20} />${t("camera.reset")}
    </button>
  </div>`;
}
