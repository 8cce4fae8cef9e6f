// The page's language: one catalogue a language, `/locales/xx.json`, in sections of keys.
//
//   await loadLanguage();          the choice made earlier, else the system's, else English
//   t("annotate.saved")            a text; the section is the part before the dot
//   t("annotate.left", { n: 3 })   {n} is filled in; with `n`, "left_one" / "left_other" are
//                                  tried first, by the language's own plural rules
//
// A key that a language lacks falls back to English, then to the key itself.
// `language` is a signal: a component that calls t() is drawn again when it changes.

import { signal } from "@preact/signals";

const CHOICE = "sooee.language";
const catalogues = new Map();

export const language = signal("en");
export const languages = signal(["da", "en"]);

function read(catalogue, key) {
  const dot = key.indexOf(".");
  return catalogue?.[key.slice(0, dot)]?.[key.slice(dot + 1)];
}

function find(code, key, values) {
  const catalogue = catalogues.get(code);
  if (values && typeof values.n === "number") {
    const form = new Intl.PluralRules(code).select(values.n);
    const text = read(catalogue, `${key}_${form}`) ?? read(catalogue, `${key}_other`);
    if (text !== undefined) return text;
  }
  return read(catalogue, key);
}

export function t(key, values) {
  const text = find(language.value, key, values) ?? find("en", key, values) ?? key;
  if (!values) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? value.toLocaleString(language.value) : String(value);
  });
}

async function fetchCatalogue(code) {
  if (catalogues.has(code)) return;
  const answer = await fetch(`/locales/${code}.json`);
  if (!answer.ok) throw new Error(`no language ${code}: ${answer.status}`);
  catalogues.set(code, await answer.json());
}

function stored() {
  try {
    return localStorage.getItem(CHOICE);
  } catch {
    return null; // storage switched off: the system's language then
  }
}

export async function setLanguage(code, { remember = true } = {}) {
  await Promise.all([fetchCatalogue("en"), fetchCatalogue(code)]);
  language.value = code;
  document.documentElement.lang = code;
  if (!remember) return;
  try {
    localStorage.setItem(CHOICE, code);
  } catch {
    // storage switched off: the choice lasts as long as the page
  }
}

async function fetchIndex() {
  try {
    const answer = await fetch("/locales/index.json");
    if (answer.ok) languages.value = await answer.json();
  } catch {
    // no answer: the languages known here
  }
}

// `preferred` is the server's wish: after this viewer's own choice, before the system's.
export async function loadLanguage(preferred = null) {
  await fetchIndex();
  const wished = [stored(), preferred, ...(navigator.languages ?? [])].filter(Boolean);
  const known = wished.map((w) => w.split("-")[0]).map((w) => (w === "nb" || w === "nn" ? "da" : w));
  const code = known.find((w) => languages.value.includes(w)) ?? "en";
  await setLanguage(code, { remember: false });
}
