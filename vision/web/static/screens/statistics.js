// What the throws tell: the race, the landings against the published odds, luck and decisions.

import { useEffect, useState } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { game, get } from "/static/net.js";
import { Figure, colour, decisionsOf, landingsOf, luckOf, raceOf } from "/static/parts/plots.js";
import { decimal, percent } from "/static/words.js";

export default function Statistics() {
  const now = game.value;
  const [wanted, setScope] = useState("game");
  const scope = now === null ? "all" : wanted;
  const [found, setFound] = useState(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let current = true;
    get(scope === "all" ? "statistics" : `games/${now.id}/statistics`)
      .then((data) => current && setFound({ ...data, scope }))
      .catch(() => current && setFailed(true));
    return () => (current = false);
  }, [scope, now?.id, now?.seq]);
  if (failed) return html`<p class="note bad">${t("error.missing")}</p>`;
  if (found === null) return html`<p class="loading muted">${t("shell.loading")}</p>`;
  return html`<div class="stats">
    <div class="screen-head">
      <h1>${t("stats.title")}</h1>
      <div class="scope" role="group" aria-label=${t("stats.scope")}>
        ${["game", "all"].map(
          (name) => html`<button
            type="button"
            data-scope=${name}
            aria-pressed=${scope === name}
            disabled=${name === "game" && now === null}
            onClick=${() => setScope(name)}
          >
            ${t(`stats.${name}`)}
          </button>`,
        )}
      </div>
    </div>
    ${found.throws === 0
      ? html`<p class="card">${t("stats.nothing")}</p>`
      : html`<div class="stats-grid">
          ${found.scope === "game" && now !== null && html`<${Race} found=${found} game=${now} />`}
          <${Players} found=${found} dice=${found.landings.pigs === 0} />
          ${found.landings.pigs > 0 && html`<${Landings} landings=${found.landings} />`}
          ${found.scope === "game" && now !== null && html`<${Luck} found=${found} game=${now} />`}
          ${found.scope === "game" && now !== null && html`<${Decisions} game=${now} />`}
          <${Outcomes} outcomes=${found.outcomes} throws=${found.throws} />
        </div>`}
  </div>`;
}

function names(now) {
  return now.players.map((p) => p.name);
}

// Luck with its sign, as the language writes figures.
function signed(value) {
  return `${value >= 0 ? "+" : "−"}${decimal(Math.abs(value))}`;
}

function Race({ found, game: now }) {
  const players = names(now);
  const ends = now.players.map((p) => `${p.name} ${p.score}`).join(", ");
  return html`<section class="card" aria-labelledby="race">
    <h2 id="race">${t("stats.race")}</h2>
    <p class="muted">${now.rules.target === null ? t("stats.raceHow") : t("stats.raceTarget", { n: now.rules.target })}</p>
    <${Figure} height=${320} data=${found} text=${`${t("stats.race")}: ${ends}`} draw=${raceOf(players, found.race, now.rules.target)} />
  </section>`;
}

