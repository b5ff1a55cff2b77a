// @ts-check
// Composer: a sheet of samples, the marginals beside it, and shares of the samples by sweep below.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {[string, string][]} Rows */

const SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"; // of the states 0, 1, ... of a variable with more than two
const [TOP, GAP, MOST_BARS] = [26, 9, 32]; // CSS pixels above both parts and between samples; more marginals are a map
const [SHEET, CURVES] = [290, 78]; // CSS pixels: most height of the samples, height of the curves

/** Where everything is. @param {Pen} pen @param {any} state */
function plan(pen, state) {
  const narrow = pen.width < 560;
  const wide = narrow ? pen.width - 2 : 0.42 * pen.width;
  const sheet = sheetOf(pen, state, wide);
  const bars = state.marginals.length <= MOST_BARS;
  const left = narrow ? 38 : wide + 62;
  const top = narrow ? TOP + sheet.height + 40 : TOP;
  const marginals = { x: left, y: top, w: pen.width - left - 4, h: bars ? 190 : 290 };
  const below = Math.max(TOP + sheet.height, top + marginals.h + (bars ? 48 : 58));
  const curves = { x: 38, y: below + 34, w: pen.width - 50, h: CURVES };
  return { sheet, bars, marginals, curves, height: curves.y + CURVES + 36 };
}

/** How many samples fit, and how large their pixels are. @param {Pen} pen @param {any} state @param {number} wide */
function sheetOf(pen, { pictures, most }, wide) {
  const [count, rows, cols] = pictures.shape;
  const large = Math.max(rows, cols);
  const least = large > 9 ? 3 : most > 1 ? 13 : 8; // CSS pixels of a cell, if it fits
  const cellOf = (/** @type {number} */ columns) => ((wide + GAP) / columns - GAP) / cols;
  let columns = 6;
  while (columns > 1 && cellOf(columns) < least) columns--;
  const cell = pen.snap(Math.min(cellOf(columns), SHEET / rows, 22));
  const pitch = rows * cell + GAP;
  const lines = Math.max(1, Math.min(Math.ceil(count / columns), Math.floor((SHEET + GAP) / pitch)));
  return { columns, cell, count: Math.min(count, lines * columns), height: lines * pitch };
}

/** @param {Pen} pen @param {any} state */
function draw(pen, state) {
  const { sheet, bars, marginals, curves } = plan(pen, state);
  drawSamples(pen, state, sheet);
  if (bars) drawBars(pen, state, marginals);
  else drawMap(pen, state, marginals);
  drawCurves(pen, state, curves);
}

/** @param {Pen} pen @param {any} state @param {ReturnType<typeof sheetOf>} sheet */
function drawSamples(pen, state, { columns, cell, count }) {
  const { theme } = pen;
  const { pictures, most, allowed } = state;
  const [, rows, cols] = pictures.shape;
  const letters = most > 1 && most < SYMBOLS.length && cell >= 9;
  const some = Object.assign(pictures.subarray(0, count * rows * cols), { shape: [count, rows, cols] });
  const words = count < state.samples ? `${count} of ${state.samples} samples` : "samples";
  pen.text(words, 2, TOP - 11, { colour: theme.ink, weight: 600 });
  const colour = (/** @type {number} */ value) =>
    letters ? theme.paper : theme.binary(d.clamp(value / Math.max(most, 1)));
  const boxes = pen.mosaic(some, { x: 2, y: TOP, cell, columns, gap: GAP }, colour, (n) => ({
    id: `sample ${n}`,
    frame: allowed[n] ? theme.faint : theme.warn,
    heavy: !allowed[n],
    tip: (row, col) => ({
      title: `sample ${n + 1}`,
      rows: [
        [placeOf(state, row, col), `${state.own ? "state " : ""}${some[(n * rows + row) * cols + col]}`],
        ...(state.ruled
          ? /** @type {Rows} */ ([["rules", allowed[n] ? "all are kept" : "one or more are broken"]])
          : []),
      ],
    }),
  }));
  if (!letters) return;
  boxes.forEach(({ x, y, w, h }, n) => {
    for (let k = 0; k < rows * cols; k++) {
      const [row, col] = [Math.floor(k / cols), k % cols];
      pen.text(SYMBOLS[some[n * rows * cols + k]] ?? "", x + ((col + 0.5) * w) / cols, y + ((row + 0.5) * h) / rows, {
        size: Math.min(0.8 * cell, 13),
        align: "center",
        base: "middle",
        colour: theme.ink,
      });
    }
  });
}

/** @param {any} state @param {number} row @param {number} col */
function placeOf({ pictures, own }, row, col) {
  if (pictures.shape[1] > 1) return `row ${row + 1}, column ${col + 1}`;
  return `${own ? "variable" : "place"} ${col + 1}`;
}

/** What an entry of the marginals is called; variables are counted from 1, states from 0. @param {any} state @param {number} k */
const nameOf = ({ states }, k) =>
  states > 2 ? `variable ${Math.floor(k / states) + 1}, state ${k % states}` : `variable ${k + 1}`;

/** @param {any} state @param {number} k @returns {Rows} */
function rowsOf({ states, marginals, exact, samples }, k) {
  const share = /** @type {Rows} */ ([
    [`share of ${states > 2 ? "this state" : "ones"}, samples`, d.num(marginals[k])],
  ]);
  if (!exact) return share;
  const error = Math.sqrt((exact[k] * (1 - exact[k])) / samples);
  return [
    ...share,
    ["exact probability", d.num(exact[k])],
    ["difference", d.signed(marginals[k] - exact[k])],
    [`standard error of ${samples} samples`, d.num(error)],
  ];
}

