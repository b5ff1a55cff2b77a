// @ts-check
// Factor bench: the messages of one factor as bars, and the time to compute them below.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {[string, string][]} Rows */

const [TOP, LEFT, BELOW] = [50, 46, 58]; // CSS pixels: above the bars, left of both axes, between them
const [REACH, ROOM] = [8, 9.4]; // nats: where bars are cut off, and the end of the axis
const [OUT, IN] = [0.34, 0.24]; // thickness of a bar, as a share of its column
const heights = (/** @type {number} */ width) => ({ bars: width < 520 ? 210 : 250, times: 120 });

/** @param {Pen} pen @param {any} state */
function draw(pen, state) {
  const { bars, times } = heights(pen.width);
  const [x, w] = [LEFT, pen.width - LEFT - 12];
  drawKey(pen, state);
  drawMessages(pen, state, { x, y: TOP, w, h: bars });
  drawTimes(pen, state, { x, y: TOP + bars + BELOW, w, h: times });
}

/** @param {Pen} pen @param {any} state */
function drawKey(pen, state) {
  const { theme } = pen;
  const entries = /** @type {const} */ ([
    { words: "incoming", colour: theme.quiet, sign: "square" },
    { words: "outgoing: formula", colour: theme.accent, sign: "square" },
    {
      words: pen.width < 440 ? "enumerated" : `all ${state.configurations} configurations`,
      colour: theme.ink,
      sign: "dash",
    },
  ]);
  d.legend(pen, 2, 12, [...entries]);
}

/** The bars of each variable; its whole column answers. @param {Pen} pen @param {any} state @param {Box} box */
function drawMessages(pen, state, box) {
  const { theme } = pen;
  const [count, column] = [state.names.length, box.w / state.names.length];
  const scales = d.axes(
    pen,
    box,
    { range: [0, count], ticks: [] },
    {
      range: [-ROOM, ROOM],
      ticks: [-6, -3, 0, 3, 6],
      title: `messages of ${state.factor}: ${state.potts ? "scores" : "log-odds"} in nats`,
    },
  );
  const bar = (/** @type {number} */ value, /** @type {number} */ middle, /** @type {number} */ share) => {
    const ends = [scales.y(0), scales.y(d.clamp(value, -REACH, REACH))];
    const wide = Math.min(share * column, 44);
    return pen.rect(middle - wide / 2, Math.min(...ends), wide, Math.max(Math.abs(ends[0] - ends[1]), 1), 1.5);
  };
  for (let k = 0; k < count; k++) {
    const middle = scales.x(k + 0.5);
    const [incoming, outgoing, tried] = [state.incoming[k], state.formula[k], state.tried[k]];
    const [left, right] = [middle - Math.min(0.22 * column, 28), middle + Math.min(0.18 * column, 24)];
    pen.shape(bar(incoming, left, IN), { fill: theme.quiet, alpha: 0.6 });
    pen.shape(bar(outgoing, right, OUT), { fill: theme.accent, alpha: 0.85 });
    const across = scales.y(d.clamp(tried, -REACH, REACH));
    const wide = Math.min(0.25 * column, 32);
    pen.shape(pen.poly([right - wide, across, right + wide, across]), { stroke: theme.ink, width: 2.5 });
    const up = outgoing >= 0;
    pen.text(shortly(outgoing, column), right, scales.y(d.clamp(outgoing, -REACH, REACH)) + (up ? -7 : 17), {
      align: "center",
      colour: theme.accent,
      weight: 600,
      halo: true,
    });
    pen.text(state.names[k], middle, box.y + box.h + 16, { align: "center", colour: theme.ink });
    pen.mark({
      id: `variable ${k}`,
      box: { x: box.x + k * column + 2, y: box.y, w: column - 4, h: box.h + 20 },
      tip: () => ({ title: state.names[k], rows: rowsOf(state, k) }),
    });
  }
}