// Where no pig was thrown, what a throw costs is not called after pigs.
function Players({ found, dice }) {
  const lostAll = found.players.some((p) => p.oinkers > 0);
  const rows = [
    ["wins", (p) => `${p.wins} / ${p.games}`],
    ["throws", (p) => p.throws],
    ["turns", (p) => p.turns],
    ["average", (p) => decimal(p.average_turn)],
    ["bestTurn", (p) => p.best_turn],
    [dice ? "lostTurns" : "pigOuts", (p) => p.pig_outs],
    ...(dice && !lostAll ? [] : [[dice ? "lostAll" : "oinkers", (p) => p.oinkers]]),
    ["luck", (p) => signed(p.luck)],
  ];
  return html`<section class="card" aria-labelledby="players-stats">
    <h2 id="players-stats">${t("stats.players")}</h2>
    <div class="table-scroll" tabindex="0" role="group" aria-labelledby="players-stats">
      <table class="stat-table figures">
        <thead>
          <tr>
            <td></td>
            ${found.players.map(
              (p, seat) => html`<th scope="col"><span class="swatch" style=${`background:${colour(seat)}`}></span>${p.name}</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ([name, value]) => html`<tr>
              <th scope="row">${t(`stats.${name}`)}</th>
              ${found.players.map((p) => html`<td>${value(p)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function Landings({ landings }) {
  const [table, setTable] = useState(false);
  const text = landings.shares.map((s) => `${t(`common.pose.${s.pose}`)} ${percent(s.share)}`).join(", ");
  return html`<section class="card" aria-labelledby="landings">
    <h2 id="landings">${t("stats.landings")}</h2>
    <p class="muted">${t("stats.landingsHow", { n: landings.pigs })}</p>
    <ul class="legend">
      <li><span class="key key-dot"></span>${t("stats.yours")}</li>
      <li><span class="key key-tick"></span>${t("stats.kern")}</li>
      <li><span class="key key-dashed"></span>${t("stats.kastegris")}</li>
    </ul>
    <${Figure} height=${300} data=${landings} text=${`${t("stats.landings")}: ${text}`} draw=${landingsOf(landings.shares)} />
    ${landings.fits.map(
      (fit) => html`<p>
        ${fit.enough
          ? t(fit.p_value < 0.05 ? "stats.fitNo" : "stats.fitYes", { name: t(`stats.${fit.reference}`), p: decimal(fit.p_value, 3) })
          : t("stats.fitFew", { name: t(`stats.${fit.reference}`) })}
      </p>`,
    )}
    <button type="button" class="quiet small" aria-expanded=${table} onClick=${() => setTable(!table)}>${t("stats.asTable")}</button>
    ${table && html`<${LandingTable} landings=${landings} />`}
  </section>`;
}

function LandingTable({ landings }) {
  const share = (value) => t("common.percent", { n: Math.round(value * 1000) / 10 });
  return html`<table class="stat-table figures">
    <thead>
      <tr>
        <td></td>
        ${["count", "share", "interval", "kern", "kastegris"].map((name) => html`<th scope="col">${t(`stats.${name}`)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${landings.shares.map(
        (s) => html`<tr>
          <th scope="row">${t(`common.pose.${s.pose}`)}</th>
          <td>${s.count}</td>
          <td>${share(s.share)}</td>
          <td>${share(s.low)} – ${share(s.high)}</td>
          <td>${share(s.kern)}</td>
          <td>${share(s.kastegris)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

function Luck({ found, game: now }) {
  const ends = found.players.map((p) => `${p.name} ${signed(p.luck)}`).join(", ");
  return html`<section class="card" aria-labelledby="luck">
    <h2 id="luck">${t("stats.luck")}</h2>
    <p class="muted">${t("stats.luckHow")}</p>
    <${Figure} height=${320} data=${found} text=${`${t("stats.luck")}: ${ends}`} draw=${luckOf(names(now), found.luck)} />
  </section>`;
}

function Decisions({ game: now }) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    let current = true;
    get(`games/${now.id}/decisions`)
      .then((data) => current && setFound(data))
      .catch(() => current && setFound([]));
    return () => (current = false);
  }, [now.id, now.seq]);
  const tallies = now.players.map((_, seat) => {
    const made = (found ?? []).filter((d) => d.player === seat);
    const best = made.filter((d) => d.cost < 1e-9).length;
    const cost = made.reduce((sum, d) => sum + d.cost, 0);
    return { seat, best, others: made.length - best, cost };
  });
  const text = tallies.map((x) => `${now.players[x.seat].name}: ${x.best}/${x.best + x.others}`).join(", ");
  return html`<section class="card" aria-labelledby="decisions">
    <h2 id="decisions">${t("stats.decisions")}</h2>
    ${found === null
      ? html`<p class="muted">${t("advice.thinking")}</p>`
      : found.length === 0
        ? html`<p class="muted">${t("stats.noDecisions")}</p>`
        : html`<p class="muted">${t("stats.decisionsHow")}</p>
            <ul class="legend">
              <li><span class="key key-best"></span>${t("stats.best")}</li>
              <li><span class="key key-others"></span>${t("stats.others")}</li>
            </ul>
            <${Figure} height=${192} data=${found} text=${`${t("stats.decisions")}: ${text}`} draw=${decisionsOf(names(now), tallies)} />
            <ul class="plain-list">
              ${tallies.map(
                (x) => html`<li>${t("stats.cost", { player: now.players[x.seat].name, n: Math.round(x.cost * 1000) / 10 })}</li>`,
              )}
            </ul>`}
  </section>`;
}

function Outcomes({ outcomes, throws }) {
  const most = Math.max(...outcomes.map((o) => o.count));
  return html`<section class="card" aria-labelledby="outcomes">
    <h2 id="outcomes">${t("stats.outcomes")}</h2>
    <ul class="outcome-list figures">
      ${outcomes.map(
        (o) => html`<li>
          <span>${t(`landing.${o.landing}`)}</span>
          <span class="chance-bar" aria-hidden="true"><span style=${`width:${(o.count / most) * 100}%`}></span></span>
          <b>${o.count}</b>
          <span class="muted">${percent(o.count / throws)}</span>
        </li>`,
      )}
    </ul>
  </section>`;
}
