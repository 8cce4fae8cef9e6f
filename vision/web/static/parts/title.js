// The window's title: which screen this is, in the page's language.

import { effect } from "@preact/signals";

import { t } from "/static/i18n.js";
import { me } from "/static/net.js";
import { route } from "/static/parts/shell.js";

const TITLES = {
  new: "new.title",
  history: "history.title",
  stats: "stats.title",
  games: "games.title",
  settings: "settings.title",
  join: "join.title",
  big: "big.title",
  phone: "phone.title",
};

export function nameWindow() {
  effect(() => {
    const [place] = route.value;
    const outside = me.value?.member === false && place !== "phone";
    const key = outside ? "join.enter" : (TITLES[place] ?? "nav.table");
    document.title = `${t(key)} · Sooee`;
  });
}
