// For the television: scores as large as they go, the last throw, nothing to tap.

import { useState } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { link, table } from "/static/net.js";
import { Evidence } from "/static/parts/last.js";
import { Sight } from "/static/parts/question.js";
import { landingName, newsText, settledText, worth } from "/static/words.js";

const DIGITS = 3; // room for so many, so that no score changes its size at a hundred

// Four beside each other are still read from afar.
function rows(count) {
  return Math.ceil(count / 4);
}

export default function Big() {
  const { game, question, news } = table.value;
  if (game === null) {
    return html`<main id="main" class="big-screen"><${Corner} /><p class="big-none">${t("welcome.title")}</p></main>`;
  }
  const count = game.players.length;
  const most = Math.max(...game.players.map((p) => String(p.score).length));
  const shape = `--rows:${rows(count)};--columns:${Math.ceil(count / rows(count))};--digits:${Math.max(DIGITS, most)}`;
  return html`<main id="main" class=${`big-screen ${count > 4 ? "many" : "few"}`} tabindex="-1">
    <h1 class="for-ears">${t("table.players")}</h1>
    <${Corner} />
    <ol class="big-players" style=${shape}>
      ${game.players.map((player, seat) => {
        const up = !game.over && seat === game.up;
        return html`<li class=${`big-player ${up ? "up" : ""} ${player.out ? "out" : ""} ${player.winner ? "winner" : ""}`}>
          <p class="big-name">${player.name}</p>
          <p class="big-score figures" data-score>${player.score}</p>
          <p class="big-turn figures">
            ${up ? (game.turn_points > 0 ? `+${game.turn_points}` : t("table.up")) : ""}
            ${player.out ? t("table.out") : ""}${player.winner ? t("table.winner") : ""}
          </p>
        </li>`;
      })}
    </ol>
    <section class="big-last">
      ${question
        ? html`<${Sight} question=${question} /><p class="big-news">${t(`question.${question.kind}`)}</p>`
        : html`${game.last && html`<${Evidence} entry=${game.last} size=${160} />
              <p class="big-throw">
                <b>${landingName(game.last.outcome)}</b>
                <span class=${`big-worth ${game.last.outcome.effect}`}>${worth(game.last.outcome)}</span>
              </p>`}
            <p class="big-news">${bigNews(news)}</p>`}
      ${link.value === "down" && html`<p class="note bad">${t("shell.lost")}</p>`}
    </section>
  </main>`;
}

// A throw stands there already, large; beside it only what it did to a call.
function bigNews(news) {
  if (news === null || ["started", "opened"].includes(news.kind)) return "";
  if (news.kind !== "throw") return newsText(news);
  return news.entry?.settled ? settledText(news.entry.settled, news.caller, news.player) : "";
}

function Corner() {
  const [full, setFull] = useState(Boolean(document.fullscreenElement));
  const toggle = async () => {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await document.documentElement.requestFullscreen();
    setFull(Boolean(document.fullscreenElement));
  };
  return html`<div class="big-corner">
    <button type="button" class="quiet" onClick=${toggle}>${full ? t("big.window") : t("big.full")}</button>
    <a class="button quiet" href="#/">${t("big.back")}</a>
  </div>`;
}
