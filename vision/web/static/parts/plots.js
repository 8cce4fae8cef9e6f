// The plots of the statistics, drawn by Observable Plot, which is loaded when first needed.

import { useEffect, useRef, useState } from "preact/hooks";

import { html } from "/static/html.js";
import { t } from "/static/i18n.js";
import { nameEnds, roomFor } from "/static/parts/line_names.js";

const SCRIPTS = ["/static/vendor/d3.min.js", "/static/vendor/plot.umd.min.js"];
let loading = null;

function script(address) {
  return new Promise((resolve, reject) => {
    const tag = document.createElement("script");
    tag.src = address;
    tag.onload = resolve;
    tag.onerror = reject;
    document.head.append(tag);
  });
}

async function load() {
  for (const address of SCRIPTS) await script(address);
  return window.Plot;
}

// A figure that is drawn anew when its width or its data change. `draw(Plot, width)` gives the
// picture; `text` says in words what it shows.
export function Figure({ draw, text, data, height }) {
  const place = useRef(null);
  const [plot, setPlot] = useState(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    loading ??= load();
    loading.then(setPlot).catch(() => (loading = null));
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry.contentRect.width)));
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (plot === null || width === 0) return;
    const picture = draw(plot, width);
    // The library names its parts in English; the whole picture is named instead.
    for (const part of picture.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", text);
    place.current.replaceChildren(picture);
  }, [plot, width, data, text]);
  return html`<div class="figure" ref=${place} style=${`min-height:${height}px`}></div>`;
}

const COLOURS = 6;

export function colour(seat) {
  return `var(--player-${seat % COLOURS})`;
}

function dash(seat) {
  return seat < COLOURS ? null : "6 4";
}

const HEIGHT = 320;

const base = (width, height) => ({
  width,
  height,
  marginTop: 30,
  marginBottom: 44,
  style: { background: "transparent", fontFamily: "var(--font)", fontSize: "13px", color: "var(--ink)" },
});

// Scores after each turn, a line a player, its name at the end.
export function raceOf(players, race, target) {
  const points = players.map((_, seat) => ({ seat, turn: 0, score: 0 }));
  race.forEach((turn, i) => {
    turn.pads.forEach((score, seat) => points.push({ seat, turn: i + 1, score }));
  });
  return lines(players, points, "turn", "score", t("stats.turn"), t("stats.points"), target);
}

// Luck after each throw, in points; it stays as it was while others throw, to the last throw of all.
export function luckOf(players, luck) {
  const points = players.map((_, seat) => ({ seat, throw: 0, luck: 0 }));
  for (const { throw: n, player, luck: sum } of luck) points.push({ seat: player, throw: n, luck: sum });
  const end = luck.at(-1)?.throw ?? 0;
  for (const seat of players.keys()) {
    const last = points.filter((p) => p.seat === seat).at(-1);
    if (last.throw < end) points.push({ ...last, throw: end });
  }
  return lines(players, points, "throw", "luck", t("stats.throw"), t("stats.points"), null);
}

function lines(players, points, x, y, xLabel, yLabel, target) {
  return (Plot, width) => {
    const last = players.map((_, seat) => points.filter((p) => p.seat === seat).at(-1));
    const room = roomFor(players, width);
    const picture = Plot.plot({
      ...base(width, HEIGHT),
      marginRight: room,
      marginLeft: 44,
      x: { label: xLabel, labelAnchor: "center", labelArrow: "none", tickFormat: (d) => (Number.isInteger(d) ? String(d) : "") },
      y: { label: yLabel, labelArrow: "none", grid: true, nice: true },
      marks: [
        Plot.ruleY([0], { stroke: "var(--line-strong)" }),
        target === null ? null : Plot.ruleY([target], { stroke: "var(--accent)", strokeDasharray: "3 3" }),
        ...players.map((_, seat) =>
          Plot.line(
            points.filter((p) => p.seat === seat),
            { x, y, stroke: colour(seat), strokeWidth: 3, strokeDasharray: dash(seat), curve: y === "score" ? "step-after" : "linear" },
          ),
        ),
        ...last.map((point, seat) => Plot.dot([point], { x, y, fill: colour(seat), r: 5 })),
      ],
    });
    const scale = { x: picture.scale("x"), y: picture.scale("y") };
    const ends = last.map((p) => ({
      name: players[p.seat],
      colour: colour(p.seat),
      x: scale.x.apply(p[x]),
      y: scale.y.apply(p[y]),
    }));
    nameEnds(picture, ends, { room, top: 12, bottom: HEIGHT - 12 });
    return picture;
  };
}

// How often pigs lay how: the dot and its interval are ours, the ticks are the published tables'.
export function landingsOf(shares) {
  return (Plot, width) => {
    const rows = shares.map((s) => ({ ...s, name: t(`common.pose.${s.pose}`) }));
    return Plot.plot({
      ...base(width, 300),
      marginLeft: width < 480 ? 120 : 160,
      x: { label: t("stats.share"), labelAnchor: "center", labelArrow: "none", tickFormat: (d) => `${Math.round(d * 100)} %`, grid: true, nice: true },
      y: { label: null, domain: rows.map((r) => r.name) },
      marks: [
        Plot.ruleX([0], { stroke: "var(--line-strong)" }),
        Plot.ruleY(rows, { y: "name", x1: "low", x2: "high", stroke: "var(--accent)", strokeWidth: 7, strokeOpacity: 0.35, strokeLinecap: "round" }),
        Plot.tickX(rows, { y: "name", x: "kern", stroke: "var(--ink)", strokeWidth: 2.5, inset: 5 }),
        Plot.tickX(rows, { y: "name", x: "kastegris", stroke: "var(--ink-2)", strokeWidth: 2, strokeDasharray: "3 3", inset: 5 }),
        Plot.dot(rows, { y: "name", x: "share", fill: "var(--accent)", r: 6 }),
      ],
    });
  };
}

// Of each player's choices, how many were the best one.
export function decisionsOf(players, tallies) {
  return (Plot, width) => {
    const rows = tallies.flatMap(({ seat, best, others }) => [
      { name: players[seat], kind: t("stats.best"), n: best },
      { name: players[seat], kind: t("stats.others"), n: others },
    ]);
    return Plot.plot({
      ...base(width, 100 + 46 * players.length),
      marginLeft: 110,
      x: { label: t("stats.choices"), labelAnchor: "center", labelArrow: "none", tickFormat: (d) => (Number.isInteger(d) ? String(d) : ""), grid: true },
      y: { label: null },
      color: {
        domain: [t("stats.best"), t("stats.others")],
        range: ["var(--good)", "var(--line-strong)"],
        legend: false,
      },
      marks: [
        Plot.barX(rows, Plot.stackX({ y: "name", x: "n", fill: "kind", inset: 3 })),
        Plot.text(
          rows.filter((r) => r.n > 0),
          Plot.stackX({ y: "name", x: "n", text: (d) => String(d.n), fill: "var(--surface)", fontWeight: 800 }),
        ),
        Plot.ruleX([0], { stroke: "var(--line-strong)" }),
      ],
    });
  };
}
