// @ts-check
// RBM studio: samples of one RBM and a board to paint on, the distances of all RBMs, and the shares of the digits.
import * as d from "../picture/draw.js";
import { evidenceOf } from "../picture/evidence.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { Box } from "../picture/marks.js" */
/** @import { View } from "../picture/view.js" */

const [TOP, COLUMNS, GAP] = [24, 5, 5];
const LEAST = 1e-4; // the lower end of the axis, because MMD² can be negative
const ENOUGH = 0.02; // share of a digit that counts as present
/** Method -> that whose colour it has, and its dashes. @type {Record<string, [string, number[]]>} */
const LINES = {
  PMP: ["PMP", []],
  "Gibbs-reset": ["Gibbs", []],
  "PCD-1": ["block Gibbs", [2, 3]],
  "PCD-1 constant": ["block Gibbs", [8, 3, 2, 3]],
  "PCD-100": ["block Gibbs", []],
};

const write = (/** @type {number} */ value) =>
  ({ [LEAST]: "10⁻⁴", 0.001: "10⁻³", 0.01: "0.01" })[value] ?? d.num(value);

/** Where everything is: samples and board at the left of the plots, or above them, or all in one column. @param {Pen} pen @param {any} state */
function plan({ width }, { images: { shape } }) {
  const [beside, column] = [width >= 600, width < 440];
  const wide = beside ? Math.min(0.42 * width, 330) : column ? width - 2 : 0.57 * width;
  const sheet = { x: 1, y: TOP, cell: (wide - (COLUMNS - 1) * GAP) / COLUMNS / shape[2], columns: COLUMNS, gap: GAP };
  const under = TOP + wide + 38;
  const cell = Math.floor(beside ? 13 : Math.min(18, (column ? wide : width - wide - 25) / shape[2]));
  const board = beside || column ? { x: 1, y: under, cell } : { x: wide + 24, y: TOP, cell };
  const [left, below] = [beside ? wide + 68 : 40, column ? board.y + shape[1] * cell + 42 : under];
  const curves = { x: left, y: beside ? TOP : below, w: width - left - 142, h: beside ? wide - 24 : 180 };
  const bars = { x: left, y: beside ? under : below + 240, w: width - left - 2, h: beside ? 160 : 120 };
  return { sheet, board, curves, bars, height: bars.y + bars.h + 24 };
}

/** @param {Pen} pen @param {any} state @param {View} view */
function draw(pen, state, view) {
  const { sheet, board, curves, bars } = plan(pen, state);
  const one = state.painted ? "completion" : "sample";
  const pictures = evidenceOf(pen, view, state.evidence, state.images, { one, given: "painted" });
  const title = `${state.method} after ${d.count(state.used, "sweep")}: ${state.images.shape[0]} ${one}s`;
  pictures.sheet(sheet, title, (n) => [["read as a", `${state.digits[n]}`]]);
  pictures.board(board);
  drawCurves(pen, state, curves);
  drawBars(pen, state, bars);
}

/** @param {Pen} pen @param {any} state @param {Box} box */
function drawCurves(pen, state, box) {
  const { theme } = pen;
  const { stages, methods, mmd, deviations, alone, real } = state;
  const [here, stage] = [methods.indexOf(state.method), stages.indexOf(state.sweeps)];
  const look = (/** @type {number} */ line) => {
    const [colour, dash] = LINES[methods[line]];
    return { stroke: theme.method(colour), width: line === here ? 3.5 : 1.6, dash };
  };
  const scales = d.axes(
    pen,
    box,
    { range: [1, 2000], kind: "log", ticks: [1, 10, 100, 1000], title: "sweeps" },
    { range: [LEAST, 1], kind: "log", ticks: [LEAST, 1e-3, 0.01, 0.1, 1], title: "distance, MMD²", write },
  );
  d.band(pen, scales, [LEAST, LEAST], [real, real], theme.quiet, [1, 2000]);
  d.rule(pen, scales, { y: alone }, { dash: [6, 4] });
  const [lines, spread] = [d.rowsOf(mmd), d.rowsOf(deviations)];
  const errors = spread.map((each) => each.map((deviation) => 2 * deviation));
  const tip = (/** @type {number} */ line, /** @type {number} */ k) => ({
    title: `${methods[line]} after ${d.count(stages[k], "sweep")}`,
    rows: /** @type {[string, string][]} */ ([
      ["MMD² from held-out digits", d.num(lines[line][k])],
      ["standard deviation", d.num(spread[line][k])],
      ["independent pixels", d.num(alone)],
      ["real digits", `below ${d.num(real)}`],
    ]),
  });
  d.curves(pen, scales, lines, { at: stages, look, errors }, { id: "distance", tip });
  const dot = pen.disk(scales.x(state.sweeps), scales.y(lines[here][stage]), 6);
  if (!state.painted) pen.shape(dot, { fill: look(here).stroke, stroke: theme.ink, width: 1.5 });
  d.ends(pen, scales, [
    ...lines.map((values, line) => ({ value: values[stages.length - 1], words: [methods[line]], ...look(line) })),
    { value: alone, words: ["independent pixels"], stroke: theme.quiet, dash: [6, 4] },
    { value: Math.sqrt(LEAST * real), words: ["real digits"], stroke: theme.quiet, alpha: 0.25, width: 9 },
  ]);
}

/** @param {Pen} pen @param {any} state @param {Box} box */
function drawBars(pen, state, box) {
  const colour = pen.theme.method(LINES[state.method][0]);
  const scales = d.axes(
    pen,
    box,
    { range: [-0.6, 9.6], ticks: [...state.shares.keys()] },
    { range: [0, 1], ticks: [0, 0.5, 1], title: "share of each digit", write: (share) => `${100 * share} %` },
  );
  const fill = (/** @type {number} */ digit) =>
    state.shares[digit] < ENOUGH ? d.mix(colour, pen.theme.paper, 0.6) : colour;
  d.bars(
    pen,
    scales,
    state.shares,
    { fill, whole: true },
    {
      id: "digit",
      tip: (digit) => ({
        title: `digit ${digit}`,
        rows: [
          ["share", `${d.num(100 * state.shares[digit])} %`],
          ["images", `${Math.round(state.judged * state.shares[digit])} of ${state.judged}`],
          ["equally frequent", "10 %"],
        ],
      }),
    },
  );
  d.rule(pen, scales, { y: 0.1 });
}

export default d.widget({
  label: "Samples of restricted Boltzmann machines, their distance from real digits, and the shares of the digits",
  start: d.addBrushes,
  height: (_, state, pen) => plan(pen, state).height,
  draw,
});
