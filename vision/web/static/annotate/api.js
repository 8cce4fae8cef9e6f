// The server's answers, and what went wrong in words that decide what to do next.

import { t } from "../i18n.js";

// What the guard and the check of what was sent say by their number alone.
const BY_STATUS = { 400: "host", 401: "code", 403: "origin", 413: "too_large", 422: "labels", 429: "codes" };

// A server's key in the words of the page; what has none stays as the program says it, in English.
export function why(code, detail) {
  const key = `annotate.why.${code}`;
  const text = t(key);
  return text === key ? { text: detail, lang: "en" } : { text };
}

export class Refused extends Error {
  constructor(status, code, detail, photo) {
    const { text, lang } = why(code ?? BY_STATUS[status], detail);
    super(text);
    this.lang = lang;
    this.status = status;
    this.photo = photo; // with 409: the photograph as it is now
  }
  get isConflict() {
    return this.status === 409;
  }
  // The server or the disk may be well again later; the same request is worth sending again.
  get isPassing() {
    return this.status >= 500 || this.status === 429;
  }
}

export class Offline extends Error {
  get isPassing() {
    return true;
  }
}

async function ask(method, path, body, options = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
      headers: body === undefined || body instanceof Blob ? {} : { "Content-Type": "application/json" },
      ...options,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Offline(t("annotate.noAnswer"), { cause: error });
  }
  if (answer.status === 204) return null;
  let data;
  try {
    data = await answer.json();
  } catch {
    throw new Offline(t("annotate.strangeAnswer", { status: answer.status }));
  }
  if (!answer.ok) {
    const detail = typeof data?.detail === "string" ? data.detail : JSON.stringify(data?.detail);
    throw new Refused(answer.status, data?.code, detail ?? String(answer.status), data?.photo);
  }
  return data;
}

const named = (path, fields) => `${path}?${new URLSearchParams(fields)}`;

export const api = {
  list: (since) => ask("GET", named("/api/photos", { since })),
  photo: (id) => ask("GET", `/api/photos/${id}`),
  save: (id, said) => ask("PUT", `/api/photos/${id}/labels`, said),
  undo: (client) => ask("POST", "/api/undo", { client }),
  redo: (client) => ask("POST", "/api/redo", { client }),
  origin: (said) => ask("POST", "/api/origin", said),
  addPicture: (file, fields) => ask("POST", named("/api/photos", fields), file),
  addVideo: (file, fields) => ask("POST", named("/api/videos", fields), file),
  join: async (code) => {
    await fetch("/api/join", { method: "POST", body: code });
  },
};

export const pictureUrl = (photo) => `/api/photos/${photo.id}/picture?v=${photo.sha256.slice(0, 12)}`;
export const thumbUrl = (id) => `/api/photos/${id}/thumb`;
