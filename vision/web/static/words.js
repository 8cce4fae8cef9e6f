// Throws, news and reasons in the words of the page's language.

import { language, t } from "/static/i18n.js";

export const POSES = [
  "dot_up",
  "dot_down",
  "razorback",
  "trotter",
  "snouter",
  "leaning_jowler",
];

// The notation that the rules' outcomes are found by.
export function notation(thrown) {
  if (thrown.mishap) return thrown.mishap;
  if (thrown.dice) return [...thrown.dice].sort().join(" ");
  if (thrown.contact !== "apart") return thrown.contact;
  return [...thrown.poses].sort((a, b) => POSES.indexOf(a) - POSES.indexOf(b)).join(" ");
}

export function outcomeOf(rules, thrown) {
  return rules.outcomes[notation(thrown)];
}

export function landingName(outcome) {
  return t(`landing.${outcome.landing}`);
}

// What lies there: "Trotter and snouter", "3 and 5"; nothing for a throw without a landing.
export function lying(thrown) {
  if (thrown.dice) return thrown.dice.join(" + ");
  if (!thrown.poses) return "";
  const [a, b] = thrown.poses.map((p) => t(`common.pose.${p}`));
  return a === b ? t("throw.both", { pose: a }) : `${a} + ${b}`;
}

// What it is worth, in a few words: "15 points", "turn lost", "throw again".
export function worth(outcome) {
  if (outcome.effect === "score") return t("throw.points", { n: outcome.points });
  return t(`effect.${outcome.effect}`);
}

// The same as a figure for buttons and scores: "+15", "0".
export function figure(outcome) {
  return outcome.effect === "score" ? `+${outcome.points}` : t(`effect.short.${outcome.effect}`);
}

export function callText(call) {
  if (call.points !== null) return t("throw.points", { n: call.points });
  const sides = call.poses.filter((p) => p.startsWith("dot_")).length;
  if (sides === 2) return t("landing.sider");
  return call.poses.map((p) => (p.startsWith("dot_") ? t("throw.aSide") : t(`common.pose.${p}`))).join(" + ");
}

// What came of a Hog Call: right or wrong, and what that moved between the two pads.
export function settledText({ right, gained, lost }, caller, thrower) {
  const how = right ? "right" : gained > 0 ? "wrong" : "nothing";
  return t(`news.settled.${how}`, { caller, thrower, n: gained, lost });
}

function thrownText(news) {
  const outcome = news.entry?.outcome;
  if (!outcome) return "";
  // A game that is over has no running turn any more.
  const last = news.over && outcome.effect === "score";
  const values = { name: landingName(outcome), player: news.player, n: news.points, turn: news.turn_points };
  return t(`news.throw.${last ? "last" : outcome.effect}`, values);
}

// What a player has as the board shows it: the pad, and the running turn beside it.
function hasText({ player, score, total }) {
  if (total === score) return t("news.has", { player, score });
  return t("news.hasTurn", { player, score, turn: total - score });
}

const PUT_RIGHT = ["corrected", "removed", "added", "bank_added"];
const THROWN = ["throw", "corrected", "added"];

// The newest change in a few short sentences; of a correction only the corrected throw and what
// the player has now.
export function newsText(news) {
  const values = { player: news.player, total: news.total, n: news.points };
  let text;
  if (news.kind === "throw") text = thrownText(news);
  else if (news.kind === "call") {
    text = t("news.call", { ...values, call: callText(news.entry.call) });
  } else if (news.kind === "undone" || news.kind === "redone") {
    text = t(`news.${news.kind}`, { what: what(news) });
  } else if (news.kind === "corrected" || news.kind === "added") {
    const outcome = news.entry?.outcome;
    text = t(`news.${news.kind}`, { ...values, name: outcome ? landingName(outcome) : "" });
  } else text = t(`news.${news.kind}`, values);
  const more = [];
  if (PUT_RIGHT.includes(news.kind)) more.push(hasText(news));
  if (THROWN.includes(news.kind) && news.entry?.settled) {
    more.push(settledText(news.entry.settled, news.caller, news.player));
  }
  if (news.winners.length === 1) more.push(t("news.wins", { player: news.winners[0] }));
  else if (news.winners.length > 1) more.push(t("news.share", { players: news.winners.join(", ") }));
  else if (news.next && (news.kind === "throw" || news.kind === "bank")) {
    more.push(t("news.next", { player: news.next }));
  }
  return [text, ...more].join(" ");
}

function what(news) {
  const outcome = news.entry?.outcome;
  if (news.what === "throw" && outcome) return `${landingName(outcome)} (${news.player})`;
  return t(`news.what.${news.what}`, { player: news.player });
}

export function reasonText(reason) {
  if (!reason) return "";
  if (reason.key === "other") return reason.text;
  const name = (reason.name ?? "").replace(/^camera\b/, t("camera.title"));
  return t(`reason.${reason.key}`, { n: reason.n ?? 0, name });
}

export function percent(share) {
  return t("common.percent", { n: Math.round(share * 100) });
}

// A figure with so many decimals, as the language writes it.
export function decimal(value, digits = 1) {
  const form = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString(language.value, form);
}

const LOCALE = { da: "da-DK", en: "en-GB" };

export function when(iso, language) {
  const date = new Date(iso);
  const locale = LOCALE[language] ?? language;
  return date.toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
}

export function clock(iso, language) {
  const locale = LOCALE[language] ?? language;
  return new Date(iso).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
}
