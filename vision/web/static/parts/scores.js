// Who has how much: the running turn, and a card a player.

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { Icon } from "/static/parts/icons.js";
import { ThrowPicture } from "/static/parts/pigs.js";
import { PlayerName } from "/static/parts/rename.js";
import { callText, figure, landingName } from "/static/words.js";

// The running turn: who throws, the turn's points as large as can be, what banking would give.
export function Turn({ game, children }) {
  const player = game.players[game.up];
  const left = game.rules.target === null ? null : game.rules.target - player.total;
  return html`<section class="turn card" aria-labelledby="turn-name">
    <div class="turn-who">
      <p class="turn-label">${t("table.throws")}</p>
      <h1 id="turn-name" class="turn-name">${player.name}</h1>
    </div>
    <div class="turn-points">
      <span class="turn-figure figures" data-turn-points>${game.turn_points}</span>
      <span class="turn-label">${t("table.thisTurn")}</span>
    </div>
    <div class="turn-more">
      <p class="turn-line">
        ${left !== null && left > 0 ? t("table.toGo", { n: left }) : ""}
        ${left === null ? t("table.endless") : ""}
      </p>
      <ol class="turn-throws" aria-label=${t("table.throwsOfTurn")}>
        ${game.throws.map(
          (entry) => html`<li key=${entry.id} title=${landingName(entry.outcome)}>
            <${ThrowPicture} thrown=${entry.throw} size=${36} />
            <b class="figures">${figure(entry.outcome)}</b>
          </li>`,
        )}
      </ol>
      ${game.call &&
      html`<p class="note turn-call">
        <${Icon} name="megaphone" />
        ${t("table.called", {
          player: game.players[game.call.caller].name,
          call: callText(game.call),
        })}
      </p>`}
    </div>
    ${children}
  </section>`;
}

export function Players({ game }) {
  const best = Math.max(...game.players.map((p) => (p.out ? -1 : p.score)));
  return html`<ol class=${`players many-${sizeClass(game.players.length)}`} aria-label=${t("table.players")}>
    ${game.players.map(
      (player, seat) => html`<${PlayerCard}
        key=${seat}
        player=${player}
        seat=${seat}
        up=${!game.over && seat === game.up}
        leads=${best > 0 && player.score === best && !player.out}
        target=${game.rules.target}
        turnPoints=${seat === game.up && !game.over ? game.turn_points : 0}
      />`,
    )}
  </ol>`;
}

function sizeClass(count) {
  if (count <= 2) return "2";
  if (count <= 4) return "4";
  return count <= 6 ? "6" : "12";
}

function PlayerCard({ player, seat, up, leads, target, turnPoints }) {
  const share = target === null ? 0 : Math.min(1, player.score / target);
  const more = target === null ? 0 : Math.min(1 - share, turnPoints / target);
  const kind = [up && "up", player.out && "out", player.winner && "winner"].filter(Boolean).join(" ");
  return html`<li class=${`player ${kind}`} data-player=${player.name}>
    <div class="player-head">
      <${PlayerName} name=${player.name} seat=${seat} />
      <span class="player-mark">
        ${up && html`<span class="chip">${t("table.up")}</span>`}
        ${player.out && html`<span class="chip bad">${t("table.out")}</span>`}
        ${player.winner && html`<span class="chip good">${t("table.winner")}</span>`}
        ${!up &&
        !player.winner &&
        leads &&
        html`<span class="leads"><${Icon} name="crown" size=${20} /><span class="for-ears">${t("table.leads")}</span></span>`}
      </span>
    </div>
    <div class="player-score figures">
      <span data-score>${player.score}</span>
      <span class="player-plus" aria-hidden=${turnPoints === 0}>
        ${turnPoints > 0 ? `+${turnPoints}` : ""}
      </span>
    </div>
    ${target !== null &&
    html`<div class="progress" aria-hidden="true">
      <span class="progress-pad" style=${`width:${share * 100}%`}></span>
      <span class="progress-turn" style=${`width:${more * 100}%`}></span>
    </div>`}
  </li>`;
}

// The end: who won, and the way on.
export function Ending({ game, children }) {
  const names = game.winners.map((seat) => game.players[seat].name);
  let title = t("end.nobody");
  if (names.length === 1) title = t("end.wins", { player: names[0] });
  else if (names.length > 1) title = t("end.share", { players: names.join(", ") });
  return html`<section class="ending card" aria-labelledby="ending-title">
    <p class="turn-label">${t("end.over")}</p>
    <h1 id="ending-title">${title}</h1>
    <p class="ending-why">${t(`end.${game.ending}`)}</p>
    ${children}
  </section>`;
}
