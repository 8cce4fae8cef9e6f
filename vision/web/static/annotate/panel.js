// Beside the picture: what is said about it, and every action as a button.

import { html } from "../html.js";
import { t } from "../i18n.js";
import * as L from "./labels.js";
import * as M from "./model.js";
import { canvas } from "./canvas.js";
import { shortcuts, zoomToPigs } from "./settings.js";

const CONTACT_KEYS = { apart: "A", touching: "T", stacked: "S" };

const Key = ({ k }) => (shortcuts.value ? html`<kbd aria-hidden="true">${k}</kbd>` : null);

function Poses() {
  const pig = M.labels.value.pigs[M.selected.value];
  return html`<fieldset class="choices">
    <legend>${t("annotate.pose")}</legend>
    ${M.vocabulary.poses.map(
      (pose, i) => html`<button key=${pose} aria-pressed=${String(pig?.pose === pose)} disabled=${!pig}
          onClick=${() => M.setPose(pose)}>
        <${Key} k=${i + 1} /><span>${t(`common.pose.${pose}`)}</span></button>`,
    )}
  </fieldset>`;
}

function Contact() {
  const labels = M.labels.value;
  if (labels.pigs.length !== 2) return null;
  return html`<fieldset class="choices three">
    <legend>${t("annotate.contact")}
      ${L.contactOpen(labels)
        ? html` <small class="open">${t("annotate.contactOpen")}</small>`
        : html` <small class="muted">${t("annotate.contactBack")}</small>`}</legend>
    ${M.vocabulary.contacts.map((c) => {
      const lit = labels.contact === c;
      return html`<button key=${c} aria-pressed=${String(lit)} onClick=${() => (lit ? M.clearContact() : M.setContact(c))}>
        <${Key} k=${CONTACT_KEYS[c]} /><span>${t(`common.contact.${c}`)}</span></button>`;
    })}
  </fieldset>`;
}

function percent(photo, pig) {
  const match = photo.proposal?.pigs.find((p) => L.same({ ...L.EMPTY, pigs: [{ ...pig, box: p.box }] }, { ...L.EMPTY, pigs: [pig] }));
  return match && pig.pose ? Math.round(100 * match.probabilities[pig.pose]) : null;
}

function Pigs() {
  const labels = M.labels.value;
  const photo = M.photo.value;
  return html`<fieldset class="pigs">
    <legend>${t("annotate.pigs", { n: labels.pigs.length })}</legend>
    ${labels.pigs.map((pig, i) => {
      const waits = L.isProposal(labels, pig);
      const sure = waits ? percent(photo, pig) : null;
      const name = pig.pose === null ? t("annotate.noPose") : t(`common.pose.${pig.pose}`);
      return html`<button key=${i} class=${waits ? "pig proposal" : "pig"}
          aria-pressed=${String(M.selected.value === i)} onClick=${() => (M.selected.value = i)}>
        <span>${i + 1}. ${name}</span>
        ${waits && html`<small>${sure === null ? t("annotate.proposed") : t("annotate.proposedSure", { sure })}</small>`}
      </button>`;
    })}
    <div class="row wrap">
      <button onClick=${() => { const b = canvas.value?.newBoxInView(); if (b) M.addPig(b); }}>
        <${Key} k="N" />${t("annotate.newPig")}</button>
      <button disabled=${M.selected.value < 0} onClick=${M.deletePig}><${Key} k="D" />${t("annotate.deletePig")}</button>
      <button onClick=${M.copyPrevious}><${Key} k="C" />${t("annotate.copy")}</button>
    </div>
  </fieldset>`;
}

function Conflict() {
  const c = M.conflict.value;
  if (c === null || c.theirs.id !== M.photo.value?.id) return null;
  const by = c.theirs.labels?.reviewed_by;
  return html`<div class="note warn" role="alert">
    <p>${by ? t("annotate.conflictBy", { who: by }) : t("annotate.conflictHere")}</p>
    <div class="row">
      <button class="primary" onClick=${() => M.settle(true)}>${t("annotate.keepMine")}</button>
      <button onClick=${() => M.settle(false)}>${t("annotate.keepTheirs")}</button>
    </div>
  </div>`;
}

// UNKNOWN_CAMERA and UNSORTED of vision/photos/arrivals.py: words on the disk, not of the page.
const UNKNOWN = "unknown";
const UNSORTED = "unsorted";

export function sessionName(session) {
  return session === UNSORTED ? t("annotate.unsorted") : session;
}

function Which() {
  const { name, session, camera } = M.photo.value;
  const words = [
    t("annotate.which", { place: M.place.value + 1, all: M.walk.value.length }),
    sessionName(session),
    camera === UNKNOWN ? t("annotate.cameraUnknown") : t("annotate.cameraIs", { camera }),
  ];
  return html`<div class="which"><strong>${name}</strong><span class="muted">${words.join(" · ")}</span></div>`;
}

export function Panel() {
  const photo = M.photo.value;
  if (photo === null) return html`<aside class="panel"><p class="muted">${t("annotate.noPicture")}</p></aside>`;
  const labels = M.labels.value;
  return html`<aside class="panel" aria-label=${t("annotate.labels")}>
    <${Which} />
    <${Conflict} />
    <button class="primary accept" onClick=${M.accept}><${Key} k="R" />${t(labels.reviewed ? "annotate.acceptAgain" : "annotate.accept")}</button>
    ${(labels.reviewed || photo.disagrees) && html`<div class="row wrap">
      ${labels.reviewed && html`<p class="note good">${labels.reviewed_by ? t("annotate.reviewedBy", { who: labels.reviewed_by }) : t("annotate.reviewed")}</p>`}
      ${photo.disagrees && html`<p class="note warn">${t("annotate.disagrees")}</p>`}
    </div>`}
    <${Poses} />
    <${Contact} />
    <${Pigs} />
    <div class="row wrap">
      <button aria-pressed=${String(labels.unsure)} onClick=${() => M.toggle("unsure")}><${Key} k="U" />${t("annotate.unsure")}</button>
      <button aria-pressed=${String(labels.left_out)} onClick=${() => M.toggle("left_out")}><${Key} k="X" />${t("annotate.leaveOut")}</button>
      <button onClick=${() => M.go(-1)}><${Key} k="J" />${t("annotate.back")}</button>
      <button onClick=${() => M.go(1)}><${Key} k="K" />${t("annotate.next")}</button>
    </div>
    <div class="row wrap">
      <button onClick=${() => canvas.value?.toggleZoom()}><${Key} k="Z" />${t("annotate.zoom")}</button>
      <button aria-pressed=${String(zoomToPigs.value)} onClick=${() => (zoomToPigs.value = !zoomToPigs.value)}><${Key} k="P" />${t("annotate.alwaysZoom")}</button>
    </div>
  </aside>`;
}
