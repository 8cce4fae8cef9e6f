// What is around every screen: the name of the game, the way to the others, the line's state.

import { signal } from "@preact/signals";

import { html } from "/static/html.js";
import { language, t } from "/static/i18n.js";
import { game, link, table } from "/static/net.js";
import { Note } from "/static/parts/announce.js";
import { Brand, Icon } from "/static/parts/icons.js";
import { Question } from "/static/parts/question.js";

export const route = signal([""]);

const PLACES = [
  ["", "table"],
  ["history", "history"],
  ["stats", "stats"],
  ["games", "games"],
  ["settings", "settings"],
  ["join", "phone"],
];

function readRoute() {
  route.value = location.hash.replace(/^#\/?/, "").split("/");
}

export function followRoute() {
  readRoute();
  addEventListener("hashchange", () => {
    readRoute();
    document.querySelector("main")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  });
}

export function Shell({ children }) {
  const here = route.value[0];
  return html`<a class="skip-link button" href="#main" onClick=${skip}>${t("common.skipToContent")}</a>
    <header class="top">
      <a class="brand" href="#/" aria-label=${t("shell.home")}><${Brand} /><span class="brand-name">Sooee</span></a>
      <p class="top-game">${gameTitle()}</p>
      <nav class="nav" aria-label=${t("shell.nav")}>
        ${PLACES.map(
          ([place, icon]) => html`<a
            key=${place}
            href=${`#/${place}`}
            class="nav-link"
            aria-current=${here === place ? "page" : undefined}
          >
            <${Icon} name=${icon} /><span>${t(`nav.${place || "table"}`)}</span>
          </a>`,
        )}
      </nav>
    </header>
    <${Line} />
    <main id="main" tabindex="-1" class=${`screen screen-${here || "table"}`}>${children}</main>
    <${Question} />
    <${Note} />`;
}

function skip(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

function gameTitle() {
  const now = game.value;
  if (now === null) return "";
  const title = now.rules.title[language.value] ?? now.rules.title.en;
  return now.rules.target === null
    ? t("shell.endless", { title })
    : t("shell.target", { title, target: now.rules.target });
}

// A lost line is said where everybody sees it; so is a disk that takes nothing more.
function Line() {
  const trouble = table.value?.trouble ?? null;
  const lost = link.value === "down";
  if (!lost && trouble === null) return null;
  return html`<p class="line note bad" role="alert">
    ${lost ? t("shell.lost") : html`${t("shell.trouble")} <span lang="en">${trouble}</span>`}
  </p>`;
}
