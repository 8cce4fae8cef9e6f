// The games of the past: look, take one back to the table, take a score sheet home.

import { useEffect, useState } from "preact/hooks";

import { html } from "/static/html.js";
import { language, t } from "/static/i18n.js";
import { doOnce, game, get, mayScore } from "/static/net.js";
import { Icon } from "/static/parts/icons.js";
import { when } from "/static/words.js";

const PAGE = 20;

export default function Games() {
  const [games, setGames] = useState(null);
  const [more, setMore] = useState(false);
  const load = async (offset) => {
    const found = await get(`games?limit=${PAGE + 1}&offset=${offset}`);
    setMore(found.length > PAGE);
    setGames((old) => [...(offset ? old : []), ...found.slice(0, PAGE)]);
  };
  useEffect(() => {
    load(0).catch(() => setGames([]));
  }, [game.value?.id, game.value?.over]);
  if (games === null) return html`<p class="loading muted">${t("shell.loading")}</p>`;
  return html`<div class="games">
    <div class="screen-head">
      <h1>${t("games.title")}</h1>
      ${mayScore.value && html`<a class="button primary" href="#/new" data-do="new"><${Icon} name="plus" />${t("welcome.new")}</a>`}
    </div>
    ${games.length === 0 && html`<p class="muted">${t("games.none")}</p>`}
    <ul class="game-list">
      ${games.map((found) => html`<${Game} key=${found.id} found=${found} />`)}
    </ul>
    ${more && html`<button type="button" onClick=${() => load(games.length)}>${t("games.more")}</button>`}
  </div>`;
}

function Game({ found }) {
  const here = game.value?.id === found.id;
  const title = found.title[language.value] ?? found.title.en;
  const open = async () => {
    const body = { expected_game: game.value?.id ?? null };
    if (await doOnce(`games/${found.id}/open`, body)) location.hash = "#/";
  };
  const players = [...found.players].sort((a, b) => b.score - a.score);
  return html`<li class=${`card game ${here ? "here" : ""}`} data-game=${found.id}>
    <div class="game-head">
      <h2>${when(found.started, language.value)}</h2>
      ${here && html`<span class="chip">${t("games.here")}</span>`}
      ${!here && !found.over && html`<span class="chip plain">${t("games.open")}</span>`}
    </div>
    <p class="muted">
      ${found.target === null ? t("shell.endless", { title }) : t("shell.target", { title, target: found.target })}
      ${" · "}${t("games.throws", { n: found.throws })}
    </p>
    <ol class="game-players">
      ${players.map(
        (p) => html`<li>
          <span>${p.name}${p.winner && html` <span class="leads"><${Icon} name="crown" size=${18} /><span class="for-ears">${t("table.winner")}</span></span>`}</span>
          <b class="figures">${p.score}</b>
        </li>`,
      )}
    </ol>
    <div class="game-actions">
      ${!here &&
      mayScore.value &&
      html`<button type="button" data-do="open" onClick=${open}>${t(found.over ? "games.look" : "games.goOn")}</button>`}
      <a class="button" href=${`/api/games/${found.id}/sheet?language=${language.value}`} target="_blank" rel="noopener">${t("games.sheet")}</a>
      <a class="button" href=${`/api/games/${found.id}/export.csv`} download>CSV</a>
      <a class="button" href=${`/api/games/${found.id}/export.json`} download>JSON</a>
    </div>
  </li>`;
}
