// Settings: this screen's own, and, at the host, the camera, the guests and the pictures.

import { useEffect, useState } from "preact/hooks";

import { html } from "/static/html.js";
import { language, languages, setLanguage, t } from "/static/i18n.js";
import { doOnce, game, get, me, send, table } from "/static/net.js";
import { prefs, setPref } from "/static/prefs.js";
import { AreaEditor } from "/static/parts/area.js";
import { CameraPicture, SceneState } from "/static/parts/camera.js";
import { Dialog } from "/static/parts/dialog.js";
import { Icon } from "/static/parts/icons.js";

export default function Settings() {
  const host = me.value?.host;
  return html`<div class="settings">
    <h1>${t("settings.title")}</h1>
    <div class="settings-grid">
      <div class="settings-column">
        ${host && html`<${CameraSettings} />`}
        ${host && html`<${HostSettings} />`}
      </div>
      <div class="settings-column">
        <${Looks} />
        <${Ease} />
      </div>
    </div>
  </div>`;
}

function Looks() {
  const [names, setNames] = useState({});
  useEffect(() => {
    Promise.all(
      languages.value.map(async (code) => {
        const catalogue = await (await fetch(`/locales/${code}.json`)).json();
        return [code, catalogue.common.languageName];
      }),
    ).then((pairs) => setNames(Object.fromEntries(pairs)));
  }, []);
  return html`<section class="card" aria-labelledby="looks">
    <h2 id="looks">${t("settings.looks")}</h2>
    <p class="muted">${t("settings.here")}</p>
    <fieldset class="pad-row">
      <legend>${t("common.language")}</legend>
      <div class="choices">
        ${languages.value.map(
          (code) => html`<button
            type="button"
            lang=${code}
            data-language=${code}
            aria-pressed=${language.value === code}
            onClick=${() => setLanguage(code)}
          >
            ${names[code] ?? code}
          </button>`,
        )}
      </div>
    </fieldset>
    <fieldset class="pad-row">
      <legend>${t("common.theme")}</legend>
      <div class="choices">
        ${["system", "light", "dark"].map(
          (theme) => html`<button
            type="button"
            data-theme-choice=${theme}
            aria-pressed=${prefs.value.theme === theme}
            onClick=${() => setPref("theme", theme)}
          >
            ${t(`settings.theme.${theme}`)}
          </button>`,
        )}
      </div>
    </fieldset>
  </section>`;
}

export function Switch({ name, checked, onChange, title, text }) {
  return html`<label class="switch">
    <input type="checkbox" role="switch" data-switch=${name} checked=${checked} onChange=${(e) => onChange(e.target.checked)} />
    <span><b>${title}</b><small class="muted">${text}</small></span>
  </label>`;
}

function Ease() {
  const local = ["voice", "advice", "shortcuts"];
  return html`<section class="card" aria-labelledby="ease">
    <h2 id="ease">${t("settings.ease")}</h2>
    ${local.map(
      (name) => html`<${Switch}
        name=${name}
        checked=${prefs.value[name]}
        onChange=${(value) => setPref(name, value)}
        title=${t(`settings.${name}`)}
        text=${t(`settings.${name}.how`)}
      />`,
    )}
    ${prefs.value.shortcuts && html`<${Keys} />`}
  </section>`;
}

function Keys() {
  const keys = [
    ["B", "bar.bank"],
    ["H", "bar.byHand"],
    ["C", "last.correct"],
    ["U", "common.undo"],
    ["R", "common.redo"],
  ];
  return html`<dl class="keys">
    ${keys.map(([key, name]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${t(name)}</dd></div>`)}
  </dl>`;
}

function CameraSettings() {
  const { camera } = table.value;
  const [cameras, setCameras] = useState([]);
  const [address, setAddress] = useState("");
  const [phone, setPhone] = useState(null);
  const [asking, setAsking] = useState(false);
  const look = () => get("cameras").then(setCameras);
  useEffect(() => {
    look();
  }, []);
  const choose = (source) => send("camera", { source });
  const usePhone = async () => {
    const found = await send("invitation/phone-camera");
    if (found === null) return;
    setPhone(found);
    await choose("phone");
  };
  const source = camera.mode === "off" ? "off" : camera.source;
  const pick = (word, name, onClick = () => choose(word)) => html`<button
    type="button"
    key=${word}
    data-camera=${word}
    aria-pressed=${source === word}
    onClick=${onClick}
  >
    ${name}
  </button>`;
  return html`<section class="card" aria-labelledby="camera-settings">
    <div class="card-head">
      <h2 id="camera-settings">${t("camera.title")}</h2>
      <button type="button" class="quiet small" onClick=${look}><${Icon} name="reset" size=${20} />${t("settings.lookAgain")}</button>
    </div>
    ${camera.mode !== "off" && html`<${CameraPicture} camera=${camera} />`}
    <${SceneState} camera=${camera} />
    <div class="choices" role="group" aria-label=${t("settings.whichCamera")}>
      ${cameras.map((c) => pick(c.source, c.name))}
      ${pick("phone", t("settings.phone"), usePhone)}
      ${pick("demo", t("settings.demo"), playing() ? () => setAsking(true) : undefined)}
      ${pick("off", t("settings.noCamera"))}
    </div>
    ${cameras.length === 0 && html`<p class="muted">${t("settings.noneFound")}</p>`}
    ${(phone || source === "phone") && html`<${PhoneHelp} phone=${phone} />`}
    <form
      class="inline-form"
      onSubmit=${(event) => {
        event.preventDefault();
        choose(address);
      }}
    >
      <label>
        <span>${t("settings.address")}</span>
        <input type="text" inputmode="url" placeholder="rtsp://192.168.1.20/stream1" maxlength="500" required value=${address} onInput=${(e) => setAddress(e.target.value)} />
      </label>
      <button type="submit">${t("settings.use")}</button>
    </form>
    ${camera.width > 0 && html`<${Aim} camera=${camera} />`}
    ${asking && html`<${DemoDialog} onPlay=${() => choose("demo")} onClose=${() => setAsking(false)} />`}
  </section>`;
}

function playing() {
  return game.value !== null && !game.value.over;
}

// The clip's throws count like any others: whose game are they to count in?
function DemoDialog({ onPlay, onClose }) {
  const [running] = useState(game.value); // a new game changes nothing about what was asked
  const play = () => {
    onClose();
    return onPlay();
  };
  const own = async () => {
    const players = [1, 2].map((n) => t("new.playerN", { n }));
    if (await doOnce("games", { players, expected_game: running.id })) await play();
  };
  return html`<${Dialog} title=${t("settings.demoAsk")} onClose=${onClose}>
    <p>${t("settings.demoCounts", { players: running.players.map((p) => p.name).join(", ") })}</p>
    <p class="muted">${t("settings.demoKept")}</p>
    <div class="dialog-actions">
      <button type="button" data-do="demo-here" onClick=${play}>${t("settings.demoHere")}</button>
      <button type="button" class="primary" data-do="demo-own" onClick=${own}>${t("settings.demoOwn")}</button>
    </div>
  <//>`;
}

