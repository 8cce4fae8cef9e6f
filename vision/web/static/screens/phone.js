// This phone as the camera: its pictures go to the host, one after another.

import { useEffect, useRef, useState } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { me } from "/static/net.js";
import { route } from "/static/parts/shell.js";
import { joinWith } from "/static/screens/join.js";

const WIDTH = 1280;
const QUALITY = 0.85;
const EVERY_MS = 66;

export default function Phone() {
  const video = useRef(null);
  const [state, setState] = useState("ready"); // ready, asking, sending, refused, insecure, lost, taken
  const [sent, setSent] = useState(0);
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);
  const start = async () => {
    setState("asking");
    if (me.value && !me.value.member && (await joinWith(route.value[1] ?? "")) !== null) {
      setState("code");
      return;
    }
    if (!navigator.mediaDevices?.getUserMedia) {
      setState("insecure");
      return;
    }
    try {
      const stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1080 } },
      });
      video.current.srcObject = stream;
      await video.current.play();
      stop.current = stream_(video.current, stream, setState, setSent);
    } catch {
      setState("refused");
    }
  };
  const on = state === "sending";
  return html`<main id="main" class="phone" tabindex="-1">
    <h1>${t("phone.title")}</h1>
    <p class="phone-state" role="status" data-phone=${state}>${t(`phone.${state}`)}</p>
    <video ref=${video} class=${on ? "" : "away"} muted playsinline aria-label=${t("phone.preview")}></video>
    ${!on && html`<button type="button" class="primary big" data-do="send" onClick=${start}>${t("phone.start")}</button>`}
    ${on &&
    html`<p class="muted figures">${t("phone.sent", { n: sent })}</p>
      <button type="button" data-do="stop-sending" onClick=${() => stop.current()}>${t("phone.stop")}</button>`}
    <p class="muted">${t("phone.how")}</p>
  </main>`;
}

// Sends the newest picture each time the host has taken the one before; returns what ends it.
function stream_(video, stream, setState, setSent) {
  const canvas = document.createElement("canvas");
  const socket = new WebSocket(`wss://${location.host}/ws/phone`.replace(/^wss/, location.protocol === "https:" ? "wss" : "ws"));
  let count = 0;
  let lock = null;
  const send = () => {
    if (socket.readyState !== WebSocket.OPEN) return;
    const scale = Math.min(1, WIDTH / Math.max(video.videoWidth, video.videoHeight));
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && socket.readyState === WebSocket.OPEN && socket.send(blob), "image/jpeg", QUALITY);
  };
  const end = (state) => {
    for (const track of stream.getTracks()) track.stop();
    lock?.release?.();
    socket.onclose = null;
    socket.close();
    setState(state);
  };
  socket.onopen = async () => {
    setState("sending");
    send();
    lock = await navigator.wakeLock?.request("screen").catch(() => null); // a dark phone sends nothing
  };
  socket.onmessage = () => {
    count += 1;
    setSent(count);
    setTimeout(send, EVERY_MS);
  };
  socket.onclose = (event) => end(event.code === 1008 ? "taken" : "lost");
  return () => end("ready");
}
