// @ts-check
// The race: sheets of samples over the curves of their distance from exact samples.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { Box, Tip } from "../picture/marks.js" */
/** @import { Axis } from "../picture/plots.js" */

const [SIDE, SQUARES, GAP] = [8, 5, 3]; // spins along a lattice, lattices along a sheet, and CSS pixels between them
const LAST = 64; // sweeps, where the axis ends
const TITLES = /** @type {Record<string, string>} */ ({
  MMD: "MMD² to exact samples",
  energy: "energy of a spin minus exact",
});
const UNITS = /** @type {Record<string, string>} */ ({ MMD: "sd", energy: "nats" });
const AXES = /** @type {Record<string, { range: [number, number], ticks: number[] }>} */ ({
  MMD: { range: [-3, 65], ticks: [0, 1, 5, 10, 20, 40, 60] },
  energy: { range: [-0.15, 2.7], ticks: [-0.1, 0, 0.1, 0.5, 1, 2] },
});

/** Sheets in one row or in two, and the curves below them. @param {number} width */
function plan(width) {
  const columns = width >= 520 ? 5 : 3;
  const side = (width - 2 - 10 * (columns - 1)) / columns;
  const sheets = [0, 1, 2, 3, 4].map((s) => ({
    x: 1 + (s % columns) * (side + 10),
    y: 40 + Math.floor(s / columns) * (side + 66),
  }));
  const box = { x: 42, y: sheets[4].y + side + 52, w: width - 56, h: 170 };
  return { side, sheets, box, height: box.y + box.h + 26 };
}

/** @param {Pen} pen @param {any} state */
function draw(pen, state) {
  const { side, sheets, box } = plan(pen.width);
  const { names, methods, measure, rows, curves, made } = state;
  sheets.forEach(({ x, y }, s) => {
    drawSheet(pen, state, s, { x, y, w: side });
    if (!s) return pen.text(names[0], x, y - 26, { colour: pen.theme.ink, base: "middle" });
    const [method, k] = [methods[s - 1], (s - 1) * made.shape[1] + rows[s - 1]];
    d.legend(pen, x - 2, y - 26, [{ words: names[s], colour: pen.theme.method(method), sign: d.signOf(method) }]);
    pen.text(d.count(made[k], "sweep"), x, y - 7, { size: 11 });
    pen.text(`${d.num(curves[k])} ${UNITS[measure]} off`, x + side, y + side + 15, { size: 11, align: "right" });
  });
  drawCurves(pen, state, box);
}

/** Samples of one method: those of a line as columns, those of a lattice as squares. @param {Pen} pen @param {any} state @param {number} s @param {{ x: number, y: number, w: number }} place */
function drawSheet(pen, state, s, { x, y, w }) {
  const [[, count, spins], frame, id] = [state.sheets.shape, pen.theme.faint, state.names[s]];
  const samples = d.rowsOf(state.sheets)[s];
  const equal = d.rowsOf(state.equal)[s];
  const tip = (/** @type {number} */ n, /** @type {number} */ spin, /** @type {string} */ name) =>
    /** @type {Tip} */ ({
      title: `${id}, sample ${n + 1}`,
      rows: [
        [name, `${samples[n * spins + spin]}`],
        ["equal neighbours", `${equal[n]} of ${state.pairs}`],
      ],
    });
  if (state.line) {
    const columns = Array.from(samples, (_, k) => samples[(k % count) * spins + Math.floor(k / count)]);
    pen.bitmap(columns, [spins, count], { x, y, cell: w / count, tall: w / spins }, pen.theme.binary, {
      id,
      frame,
      tip: (spin, n) => tip(n, spin, `variable ${spin + 1}`),
    });
  } else {
    const cell = (w - GAP * (SQUARES - 1)) / SQUARES / SIDE;
    const squares = Object.assign(samples, { shape: [count, SIDE, SIDE] });
    pen.mosaic(squares, { x, y, cell, columns: SQUARES, gap: GAP }, pen.theme.binary, (n) => ({
      id: `${id} ${n}`,
      frame,
      tip: (row, col) => tip(n, row * SIDE + col, `row ${row + 1}, column ${col + 1}`),
    }));
  }
}

/** @param {Pen} pen @param {any} state @param {Box} box */
function drawCurves(pen, state, box) {
  const { measure, budget, made, places, curves, rows, methods, band } = state;
  const [title, unit] = [TITLES[measure], UNITS[measure]];
  const count = made.shape[1];
  const words = budget === "time" ? "time, in sweeps of PMP" : "sweeps";
  const across = { range: [0, LAST], kind: "log1p", ticks: [0, 1, 2, 4, 8, 16, 32, LAST], title: words };
  const up = { ...AXES[measure], kind: "root", title: `${title}, ${unit}` };
  const scales = d.axes(pen, box, /** @type {Axis} */ (across), /** @type {Axis} */ (up));
  const near = `± ${d.num(2 * band)} ${unit}`;
  const told = () => /** @type {Tip} */ ({ title: "exact samples", rows: [["mostly within", near]] });
  d.region(pen, scales, [-2 * band, 2 * band], pen.theme.quiet, { id: "band", tip: told });
  d.rule(pen, scales, { y: 0 }, { stroke: pen.theme.ink, dash: [] });
  d.rule(pen, scales, { x: state.sweeps });
  const colour = (/** @type {number} */ m) => pen.theme.method(methods[m]);
  const tip = (/** @type {number} */ m, /** @type {number} */ row, k = m * count + row) => ({
    title: `${methods[m]}, ${d.count(made[k], "sweep")}`,
    rows: /** @type {[string, string][]} */ ([
      [title, `${d.num(curves[k])} ${unit}`],
      [words, d.num(places[k])],
    ]),
  });
  d.series(pen, scales, places, curves, { colour }, { id: "curves", tip });
  methods.forEach((/** @type {string} */ method, /** @type {number} */ m) => {
    const k = m * count + rows[m];
    const here = d.outline(pen, d.signOf(method), scales.x(places[k]), scales.y(curves[k]), 7);
    pen.shape(here, { fill: colour(m), stroke: pen.theme.paper, width: 1.5 });
  });
}

export default d.widget({
  label: "Samples of four methods, and their distance from exact samples",
  height: (width) => plan(width).height,
  draw,
});
