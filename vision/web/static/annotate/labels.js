// Labels as values: every change gives new ones. Boxes are [x0, y0, x1, y1] in picture pixels.

export const MIN_SIDE = 4;

export const EMPTY = Object.freeze({
  pigs: [],
  contact: null,
  reviewed: false,
  reviewed_by: "",
  unsure: false,
  left_out: false,
});

const best = (probabilities) =>
  Object.entries(probabilities).reduce((a, b) => (b[1] > a[1] ? b : a))[0];

export function proposed(proposal) {
  return {
    ...EMPTY,
    pigs: proposal.pigs.map((p) => ({ box: p.box, pose: best(p.probabilities), source: "model" })),
    contact: proposal.contact ? best(proposal.contact.probabilities) : null,
  };
}

// What is shown: what somebody said, else what the model proposes, else nothing.
export function labelsOf(photo) {
  if (photo.labels) return photo.labels;
  return photo.proposal ? proposed(photo.proposal) : EMPTY;
}

// Two pigs, and nobody has said how they lie to each other.
export const contactOpen = (labels) => labels.pigs.length === 2 && labels.contact === null;

export const isProposal = (labels, pig) => !labels.reviewed && pig.source === "model";

// One order of fields, so that equal labels are equal text.
const plain = (labels) =>
  labels && [
    labels.pigs.map((p) => [p.box, p.pose, p.source]),
    labels.contact,
    labels.reviewed,
    labels.reviewed_by,
    labels.unsure,
    labels.left_out,
  ];

export const same = (a, b) => JSON.stringify(plain(a)) === JSON.stringify(plain(b));

// A reviewed picture stays so when it is put right by hand, unless something is open again.
function settled(labels, who) {
  const contact = labels.pigs.length === 2 ? labels.contact : null;
  const reviewed = labels.reviewed && labels.pigs.every((p) => p.pose !== null);
  return { ...labels, contact, reviewed, reviewed_by: reviewed ? who || labels.reviewed_by : "" };
}

function changed(labels, index, change, who) {
  const pigs = labels.pigs.map((p, i) => (i === index ? { ...p, ...change, source: "hand" } : p));
  return settled({ ...labels, pigs }, who);
}

export const withPose = (labels, index, pose, who) => changed(labels, index, { pose }, who);
export const withBox = (labels, index, box, who) => changed(labels, index, { box }, who);
export const withContact = (labels, contact, who) =>
  settled({ ...labels, contact: labels.pigs.length === 2 ? contact : null }, who);
export const withFlag = (labels, flag) => ({ ...labels, [flag]: !labels[flag] });

export const withPig = (labels, box, who) =>
  settled({ ...labels, pigs: [...labels.pigs, { box, pose: null, source: "hand" }] }, who);
export const withoutPig = (labels, index, who) =>
  settled({ ...labels, pigs: labels.pigs.filter((_, i) => i !== index) }, who);

export const accepted = (labels, who) => ({ ...labels, reviewed: true, reviewed_by: who });

export function copied(from, onto, photo) {
  const pigs = from.pigs.map((p) => ({
    ...p,
    box: inside(p.box, photo.width, photo.height),
    source: "hand",
  }));
  return { ...onto, pigs, contact: from.contact, reviewed: false, reviewed_by: "" };
}

const round = (v) => Math.round(v * 100) / 100;

// The box within the picture, its size kept where it can be.
export function inside(box, width, height) {
  const w = Math.min(Math.max(box[2] - box[0], MIN_SIDE), width);
  const h = Math.min(Math.max(box[3] - box[1], MIN_SIDE), height);
  const x = Math.min(Math.max(box[0], 0), width - w);
  const y = Math.min(Math.max(box[1], 0), height - h);
  return [round(x), round(y), round(x + w), round(y + h)];
}

export const moved = (box, dx, dy) => [box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy];
export const grown = (box, dx, dy) => [
  box[0],
  box[1],
  Math.max(box[0] + MIN_SIDE, box[2] + dx),
  Math.max(box[1] + MIN_SIDE, box[3] + dy),
];

// The box cut at the picture's edges: for resizing, where moving it would surprise.
export const cut = (box, width, height) =>
  inside(
    [
      Math.max(0, Math.min(box[0], width - MIN_SIDE)),
      Math.max(0, Math.min(box[1], height - MIN_SIDE)),
      Math.min(width, Math.max(box[2], MIN_SIDE)),
      Math.min(height, Math.max(box[3], MIN_SIDE)),
    ],
    width,
    height,
  );

export function around(boxes) {
  return boxes.reduce((a, b) => [
    Math.min(a[0], b[0]),
    Math.min(a[1], b[1]),
    Math.max(a[2], b[2]),
    Math.max(a[3], b[3]),
  ]);
}
