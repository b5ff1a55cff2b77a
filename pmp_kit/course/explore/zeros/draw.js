// @ts-check
// Zeros brush: evidence to paint, the share of the completions in which each pixel is on, and the completions.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { View } from "../picture/view.js" */

const [TOP, GAP, LARGEST] = [24, 9, 380]; // CSS pixels; the last one is the side of a large picture

/** Where everything is: two large pictures, and the completions below them. @param {Pen} pen @param {any} state */
function plan(pen, state) {
  const [count, rows, cols] = state.completions.shape;
  const cell = pen.snap(Math.min((pen.width - 28) / 2, LARGEST) / Math.max(rows, cols));
  const wide = 2 * cols * cell + 26;
  const columns = pen.width < 520 ? 6 : 12;
  const sheet = { x: 1, y: TOP + rows * cell + 62, cell: ((wide + GAP) / columns - GAP) / cols, columns, gap: GAP };
  const height = sheet.y + Math.ceil(count / columns) * (rows * sheet.cell + GAP);
  return { board: { x: 1, y: TOP, cell }, share: { x: 1 + wide - cols * cell, y: TOP, cell }, sheet, height };
}

/** @param {Pen} pen @param {any} state @param {View} view */
function draw(pen, state, view) {
  const { board, share, sheet } = plan(pen, state);
  const { completions, evidence } = state;
  const [count, ...shape] = completions.shape;
  const [pixels, on] = [d.pixelsOf(view, evidence), d.sum(completions)];
  const k = (/** @type {number} */ row, /** @type {number} */ col) => row * shape[1] + col;
  const painted = (/** @type {number} */ row, /** @type {number} */ col) => evidence[k(row, col)] !== d.FREE;
  const tip = (/** @type {number} */ row, /** @type {number} */ col) => ({
    title: d.pixelName(row, col),
    rows: /** @type {[string, string][]} */ ([
      ["painted", d.NAMES[pixels[k(row, col)]]],
      ["on in", `${on[k(row, col)]} of ${count} completions`],
    ]),
  });
  pen.title(view.painted() ? "paint here" : "painted", board);
  d.board(pen, view, pixels, shape, board, tip);
  pen.title("share that is on", share);
  d.shares(pen, completions, share, { inside: painted, words: "line: painted" }, tip);
  pen.title(`${count} completions`, sheet);
  const boxes = pen.mosaic(completions, sheet, pen.theme.binary, (n) => ({
    id: `completion ${n}`,
    frame: pen.theme.faint,
    tip: (row, col) => ({
      title: `completion ${n + 1}`,
      rows: [[d.pixelName(row, col), d.NAMES[completions[n * on.length + k(row, col)]]], ...tip(row, col).rows],
    }),
  }));
  pen.border(boxes, shape, painted, { stroke: pen.theme.accent, width: 1 });
}

export default d.widget({
  label: "Completions of a painted piece of a zero",
  start: d.addBrushes,
  height: (_, state, pen) => plan(pen, state).height,
  draw,
});
