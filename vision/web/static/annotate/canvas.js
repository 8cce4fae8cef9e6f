// The picture and its boxes, drawn by Konva. Box numbers are picture pixels throughout: the stage
// carries the zoom, so nothing here is ever rounded to the screen.

import { effect, signal } from "@preact/signals";
import * as L from "./labels.js";
import * as M from "./model.js";
import { zoomToPigs } from "./settings.js";
import { placeTags } from "./tags.js";
import { t } from "../i18n.js";

const Konva = globalThis.Konva;
const MOST_ZOOM = 32;
const LEAST_DRAWN = 5; // screen pixels: less is a click, not a box
const STILL = 1e-6; // picture pixels: a box that was let go where it was

export const zoomLevel = signal(1);

// Told apart by lightness as well as hue; the name stands beside each box anyway.
const COLOURS = {
  dot_up: "#ffd166",
  dot_down: "#f78c6b",
  razorback: "#7bdff2",
  trotter: "#80ed99",
  snouter: "#d0a9f5",
  leaning_jowler: "#ff8fab",
  other: "#e0e0e0",
};

// On a small box the handles stand outside and at its corners only: they would hide the pig.
const SMALL = 64; // screen pixels
const CORNERS = ["top-left", "top-right", "bottom-left", "bottom-right"];
const SIDES = ["top-center", "middle-left", "middle-right", "bottom-center"];

function handlesOf(pig, scale) {
  const [x0, y0, x1, y1] = pig?.box ?? [0, 0, 0, 0];
  if (Math.min(x1 - x0, y1 - y0) * scale >= SMALL) {
    return { enabledAnchors: [...CORNERS, ...SIDES], anchorSize: 12, anchorCornerRadius: 6, padding: 0 };
  }
  return { enabledAnchors: CORNERS, anchorSize: 10, anchorCornerRadius: 5, padding: 8 };
}

const afterPaint = (f) => requestAnimationFrame(() => setTimeout(f));

export class Canvas {
  constructor(holder) {
    this.holder = holder;
    this.stage = new Konva.Stage({ container: holder, width: 1, height: 1 });
    this.back = new Konva.Layer({ listening: false });
    this.front = new Konva.Layer();
    this.image = new Konva.Image({ image: undefined, listening: false });
    this.back.add(this.image);
    this.handles = new Konva.Transformer({
      rotateEnabled: false,
      flipEnabled: false,
      keepRatio: false,
      ignoreStroke: true,
      borderEnabled: false,
      anchorStrokeWidth: 2,
    });
    this.boxes = new Konva.Group();
    this.front.add(this.boxes, this.handles);
    this.stage.add(this.back, this.front);
    this.fitted = true;
    this.stop = [
      effect(() => this.showPicture()),
      effect(() => this.showBoxes()),
    ];
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(holder);
    this.listen();
    this.resize();
  }

  destroy() {
    for (const stop of this.stop) stop();
    this.observer.disconnect();
    this.stage.destroy();
  }

  // ---- what is shown

  showPicture() {
    const picture = M.picture.value;
    const photo = M.photo.value;
    const fresh = photo?.id !== this.shownId;
    this.image.image(picture ?? undefined);
    if (photo) this.image.size({ width: photo.width, height: photo.height });
    if (!fresh) return;
    this.shownId = photo?.id;
    if (zoomToPigs.peek() && M.labels.peek().pigs.length > 0) this.toPigs();
    else this.fit();
    if (photo) afterPaint(() => performance.mark("shown", { detail: photo.id }));
  }

  showBoxes() {
    const [labels, at, scale] = [M.labels.value, M.selected.value, zoomLevel.value];
    this.handles.nodes([]);
    this.boxes.destroyChildren();
    labels.pigs.forEach((pig, i) => this.boxes.add(...this.box(pig, i, labels, at === i, scale)));
    this.handles.setAttrs(handlesOf(labels.pigs[at], scale));
    this.placeTags(labels.pigs, at, scale);
    const chosen = this.boxes.findOne(`#pig${at}`);
    if (chosen) {
      chosen.moveToTop();
      this.handles.nodes([chosen]);
    }
    this.front.batchDraw();
  }

