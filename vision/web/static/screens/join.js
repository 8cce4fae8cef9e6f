// Joining: how others come in, or, for who is not in yet, the code.

import { useEffect, useState } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { connect, get, me, send, table, whoAmI } from "/static/net.js";
import { route } from "/static/parts/shell.js";

export default function Join() {
  if (me.value && !me.value.member) return html`<${EnterCode} />`;
  return html`<${Invite} />`;
}

export async function joinWith(code) {
  const answer = await fetch("/api/join", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code }),
  });
  if (!answer.ok) return (await answer.json()).error;
  await whoAmI();
  return null;
}

function EnterCode() {
  const given = route.value[0] === "join" ? (route.value[1] ?? "") : "";
  const [code, setCode] = useState(given);
  const [wrong, setWrong] = useState(null);
  const join = async (text) => {
    const error = await joinWith(text);
    setWrong(error === null ? null : error === "slow_down" ? "error.slow_down" : "join.wrong");
    if (error !== null) return;
    location.hash = "#/";
    connect();
  };
  useEffect(() => {
    if (given) join(given);
  }, []);
  const onSubmit = (event) => {
    event.preventDefault();
    join(code);
  };
  return html`<form class="welcome" onSubmit=${onSubmit}>
    <img class="welcome-pig" src="/static/img/pose/trotter.webp" width="160" height="160" alt="" />
    <h1>${t("join.enter")}</h1>
    <label class="code-label">
      <span>${t("join.codeHow")}</span>
      <input
        class="code-input figures"
        type="text"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck=${false}
        maxlength="12"
        required
        value=${code}
        onInput=${(e) => setCode(e.target.value)}
      />
    </label>
    <p class="form-error" role="alert">${wrong ? t(wrong) : ""}</p>
    <button type="submit" class="primary big" data-do="join">${t("join.go")}</button>
  </form>`;
}

function Invite() {
  const [invitation, setInvitation] = useState(null);
  useEffect(() => {
    get("invitation").then(setInvitation);
  }, []);
  if (invitation === null) return html`<p class="loading muted">${t("shell.loading")}</p>`;
  const host = me.value?.host;
  const ask = async (path) => {
    const found = await send(`invitation/${path}`);
    if (found !== null) setInvitation(found);
  };
  return html`<div class="join">
    <h1>${t("join.title")}</h1>
    ${invitation.urls.length === 0
      ? html`<section class="card join-closed">
          <p>${t("join.closed")}</p>
          ${host
            ? html`<button type="button" class="primary big" data-do="open-door" onClick=${() => ask("open")}>${t("join.open")}</button>`
            : html`<p class="note">${t("join.askHost")}</p>`}
        </section>`
      : html`<${Ticket} invitation=${invitation} />`}
    <section class="card join-more">
      <p class="figures">${t("join.viewers", { n: table.value?.viewers ?? 0 })}</p>
      <a class="button" href="#/big">${t("join.big")}</a>
      ${host &&
      invitation.urls.length > 0 &&
      html`<button type="button" class="quiet" onClick=${() => ask("renew")}>${t("join.renew")}</button>`}
    </section>
  </div>`;
}

function Ticket({ invitation }) {
  return html`<section class="card ticket">
    <img class="qr" src=${invitation.qr} alt=${t("join.qr")} width="320" height="320" />
    <div class="ticket-words">
      <h2>${t("join.scan")}</h2>
      <p>${t("join.wifi")}</p>
      <p class="muted">${t("join.orType")}</p>
      <p class="ticket-url"><a href=${invitation.urls[0]}>${invitation.urls[0]}</a></p>
      <p class="muted">${t("join.code")}</p>
      <p class="ticket-code figures">${invitation.code}</p>
    </div>
  </section>`;
}