// Is the picture good enough, and which part of it is the table?
function Aim({ camera }) {
  const [hints, setHints] = useState(null);
  const [drawing, setDrawing] = useState(false);
  const check = async () => {
    try {
      setHints(await get("camera/advice"));
    } catch {
      setHints(null);
    }
  };
  return html`<div class="aim">
    <div class="choices">
      <button type="button" data-do="check" onClick=${check}>${t("aim.check")}</button>
      <button type="button" data-do="area" onClick=${() => setDrawing(true)}>${t("aim.area")}</button>
      <button type="button" data-do="reset-camera" onClick=${() => send("camera/reset")}>
        <${Icon} name="reset" size=${20} />${t("camera.reset")}
      </button>
    </div>
    <div role="status">
      ${hints !== null && hints.length === 0 && html`<p class="note good">${t("aim.good")}</p>`}
      ${(hints ?? []).map((hint) => html`<p class="note warn">${t(`aim.${hint.problem}`)}</p>`)}
    </div>
    ${drawing &&
    html`<${Dialog} title=${t("aim.area")} onClose=${() => setDrawing(false)} wide>
      <${AreaEditor} camera=${camera} onClose=${() => setDrawing(false)} />
    <//>`}
  </div>`;
}

function PhoneHelp({ phone }) {
  const [found, setFound] = useState(phone);
  useEffect(() => {
    if (phone) setFound(phone);
    else send("invitation/phone-camera").then(setFound);
  }, [phone]);
  if (!found || found.phone_camera_urls.length === 0) return null;
  return html`<div class="phone-help note">
    <img class="qr" src=${found.phone_camera_qr} alt=${t("join.qr")} width="200" height="200" />
    <div>
      <p>${t("settings.phoneHow")}</p>
      <p class="ticket-url">${found.phone_camera_urls[0]}#/phone/${found.code}</p>
      <p class="muted">${t("settings.phoneWarning")}</p>
      <details><summary>${t("settings.fingerprint")}</summary><code class="fingerprint">${found.fingerprint}</code></details>
    </div>
  </div>`;
}

function HostSettings() {
  const [now, setNow] = useState(null);
  useEffect(() => {
    get("settings").then(setNow);
  }, []);
  if (now === null) return null;
  const change = async (changes) => {
    const found = await send("settings", changes, "PATCH");
    if (found !== null) setNow(found);
  };
  return html`<section class="card" aria-labelledby="host-settings">
    <h2 id="host-settings">${t("settings.host")}</h2>
    <${Switch}
      name="guests"
      checked=${now.guests === "score"}
      onChange=${(on) => change({ guests: on ? "score" : "watch" })}
      title=${t("settings.guests")}
      text=${t("settings.guests.how")}
    />
    <${Switch}
      name="contact"
      checked=${now.contact_automatic}
      onChange=${(on) => change({ contact_automatic: on })}
      title=${t("settings.contact")}
      text=${t("settings.contact.how")}
    />
    <${Switch}
      name="bank-by-hand"
      checked=${now.bank_by_hand}
      onChange=${(on) => change({ bank_by_hand: on })}
      title=${t("settings.byHand")}
      text=${t("settings.byHand.how")}
    />
    <${Switch}
      name="pictures"
      checked=${now.keep_pictures}
      onChange=${(on) => change({ keep_pictures: on })}
      title=${t("settings.pictures")}
      text=${t("settings.pictures.how")}
    />
  </section>`;
}