  placeTags(pigs, at, scale) {
    const tags = this.boxes.find("Label");
    const around = this.handles.padding() + this.handles.anchorSize() / 2;
    const boxes = pigs.map(({ box }, i) => {
      const more = i === at ? around : 0;
      return [box[0] * scale - more, box[1] * scale - more, box[2] * scale + more, box[3] * scale + more];
    });
    const sizes = tags.map((tag) => ({ width: tag.width(), height: tag.height() }));
    const { x, y } = this.stage.position();
    const view = [-x, -y, this.stage.width() - x, this.stage.height() - y];
    placeTags(boxes, sizes, view).forEach(([left, top], i) => {
      const [x0, y0] = pigs[i].box;
      tags[i].offset({ x: x0 * scale - left, y: y0 * scale - top });
    });
  }

  box(pig, index, labels, chosen, scale) {
    const [x0, y0, x1, y1] = pig.box;
    const colour = COLOURS[pig.pose] ?? "#ffffff";
    const dash = L.isProposal(labels, pig) ? [8, 6] : undefined;
    const place = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
    const edge = { ...place, strokeScaleEnabled: false, listening: false, dash };
    const shade = new Konva.Rect({ ...edge, stroke: "#000000", strokeWidth: chosen ? 6 : 4, opacity: 0.55 });
    const rect = new Konva.Rect({
      ...place,
      id: `pig${index}`,
      stroke: colour,
      strokeWidth: chosen ? 3 : 2,
      strokeScaleEnabled: false,
      dash,
      fill: chosen ? "rgba(255,255,255,0.001)" : "rgba(0,0,0,0.001)",
      draggable: true,
    });
    const tag = new Konva.Label({ x: x0, y: y0, scaleX: 1 / scale, scaleY: 1 / scale, listening: false });
    tag.add(new Konva.Tag({ fill: colour, opacity: 0.92, cornerRadius: 3 }));
    const name = pig.pose === null ? t("annotate.noPose") : t(`common.pose.${pig.pose}`);
    tag.add(new Konva.Text({ text: `${index + 1}. ${name}${dash ? " ?" : ""}`, fontSize: 13, padding: 3, fill: "#1a1a1a" }));
    this.react(rect, shade, tag, index, pig.box);
    return [shade, rect, tag];
  }

  react(rect, shade, tag, index, before) {
    const follow = () => {
      shade.position(rect.position());
      shade.size({ width: rect.width() * rect.scaleX(), height: rect.height() * rect.scaleY() });
      tag.position(rect.position());
    };
    const now = () => [
      rect.x(),
      rect.y(),
      rect.x() + rect.width() * rect.scaleX(),
      rect.y() + rect.height() * rect.scaleY(),
    ];
    rect.on("mousedown touchstart", () => {
      if (M.selected.peek() !== index) {
        M.selected.value = index; // drawn anew, so the drag goes on with the new box
        this.boxes.findOne(`#pig${index}`)?.startDrag();
      }
    });
    rect.on("dragmove transform", follow);
    const done = (resized) => () => {
      if (now().every((v, i) => Math.abs(v - before[i]) < STILL)) return;
      M.setBox(index, now(), { resized, now: true });
      this.showBoxes(); // also where the picture's edge let nothing change
    };
    rect.on("dragend", done(false));
    rect.on("transformend", done(true));
    rect.on("mouseenter", () => (this.holder.style.cursor = "move"));
    rect.on("mouseleave", () => (this.holder.style.cursor = ""));
  }

  // ---- zoom

  resize() {
    this.stage.size({ width: this.holder.clientWidth, height: this.holder.clientHeight });
    if (this.fitted) this.fit();
    else this.tell();
  }

  look(scale, x, y) {
    this.stage.scale({ x: scale, y: scale });
    this.stage.position({ x, y });
    this.tell();
  }

  tell() {
    zoomLevel.value = this.stage.scaleX();
    // Where the picture lies on the screen, for whoever measures it.
    const { x, y } = this.stage.position();
    Object.assign(this.holder.dataset, { scale: this.stage.scaleX(), x, y, photo: M.photo.peek()?.id ?? "" });
    this.stage.batchDraw();
  }

  fit() {
    const photo = M.photo.peek();
    if (!photo) return;
    this.fitted = true;
    this.frame([0, 0, photo.width, photo.height], 1);
  }

  toPigs() {
    const { pigs } = M.labels.peek();
    const at = M.selected.peek();
    if (pigs.length === 0) return;
    this.fitted = false;
    this.frame(at >= 0 && pigs.length > 2 ? pigs[at].box : L.around(pigs.map((p) => p.box)), 1.5);
  }

