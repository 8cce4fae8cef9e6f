// The page: language and line first, then the screen that the address names.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";

import { html } from "/static/html.js";
import { loadLanguage, t } from "/static/i18n.js";
import { link, me, start, table } from "/static/net.js";
import { listen } from "/static/parts/announce.js";
import { keepFocus } from "/static/parts/focus.js";
import { Shell, followRoute, route } from "/static/parts/shell.js";
import { nameWindow } from "/static/parts/title.js";
import { TableScreen } from "/static/screens/table.js";

const LATER = {
  new: () => import("/static/screens/new_game.js"),
  history: () => import("/static/screens/history.js"),
  stats: () => import("/static/screens/statistics.js"),
  games: () => import("/static/screens/games.js"),
  settings: () => import("/static/screens/settings.js"),
  join: () => import("/static/screens/join.js"),
  big: () => import("/static/screens/big.js"),
  phone: () => import("/static/screens/phone.js"),
};
const BARE = ["big", "phone"]; // without the shell around them

function Later({ name }) {
  const [screen, setScreen] = useState(null);
  useEffect(() => {
    let wanted = true;
    setScreen(null);
    LATER[name]().then((module) => wanted && setScreen(() => module.default));
    return () => (wanted = false);
  }, [name]);
  return screen === null ? html`<p class="loading muted">${t("shell.loading")}</p>` : html`<${screen} />`;
}

function App() {
  const [place] = route.value;
  if (me.value !== null && !me.value.member && place !== "phone") {
    return html`<main id="main" class="screen" tabindex="-1"><${Later} name="join" /></main>`;
  }
  if (place === "phone") return html`<${Later} name="phone" />`;
  if (table.value === null) {
    const text = link.value === "down" ? "shell.lost" : "shell.loading";
    return html`<main id="main" class="loading" tabindex="-1"><p>${t(text)}</p></main>`;
  }
  const inner = place in LATER ? html`<${Later} name=${place} />` : html`<${TableScreen} />`;
  return BARE.includes(place) ? inner : html`<${Shell}>${inner}<//>`;
}

followRoute();
const knowing = start();
await knowing;
await loadLanguage(me.value?.language ?? null);
listen();
nameWindow();
keepFocus();
render(html`<${App} />`, document.getElementById("app"));
document.documentElement.dataset.ready = "yes";
performance.mark("ready");