/** What is said of a variable, or of a state of the Potts pair. @param {any} state @param {number} k @returns {Rows} */
function rowsOf({ incoming, formula, tried, differences, configurations, potts }, k) {
  const name = potts ? "score" : "message";
  const symbol = (/** @type {string} */ text) => (potts ? "" : ` ${text}`);
  return [
    [`incoming ${name}${symbol(`t_{${k + 1}}`)}`, d.nats(incoming[k])],
    [`outgoing ${name}${symbol(`m_{a→${k + 1}}`)}, by the formula`, inWords(formula[k])],
    [`by trying all ${configurations} configurations`, inWords(tried[k])],
    ["difference", d.nats(differences[k])],
  ];
}

const inWords = (/** @type {number} */ message) =>
  Number.isFinite(message) ? d.nats(message) : `${d.nats(message)}: must be ${message > 0 ? 1 : 0}`;

/** @param {number} message @param {number} column */
function shortly(message, column) {
  if (Number.isFinite(message)) return Math.abs(message) < 0.05 ? "0" : d.signed(Number(message.toFixed(1)));
  return column < 90 ? d.signed(message) : `must be ${message > 0 ? 1 : 0}`;
}

/** Measured times, and an extrapolation of those that double with each variable. @param {Pen} pen @param {any} state @param {Box} box */
function drawTimes(pen, state, box) {
  const { theme } = pen;
  const title = `milliseconds for all messages of “exactly k”${box.w < 460 ? "" : ", k = n / 2, measured here"}`;
  const write = (/** @type {number} */ value) => d.num(value, 4);
  const scales = d.axes(
    pen,
    box,
    { range: [1.6, 6000], kind: "log", ticks: [2, 4, 8, 16, 64, 256, 1024, 4096], write },
    { range: [0.004, 3000], kind: "log", ticks: [0.01, 1, 100], title },
  );
  const curves = /** @type {const} */ ([
    ["tried", "all 2ⁿ configurations", theme.ink],
    ["formula", "formula: one sort", theme.accent],
  ]);
  const last = state.tried_sizes.length - 1;
  const [from, ms] = [state.tried_sizes[last], state.tried_times[last]];
  const further = pen.poly([scales.x(from), scales.y(ms), scales.x(from + 9), scales.y(ms * 2 ** 9)]);
  pen.shape(further, { stroke: theme.ink, width: 1.5, dash: [2, 3] });
  pen.mark({
    id: "extrapolated",
    box: { x: scales.x(from), y: scales.y(ms * 2 ** 9), w: scales.x(from + 9) - scales.x(from), h: 40 },
    path: further,
    tip: () => ({ title: "extrapolated, not measured", rows: [["one more variable", "twice the time"]] }),
  });
  pen.text("variables n →", box.x + box.w, box.y + box.h + 33, { size: 11, align: "right" });
  d.rule(pen, scales, { x: state.names.length });
  for (const [name, words, colour] of curves) {
    const [sizes, times] = [state[`${name}_sizes`], state[`${name}_times`]];
    d.curve(pen, scales, times, { at: sizes, stroke: colour });
    d.dots(
      pen,
      scales,
      sizes,
      times,
      { fill: colour },
      {
        id: `time ${name}`,
        tip: (k) => ({
          title: words,
          rows: [
            ["variables n", d.num(sizes[k], 4)],
            ["time of all messages", `${d.num(times[k])} ms`],
          ],
        }),
      },
    );
  }
  pen.text("2ⁿ configurations", scales.x(from + 9) + 8, scales.y(ms * 2 ** 9) + 14, { colour: theme.ink, halo: true });
  const sorted = state.formula_times[1];
  pen.text("formula: one sort", scales.x(256), scales.y(sorted) - 12, {
    colour: theme.accent,
    halo: true,
    align: "center",
  });
}

export default d.widget({
  label: "Messages to and from one factor",
  height: (width) => TOP + heights(width).bars + BELOW + heights(width).times + 40,
  draw,
});