/** A bar for each marginal; its whole column answers. @param {Pen} pen @param {any} state @param {Box} box */
function drawBars(pen, state, box) {
  const { theme } = pen;
  const { marginals, exact, worst, states } = state;
  const [count, several] = [marginals.length, states > 2];
  const every = several || count <= 12 ? 1 : 4; // so that no names touch
  const scales = d.axes(
    pen,
    box,
    {
      range: [-0.5, count - 0.5],
      ticks: Array.from({ length: count }, (_, k) => k).filter((k) => k % every === 0),
      write: (k) => `${several ? k % states : k + 1}`,
    },
    { range: [0, 1], ticks: [0, 0.5, 1], title: several ? "share of each state" : "share of ones" },
  );
  pen.text(several ? "state, variable by variable" : "variable", box.x + box.w, box.y + box.h + 32, {
    size: 11,
    align: "right",
  });
  if (exact) d.legend(pen, box.x + box.w - 62, box.y - 13, [{ words: "exact", colour: theme.ink }]);
  const column = box.w / count;
  for (let k = 0; k < count; k++) {
    const [middle, top] = [scales.x(k), scales.y(marginals[k])];
    const line = (/** @type {number[]} */ ...ends) => pen.poly(ends);
    pen.shape(pen.rect(middle - 0.29 * column, top, 0.58 * column, scales.y(0) - top), {
      fill: theme.accent,
      alpha: 0.85,
    });
    if (several && k && k % states === 0)
      pen.shape(line(middle - column / 2, box.y, middle - column / 2, box.y + box.h), { stroke: theme.faint });
    if (k === worst) pen.shape(line(middle, top, middle, scales.y(exact[k])), { stroke: theme.warn, width: 3 });
    if (exact) {
      const y = scales.y(exact[k]);
      pen.shape(line(middle - 0.42 * column, y, middle + 0.42 * column, y), { stroke: theme.ink, width: 2.2 });
    }
    pen.mark({
      id: `marginal ${k}`,
      box: { x: middle - column / 2, y: box.y - 4, w: column, h: box.h + 22 },
      tip: () => ({ title: nameOf(state, k), rows: rowsOf(state, k) }),
    });
  }
  if (worst === null) return;
  const shares = `samples ${marginals[worst].toFixed(2)}, exact ${exact[worst].toFixed(2)}`;
  pen.text(`${nameOf(state, worst)}: ${shares}`, box.x, box.y + box.h + 46, { colour: theme.warn });
}

/** @param {Pen} pen @param {any} state @param {Box} box */
function drawMap(pen, state, box) {
  const { theme } = pen;
  const { marginals, states, rows, pictures } = state;
  const [cols, several] = [marginals.length / rows, states > 2];
  const places = !several && rows === pictures.shape[1] * pictures.shape[2] && rows > 1;
  const numbers = (/** @type {number} */ count, first = 1) => Array.from({ length: count }, (_, k) => `${k + first}`);
  const title = several ? "share of each state" : "share of ones";
  pen.text(title, box.x, box.y - 11, { colour: theme.ink, weight: 600 });
  const names = several ? "variable ↓, state →" : places ? "place ↓, its variables →" : "row ↓, column →";
  pen.text(names, box.x + box.w, box.y - 11, { size: 11, align: "right" });
  d.heat(pen, marginals, [rows, cols], box, theme.cividis, {
    id: "marginals",
    rows: numbers(rows),
    cols: numbers(cols, several ? 0 : 1),
    tip: (row, col) => {
      const k = row * cols + col;
      const place = /** @type {Rows} */ (places ? [["place of the picture", `${row + 1}`]] : []);
      return { title: nameOf(state, k), rows: [...place, ...rowsOf(state, k)] };
    },
  });
  pen.key({ x: box.x, y: box.y + box.h + 28, w: Math.min(150, box.w) }, theme.cividis, ["0", "share", "1"]);
}

/** @param {Pen} pen @param {any} state @param {Box} box */
function drawCurves(pen, state, box) {
  const { theme } = pen;
  const { settled, lawful, ruled, row, every } = state;
  const last = lawful.length - 1;
  const scales = d.axes(
    pen,
    box,
    { range: [0, last], ticks: [0, last / 4, last / 2, (3 * last) / 4, last], write: (at) => d.num(at * every) },
    { range: [0, 1.04], ticks: [0, 1], title: box.w < 400 ? "share of samples" : "share of the samples" },
  );
  pen.text("sweeps →", box.x + box.w, box.y + box.h + 32, { size: 11, align: "right" });
  const percent = (/** @type {number} */ share) => `${d.num(100 * share)} %`;
  const rows = (/** @type {number} */ k) =>
    /** @type {Rows} */ ([
      ...(settled ? [["settled", percent(settled[k])]] : []),
      ...(ruled ? [["keep all rules", percent(lawful[k])]] : []),
    ]);
  const told = {
    id: "sweeps",
    tip: (/** @type {number} */ k) => ({ title: `after ${k * every} sweeps`, rows: rows(k) }),
  };
  d.rule(pen, scales, { x: row });
  if (ruled) d.curve(pen, scales, lawful, { stroke: theme.ink, dash: [5, 4] }, settled ? undefined : told);
  if (settled) d.curve(pen, scales, settled, {}, told);
  d.legend(pen, box.x + Math.max(box.w - 230, 124), box.y - 13, [
    ...(settled ? [{ words: "settled", colour: theme.accent }] : []),
    ...(ruled ? [{ words: "keep all rules", colour: theme.ink, dash: [5, 4] }] : []),
  ]);
}

export default d.widget({
  label: "Samples of a model, and how often each variable is in each state",
  height: (_, state, pen) => plan(pen, state).height,
  draw,
});
