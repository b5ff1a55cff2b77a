// @ts-check
// Phase map: a cell for each setting of two controls, coloured by a category or by a number.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { View } from "../picture/view.js" */

const [LEFT, TOP, BELOW, LINE, TICKS] = [52, 26, 40, 22, 6]; // CSS pixels around cells and names; numbers on an axis

/** Where the cells are; what their colours mean is beside them, or below them where there is no room. @param {Pen} pen @param {any} state */
function plan({ width }, { names }) {
  const beside = width >= 560;
  const w = Math.min(width - LEFT - (beside ? 186 : 10), 500);
  const cells = { x: LEFT, y: TOP, w, h: Math.min(0.8 * w, 360) };
  const end = TOP + cells.h + BELOW;
  const legend = beside ? { x: LEFT + w + 26, y: TOP + 10 } : { x: LEFT, y: end + 16 };
  return { cells, legend, height: beside ? end : legend.y + LINE * Math.max(2, names.length) };
}

/** A few of the words of an axis, at equal distances; all of them where they are no numbers. @param {string[]} words */
function few(words) {
  const step = Number.isNaN(Number(words[0].replace("−", "-"))) ? 1 : Math.ceil((words.length - 1) / (TICKS - 1)) || 1;
  return words.map((word, k) => (k % step ? "" : word));
}

/** @param {Pen} pen @param {any} state @param {View} view */
function draw(pen, state, view) {
  const { theme } = pen;
  const { x, y, label, names, colours, limits, draws, here } = state;
  const { cells, legend } = plan(pen, state);
  const [rows, cols] = state.values.shape;
  const up = (/** @type {number} */ row) => rows - 1 - row; // the first stop is at the bottom
  const at = (/** @type {number} */ row, /** @type {number} */ col) => state.values[up(row) * cols + col];
  const share = (/** @type {number} */ value) => (value - limits[0]) / (limits[1] - limits[0] || 1);
  const colour = (/** @type {number} */ value) =>
    Number.isNaN(value) ? theme.paper : names.length ? colours[value] : theme.cividis(share(value));
  const tip = (/** @type {number} */ row, /** @type {number} */ col) => {
    const value = at(row, col);
    const found = Number.isNaN(value) ? "not computed yet" : names.length ? names[value] : d.num(value);
    const mean = draws > 1 ? [["mean of", `${draws} draws of the noise`]] : [];
    const rows = [[x.name, x.words[col]], [y.name, y.words[up(row)]], ...mean]; // prettier-ignore
    return { title: `${label}: ${found}`, rows: /** @type {[string, string][]} */ (rows) };
  };
  const load = (/** @type {number} */ row, /** @type {number} */ col) =>
    view.held || view.model.send?.({ load: [up(row), col] }); // a press that goes on to other cells loads no more

  const flipped = Array.from(state.values, (_, k) => at(Math.floor(k / cols), k % cols));
  const told = { id: "cells", tip, press: view.model.send && load, rows: few(y.words).reverse(), cols: few(x.words) };
  const box = d.heat(pen, flipped, [rows, cols], cells, colour, told);
  pen.stripes(box, [rows, cols], (row, col) => Number.isNaN(at(row, col)));
  pen.text(`${y.name} ↑`, 8, TOP - 10, { colour: theme.ink });
  pen.text(`${x.name} →`, box.x + box.w, box.y + box.h + 33, { colour: theme.ink, align: "right" });
  if (here) {
    const [w, h] = [box.w / cols, box.h / rows];
    const [row, tall] = here[0] < 0 ? [0, box.h] : [up(here[0]), h]; // a whole column: only the page knows the sweep
    const outline = pen.rect(box.x + here[1] * w, box.y + row * h, w, tall, 1);
    pen.shape(outline, { stroke: theme.paper, width: 5 });
    pen.shape(outline, { stroke: theme.ink, width: 2 });
  }
  names.forEach((/** @type {string} */ words, /** @type {number} */ k) =>
    d.legend(pen, legend.x, legend.y + LINE * k, [{ words, colour: colours[k], sign: "square" }]),
  );
  const ends = [limits[0], (limits[0] + limits[1]) / 2, limits[1]].map((value) => d.num(value));
  if (!names.length) pen.key({ ...legend, w: 150 }, theme.cividis, /** @type {[string, string, string]} */ (ends));
}

const height = (/** @type {number} */ _, /** @type {any} */ state, /** @type {Pen} */ pen) => plan(pen, state).height;
export default d.widget({ label: "Map of the settings of two controls", tools: false, height, draw });
