// Where the names of the boxes go: each beside its own box, over no other box and no other name.

const GAP = 3; // screen pixels between a box and its name

const shared = (a, b) =>
  Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) *
  Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

const area = ([x0, y0, x1, y1]) => (x1 - x0) * (y1 - y0);

// Above the box, below it, or beside it; first where names usually stand.
function places([x0, y0, x1, y1], { width, height }, view) {
  const inside = (x) => Math.max(view[0], Math.min(view[2] - width, x));
  const [above, below] = [y0 - GAP - height, y1 + GAP];
  return [
    [inside(x0), above],
    [inside(x0), below],
    [inside(x1 - width), above],
    [inside(x1 - width), below],
    [x1 + GAP, y0],
    [x0 - GAP - width, y0],
  ].map(([x, y]) => [x, y, x + width, y + height]);
}

// The places of names of these sizes beside these boxes, all in screen pixels.
export function placeTags(boxes, sizes, view) {
  const placed = [];
  boxes.forEach((box, i) => {
    const others = [...boxes.filter((_, j) => j !== i), ...placed];
    let best = null;
    for (const at of places(box, sizes[i], view)) {
      const hidden = others.reduce((sum, other) => sum + shared(at, other), area(at) - shared(at, view));
      if (best === null || hidden < best.hidden) best = { at, hidden };
    }
    placed.push(best.at);
  });
  return placed;
}