  // Show this part of the picture, `margin` times its size.
  frame(box, margin) {
    const [w, h] = [this.stage.width(), this.stage.height()];
    const scale = Math.min(
      w / ((box[2] - box[0]) * margin),
      h / ((box[3] - box[1]) * margin),
      MOST_ZOOM,
    );
    this.look(scale, w / 2 - ((box[0] + box[2]) / 2) * scale, h / 2 - ((box[1] + box[3]) / 2) * scale);
  }

  zoom(factor, at = { x: this.stage.width() / 2, y: this.stage.height() / 2 }) {
    const old = this.stage.scaleX();
    const scale = Math.max(0.02, Math.min(MOST_ZOOM, old * factor));
    this.fitted = false;
    const { x, y } = this.stage.position();
    this.look(scale, at.x - ((at.x - x) / old) * scale, at.y - ((at.y - y) / old) * scale);
  }

  toggleZoom() {
    if (this.fitted) this.toPigs();
    else this.fit();
  }

  // A box of a pig's usual size in the middle of what is seen.
  newBoxInView() {
    const photo = M.photo.peek();
    if (!photo) return null;
    const scale = this.stage.scaleX();
    const { x, y } = this.stage.position();
    const cx = Math.min(photo.width, Math.max(0, (this.stage.width() / 2 - x) / scale));
    const cy = Math.min(photo.height, Math.max(0, (this.stage.height() / 2 - y) / scale));
    const side = Math.max(L.MIN_SIDE, Math.min(photo.width, photo.height) / 8);
    return [cx - side / 2, cy - side / 2, cx + side / 2, cy + side / 2];
  }

  // ---- hands

  listen() {
    const stage = this.stage;
    stage.on("wheel", ({ evt }) => {
      evt.preventDefault();
      this.zoom(1.0015 ** -evt.deltaY, stage.getPointerPosition());
    });
    stage.on("mousedown touchstart", (event) => {
      const pans = event.evt.button === 1 || event.evt.button === 2 || this.panKey || event.evt.touches?.length === 2;
      if (pans) this.beginPan(event);
      else if (event.target === stage) this.beginBox();
    });
    stage.on("contextmenu", ({ evt }) => evt.preventDefault());
    // With Shift a new box begins anywhere: neither boxes nor handles are in the way.
    const heed = (heeded) => (evt) => {
      if (evt.shiftKey) for (const layer of [this.boxes, this.front]) layer.listening(heeded);
    };
    this.holder.addEventListener("mousedown", heed(false), true);
    this.holder.addEventListener("mousedown", heed(true));
  }

  beginPan(event) {
    event.evt.preventDefault();
    for (const node of this.boxes.find("Rect")) node.stopDrag();
    const stage = this.stage;
    const [from, at] = [stage.getPointerPosition(), stage.position()];
    this.follow((now) => {
      this.fitted = false;
      this.look(stage.scaleX(), at.x + now.x - from.x, at.y + now.y - from.y);
    });
  }

  beginBox() {
    const photo = M.photo.peek();
    if (!photo || M.conflict.peek()) return;
    const stage = this.stage;
    const from = stage.getRelativePointerPosition();
    const rubber = new Konva.Rect({ stroke: "#ffffff", strokeWidth: 2, dash: [4, 4], strokeScaleEnabled: false });
    this.front.add(rubber);
    const corners = (to) => [
      Math.min(from.x, to.x),
      Math.min(from.y, to.y),
      Math.max(from.x, to.x),
      Math.max(from.y, to.y),
    ];
    this.follow(
      () => {
        const b = corners(stage.getRelativePointerPosition());
        rubber.setAttrs({ x: b[0], y: b[1], width: b[2] - b[0], height: b[3] - b[1] });
      },
      () => {
        rubber.destroy();
        const b = corners(stage.getRelativePointerPosition());
        const least = Math.max(L.MIN_SIDE, LEAST_DRAWN / stage.scaleX());
        if (b[2] - b[0] >= least && b[3] - b[1] >= least) M.addPig(b);
        else M.selected.value = -1;
      },
    );
  }

  follow(move, end = () => {}) {
    const stage = this.stage;
    const moves = (evt) => {
      stage.setPointersPositions(evt);
      move(stage.getPointerPosition());
    };
    const ends = (evt) => {
      stage.setPointersPositions(evt);
      removeEventListener("mousemove", moves);
      removeEventListener("touchmove", moves);
      removeEventListener("mouseup", ends);
      removeEventListener("touchend", ends);
      end();
    };
    addEventListener("mousemove", moves);
    addEventListener("touchmove", moves);
    addEventListener("mouseup", ends);
    addEventListener("touchend", ends);
  }
}

export const canvas = signal(null);
