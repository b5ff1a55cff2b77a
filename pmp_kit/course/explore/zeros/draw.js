// @ts-check
// Zeros brush: evidence to paint, the share of the completions in which each pixel is on, and the completions.
import * as d from "../picture/draw.js";
import { evidenceOf } from "../picture/evidence.js";

/** @import { Pen } from "../picture/pen.js" */

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

export default d.widget({
  label: "Completions of a painted piece of a zero",
  start: d.addBrushes,
  height: (_, state, pen) => plan(pen, state).height,
  draw(pen, state, view) {
    const { board, share, sheet } = plan(pen, state);
    const words = { one: "completion", given: "painted" };
    const pictures = evidenceOf(pen, view, state.evidence, state.completions, words);
    pictures.board(board);
    pictures.share(share);
    pictures.sheet(sheet, `${state.completions.shape[0]} completions`);
  },
});
