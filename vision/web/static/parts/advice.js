// Advice, for who wants it: throw again or bank, the chance of each, and why in one sentence.

import { useEffect, useState } from "preact/hooks";

import { html } from "/static/html.js";
import { language, t } from "/static/i18n.js";
import { game, get } from "/static/net.js";

export function Advice() {
  const now = game.value;
  const code = language.value;
  const [found, setFound] = useState(null);
  useEffect(() => {
    let wanted = true;
    get(`games/${now.id}/advice?language=${code}`)
      .then((advice) => wanted && setFound(advice))
      .catch(() => wanted && setFound(null));
    return () => (wanted = false);
  }, [now.id, now.seq, code]);
  const fresh = found !== null && found.seq === now.seq;
  return html`<aside class="advice" aria-label=${t("advice.title")} data-advice=${fresh ? (found.banks ? "bank" : "throw") : "none"}>
    <p class="advice-text">${fresh ? found.sentence : t("advice.thinking")}</p>
    ${fresh &&
    found.throw !== null &&
    found.bank !== null &&
    html`<div class="advice-bars figures" aria-hidden="true">
      <${Chance} name=${t("advice.throw")} share=${found.throw} better=${!found.banks} />
      <${Chance} name=${t("bar.bank")} share=${found.bank} better=${found.banks} />
    </div>`}
    ${fresh && found.calls_ignored && html`<p class="advice-text muted">${t("advice.noCalls")}</p>`}
  </aside>`;
}

function Chance({ name, share, better }) {
  return html`<div class=${`chance ${better ? "better" : ""}`}>
    <span>${name}</span>
    <span class="chance-bar"><span style=${`width:${share * 100}%`}></span></span>
    <b>${t("common.percent", { n: Math.round(share * 1000) / 10 })}</b>
  </div>`;
}
