// A new game: who plays, which game, to how many; everything else has a good default.

import { useEffect, useRef, useState } from "preact/hooks";

import { html } from "/static/html.js";
import { language, t } from "/static/i18n.js";
import { doOnce, game, get, mayScore } from "/static/net.js";
import { useFoot } from "/static/parts/foot.js";
import { Icon } from "/static/parts/icons.js";

const MOST = 12;
const KEPT = "sooee.players";
const CHOICES = {
  game_end: ["on_reach", "on_bank", "finish_round"],
  piggyback: ["eliminate", "oinker", "rethrow"],
  off_table: ["rethrow", "pig_out", "oinker"],
  leaning: ["rethrow", "pig_out", "oinker"],
  hog_call: ["off", "seed", "official"],
};

function names() {
  const now = game.value;
  if (now) return now.players.map((p) => p.name);
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    if (Array.isArray(kept) && kept.length > 0) return kept.map(String).slice(0, MOST);
  } catch {
    // nothing kept
  }
  return ["", ""];
}

function keep(players) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(players));
  } catch {
    // storage switched off
  }
}

export default function NewGame() {
  const [variants, setVariants] = useState(null);
  const [chosen, setChosen] = useState("classic");
  const [players, setPlayers] = useState(names);
  const [target, setTarget] = useState({ kind: "100", other: "" });
  const [options, setOptions] = useState({});
  const [tried, setTried] = useState(false);
  useEffect(() => {
    get("variants").then(setVariants);
  }, []);
  if (!mayScore.value) return html`<p class="note">${t("welcome.wait")}</p>`;
  if (variants === null) return html`<p class="loading muted">${t("shell.loading")}</p>`;
  const variant = variants.find((v) => v.rules.variant === chosen) ?? variants[0];
  const given = players.map((p, i) => p.trim() || t("new.playerN", { n: i + 1 }));
  const wrong = check(given, target);

  const start = async (event) => {
    event.preventDefault();
    setTried(true);
    if (wrong !== null) return;
    const goal =
      target.kind === "endless"
        ? { endless: true }
        : { target: Number(target.kind === "other" ? target.other : target.kind) };
    const body = {
      variant: variant.rules.variant,
      players: given,
      options: { ...options, ...goal },
      expected_game: game.value?.id ?? null,
    };
    if (await doOnce("games", body)) {
      keep(given);
      location.hash = "#/";
    }
  };

  return html`<form class="new" onSubmit=${start} novalidate>
    <h1>${t("new.title")}</h1>
    <div class="new-columns">
      <${PlayerList} players=${players} setPlayers=${setPlayers} />
      <div class="new-rules">
        <${Variants} variants=${variants} chosen=${variant} setChosen=${(name) => {
          setChosen(name);
          setOptions({});
        }} />
        <${Target} variant=${variant} target=${target} setTarget=${setTarget} />
      </div>
    </div>
    <${Options} rules=${variant.rules} options=${options} setOptions=${setOptions} />
    <${Start} wrong=${tried ? wrong : null} />
  </form>`;
}

// What is wrong is said from the first try on, and only as long as it is.
function Start({ wrong }) {
  const box = useRef(null);
  useFoot(box);
  return html`<div ref=${box} class="new-start">
    ${game.value && !game.value.over && html`<p class="muted">${t("new.keeps")}</p>`}
    <p class="form-error" role="alert">${wrong ? t(wrong) : ""}</p>
    <button type="submit" class="primary big" data-do="start">${t("new.start")}</button>
  </div>`;
}

function check(players, target) {
  const folded = players.map((p) => p.toLocaleLowerCase());
  if (new Set(folded).size < folded.length) return "new.sameNames";
  if (target.kind !== "other") return null;
  return /^[1-9]\d{0,5}$/.test(target.other) ? null : "new.badTarget";
}

