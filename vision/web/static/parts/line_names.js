// Names at the right ends of a plot's lines: beside one another's, never over one another.

const SVG = "http://www.w3.org/2000/svg";
const LINE = 16; // pixels from one name to the next
const LEAD = 18; // pixels from the end of a line to its name
const FONT = "700 13px";
const MOST = 0.4; // of the plot's width, for the longest name
const MOST_PX = 180;

const widthOf = (() => {
  const brush = document.createElement("canvas").getContext("2d");
  return (text) => {
    brush.font = `${FONT} ${getComputedStyle(document.body).fontFamily}`;
    return brush.measureText(text).width;
  };
})();

// How much of a plot's width the names need.
export function roomFor(names, width) {
  return Math.ceil(Math.min(Math.max(...names.map(widthOf)) + LEAD + 8, width * MOST, MOST_PX));
}

// Heights `gap` or more apart, in the order of those wished for and, all in all, as near to them
// as can be; between `top` and `bottom` while there is room.
export function apart(wished, gap, top, bottom) {
  const order = wished.map((_, i) => i).sort((a, b) => wished[a] - wished[b]);
  // Without their gaps the heights need only never fall: those that would are pooled at their mean.
  const pools = [];
  order.forEach((at, i) => {
    pools.push({ sum: wished[at] - i * gap, n: 1 });
    while (pools.length > 1 && mean(pools.at(-2)) > mean(pools.at(-1))) {
      const { sum, n } = pools.pop();
      pools.at(-1).sum += sum;
      pools.at(-1).n += n;
    }
  });
  const level = pools.flatMap((pool) => Array(pool.n).fill(mean(pool)));
  const lowest = bottom - (order.length - 1) * gap;
  const found = [];
  order.forEach((at, i) => {
    found[at] = Math.max(top, Math.min(lowest, level[i])) + i * gap;
  });
  return found;
}

const mean = ({ sum, n }) => sum / n;

function short(name, room) {
  if (widthOf(name) <= room) return name;
  const letters = [...name];
  while (letters.length > 1 && widthOf(`${letters.join("")}…`) > room) letters.pop();
  return `${letters.join("")}…`;
}

function draw(kind, attributes, text = "") {
  const node = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  return node;
}

// Write the names of `ends` ({ name, colour, x, y }) into a picture; a short line in the colour of
// each leads from the end to a name that had to move.
export function nameEnds(picture, ends, { room, top, bottom }) {
  const heights = apart(ends.map((end) => end.y), LINE, top, bottom);
  ends.forEach(({ name, colour, x, y }, i) => {
    const lead = { x1: x, y1: y, x2: x + LEAD - 3, y2: heights[i], stroke: colour, "stroke-width": 1.5 };
    const place = { x: x + LEAD, y: heights[i], dy: "0.32em", "text-anchor": "start", "font-weight": 700, fill: "currentColor", class: "line-name" };
    picture.append(draw("line", lead), draw("text", place, short(name, room - LEAD)));
  });
}