function PlayerList({ players, setPlayers }) {
  const change = (at, name) => setPlayers(players.map((p, i) => (i === at ? name : p)));
  const move = (at, by) => {
    const next = [...players];
    [next[at], next[at + by]] = [next[at + by], next[at]];
    setPlayers(next);
  };
  return html`<fieldset class="card new-players">
    <legend class="new-legend">${t("new.players")}</legend>
    <p class="muted">${t("new.playersHow")}</p>
    <ol>
      ${players.map(
        (name, i) => html`<li key=${i}>
          <input
            type="text"
            maxlength="40"
            autocomplete="off"
            aria-label=${t("new.playerN", { n: i + 1 })}
            placeholder=${t("new.playerN", { n: i + 1 })}
            value=${name}
            onInput=${(e) => change(i, e.target.value)}
          />
          <button type="button" class="quiet" disabled=${i === 0} onClick=${() => move(i, -1)}>
            <${Icon} name="up" /><span class="for-ears">${t("new.up", { n: i + 1 })}</span>
          </button>
          <button type="button" class="quiet" disabled=${players.length === 1} onClick=${() => setPlayers(players.filter((_, j) => j !== i))}>
            <${Icon} name="close" /><span class="for-ears">${t("new.remove", { n: i + 1 })}</span>
          </button>
        </li>`,
      )}
    </ol>
    <button type="button" data-do="add-player" disabled=${players.length >= MOST} onClick=${() => setPlayers([...players, ""])}>
      <${Icon} name="plus" />${t("new.add")}
    </button>
  </fieldset>`;
}

function Choice({ name, value, checked, onChange, title, text }) {
  return html`<label class=${`choice ${checked ? "chosen" : ""}`}>
    <input type="radio" name=${name} value=${value} checked=${checked} onChange=${onChange} />
    <span>
      <b>${title}</b>
      ${text && html`<small class="muted">${text}</small>`}
    </span>
  </label>`;
}

function Variants({ variants, chosen, setChosen }) {
  return html`<fieldset class="card">
    <legend class="new-legend">${t("new.game")}</legend>
    <div class="choice-list">
      ${variants.map(
        ({ rules }) => html`<${Choice}
          key=${rules.variant}
          name="variant"
          value=${rules.variant}
          checked=${rules === chosen.rules}
          onChange=${() => setChosen(rules.variant)}
          title=${rules.title[language.value] ?? rules.title.en}
          text=${explained(`variant.${rules.variant}`)}
        />`,
      )}
    </div>
  </fieldset>`;
}

function explained(key) {
  const text = t(key);
  return text === key ? "" : text; // a game somebody added has no words of its own
}

function Target({ variant, target, setTarget }) {
  const kinds = variant.targets.map((points) => (points === null ? "endless" : String(points)));
  return html`<fieldset class="card">
    <legend class="new-legend">${t("new.target")}</legend>
    <p class="muted">${t("new.targetHow")}</p>
    <div class="target-list">
      ${kinds.map(
        (kind) => html`<button
          type="button"
          key=${kind}
          class="target figures"
          data-target=${kind}
          aria-pressed=${target.kind === kind}
          onClick=${() => setTarget({ kind, other: "" })}
        >
          ${kind === "endless" ? t("new.endless") : kind}
        </button>`,
      )}
      <label class="target-other">
        <span class="for-ears">${t("new.other")}</span>
        <input
          type="text"
          inputmode="numeric"
          size="6"
          maxlength="6"
          placeholder=${t("new.other")}
          value=${target.other}
          onInput=${(e) => setTarget({ kind: e.target.value ? "other" : "100", other: e.target.value })}
        />
      </label>
    </div>
  </fieldset>`;
}

// What an option is called; a game of dice has a word of its own for what falls off the table.
function option(rules, name) {
  return rules.dice > 0 && name === "off_table" ? "option.dieOff" : `option.${name}`;
}

function Options({ rules, options, setOptions }) {
  const shown = Object.entries(CHOICES).filter(
    ([name]) => rules.dice === 0 || name === "game_end" || name === "off_table",
  );
  return html`<details class="card new-options">
    <summary><h2>${t("new.more")}</h2><span class="muted">${t("new.moreHow")}</span></summary>
    <div class="option-grid">
      ${shown.map(
        ([name, values]) => html`<fieldset key=${name}>
          <legend>${t(option(rules, name))}</legend>
          <div class="choice-list">
            ${values.map(
              (value) => html`<${Choice}
                key=${value}
                name=${name}
                value=${value}
                checked=${(options[name] ?? rules[name]) === value}
                onChange=${() => setOptions({ ...options, [name]: value })}
                title=${t(`${option(rules, name)}.${value}`)}
                text=${t(`${option(rules, name)}.${value}.how`)}
              />`,
            )}
          </div>
        </fieldset>`,
      )}
    </div>
  </details>`;
}
