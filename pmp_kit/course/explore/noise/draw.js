// @ts-check
// Perturbation lab: shares of the configurations, one draw of the noise, and a meter of the bound.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { Box } from "../picture/marks.js" */
/** @typedef {[string, string][]} Rows */

const [LEFT, BARS, DRAW, STRIP] = [40, 190, 116, 24]; // CSS pixels: of the numbers; heights
const SCALES = [2, 4, 8, 16, 32]; // nats: ends of the axis of one draw
const METER = /** @type {const} */ ([-2, 4]); // nats: of the mean of the maxima minus log Z
const HALF = 0.18; // of a column of one draw

/** Where the three plots are. Names that are too wide for their column are written downwards. @param {Pen} pen @param {any} state */
function plan({ width }, { labels }) {
  const box = (/** @type {number} */ y, /** @type {number} */ h) => ({ x: LEFT, y, w: width - LEFT - 12, h });
  const down = (width - LEFT - 12) / labels.length < 10 * labels[0].length + 4;
  const bars = box(34, BARS);
  const draw = box(bars.y + BARS + (down ? 12 * labels[0].length : 12) + 58, DRAW);
  const meter = box(draw.y + DRAW + 50, STRIP);
  return { bars, draw, meter, down, height: meter.y + STRIP + 44 };
}

/** @param {Pen} pen @param {any} state */
function draw(pen, state) {
  const { bars, draw, meter, down } = plan(pen, state);
  drawShares(pen, state, bars, down);
  drawNoise(pen, state, draw);
  drawMeter(pen, state, meter);
}

/** The name of a configuration. @param {any} state @param {number} k */
const x = ({ labels }, k) => `x = ${labels[k].length > 1 ? `(${[...labels[k]].join(", ")})` : labels[k]}`;

/** @param {Pen} pen @param {any} state @param {Box} box @param {boolean} down whether names are written downwards */
function drawShares(pen, state, box, down) {
  const { theme } = pen;
  const { labels, shares, gibbs, formula, samples } = state;
  const errors = shares.map((/** @type {number} */ p) => 2 * Math.sqrt((p * (1 - p)) / samples));
  const across = { range: /** @type {[number, number]} */ ([-0.5, labels.length - 0.5]), ticks: [] };
  const [top, step] = labels[0].length > 1 ? [0.65, 0.2] : [1, 0.25];
  const ticks = [0, 1, 2, 3, 4].map((k) => k * step).filter((tick) => tick <= top);
  const scales = d.axes(pen, box, across, { range: [0, top], ticks });
  const tip = (/** @type {number} */ k) => ({
    title: x(state, k),
    rows: /** @type {Rows} */ ([
      ["share of perturb-and-MAP", d.num(shares[k])],
      ["its two standard errors", d.num(errors[k])],
      ...(formula ? [["exact share", d.num(formula[k])]] : []),
      ["p(x) of the model", d.num(gibbs[k])],
      ["share − p(x)", d.signed(shares[k] - gibbs[k])],
    ]),
  });
  pen.mark({ id: "configuration", box, cols: labels.length, tip: (_, k) => tip(k) });
  d.bars(pen, scales, shares, { fill: () => theme.accent, share: 0.6 }, { id: "share", tip, parts: "shares" });
  labels.forEach((/** @type {string} */ label, /** @type {number} */ k) => {
    const [middle, ends] = [scales.x(k), [Math.max(0, shares[k] - errors[k]), shares[k] + errors[k]].map(scales.y)];
    pen.shape(pen.poly([middle, ends[0], middle, ends[1]]), { stroke: theme.ink, width: 1.5 });
    const line = pen.poly([scales.x(k - 0.42), scales.y(gibbs[k]), scales.x(k + 0.42), scales.y(gibbs[k])]);
    pen.shape(line, { stroke: theme.paper, width: 5 });
    pen.shape(line, { stroke: theme.ink, width: 2.5 });
    if (formula) {
      const diamond = d.outline(pen, "diamond", middle, scales.y(formula[k]), 5);
      pen.shape(diamond, { fill: theme.ink, stroke: theme.paper, width: 1.5 });
    }
    const words = down ? [...label] : [label];
    words.forEach((word, row) => pen.text(word, middle, box.y + box.h + 17 + 12 * row, { align: "center" }));
  });
  const exact = formula ? [{ words: "exact share", colour: theme.ink, sign: /** @type {const} */ ("diamond") }] : [];
  d.legend(pen, 0, 10, [
    { words: "perturb-and-MAP", colour: theme.accent, sign: "square" },
    ...exact,
    { words: "model p(x)", colour: theme.ink },
  ]);
}

/** @param {Pen} pen @param {any} state @param {Box} box */
function drawNoise(pen, state, box) {
  const { theme } = pen;
  const { labels, scores, added, draw } = state;
  const names = [...new Set(labels.join(""))];
  const sums = scores.map((/** @type {number} */ score, /** @type {number} */ k) => score + added[k]);
  const best = sums.indexOf(Math.max(...sums));
  const reach = SCALES.find((scale) => Math.max(...scores.map(Math.abs), ...sums.map(Math.abs)) <= scale) ?? SCALES[4];
  const across = { range: /** @type {[number, number]} */ ([-0.5, labels.length - 0.5]), ticks: [] };
  const up = { ticks: [-reach, 0, reach], title: "the first draw, nats" };
  const scales = d.axes(pen, box, across, { range: [-reach, 1.2 * reach], ...up });
  const tip = (/** @type {number} */ k) => ({
    title: `${x(state, k)}, first draw`,
    rows: /** @type {Rows} */ ([
      ["score(x)", d.nats(scores[k])],
      ...[...labels[k]].map((name, i) => [
        `noise ε_{${i + 1}}(${name})`,
        d.nats(draw[i * names.length + names.indexOf(name)]),
      ]),
      ["perturbed score, their sum", d.nats(sums[k])],
      ["the maximiser", k === best ? "yes" : "no"],
    ]),
  });
  pen.mark({ id: "draw", box, cols: labels.length, tip: (_, k) => tip(k) });
  const [top, middle] = [scales.y(sums[best]) - 6, scales.x(best)];
  const [left, low] = [scales.x(best - 2 * HALF), Math.max(scales.y(0), scales.y(scores[best]), scales.y(sums[best]))];
  const column = { x: left, y: top - 12, w: 2 * (middle - left), h: low - top + 12 };
  pen.mark({ id: "maximiser", box: column, tip: () => tip(best), parts: "maximiser" });
  const [score, noise] = [theme.quiet, theme.method("data")];
  d.bars(
    pen,
    scales,
    scores,
    { fill: () => score, share: 2 * HALF, shift: -HALF },
    { id: "score", tip, parts: "score" },
  );
  const look = { from: scores, share: 2 * HALF, shift: HALF };
  d.bars(pen, scales, sums, { fill: () => noise, ...look }, { id: "noise", tip, parts: "noise" });
  sums.forEach((/** @type {number} */ sum, /** @type {number} */ k) => {
    const ends = [scales.x(k - 2 * HALF), scales.y(sum), scales.x(k + 2 * HALF), scales.y(sum)];
    pen.shape(pen.poly(ends), { stroke: theme.ink, width: 2 });
  });
  pen.shape(d.outline(pen, "triangle", middle, top - 5, 7), { fill: theme.accent });
  const [right, down] = box.w < 420 ? [0, box.h + 14] : [150, -13]; // below the plot on a narrow page
  d.legend(pen, box.x + right, box.y + down, [
    { words: "score", colour: score, sign: "square" },
    { words: "noise", colour: noise, sign: "square" },
    { words: "sum", colour: theme.ink },
    { words: "maximiser", colour: theme.accent, sign: "triangle" },
  ]);
}

/** @param {Pen} pen @param {any} state @param {Box} box */
function drawMeter(pen, state, box) {
  const { theme } = pen;
  const [excess, two] = [state.mean_max - state.log_partition, 2 * state.error];
  const across = { range: /** @type {[number, number]} */ ([...METER]), ticks: [-2, -1, 0, 1, 2, 3, 4] };
  pen.shape(pen.rect(box.x, box.y, box.w / 3, box.h), { fill: theme.faint });
  const scales = d.axes(pen, box, across, { range: [0, 1], ticks: [] });
  const [zero, middle] = [scales.x(0), box.y + box.h / 2];
  const at = scales.x(d.clamp(excess, ...METER));
  const tip = () => ({
    title: "the bound",
    rows: /** @type {Rows} */ ([
      ["mean of the maxima", d.nats(state.mean_max)],
      ["log Z", d.nats(state.log_partition)],
      ["difference", `${d.signed(excess)} nats`],
      ["its two standard errors", d.nats(two)],
    ]),
  });
  pen.mark({ id: "meter", box, tip });
  pen.shape(pen.poly([zero, box.y - 3, zero, box.y + box.h]), { stroke: theme.ink, width: 2 });
  pen.mark({ id: "partition", box: { x: zero - 3, y: box.y - 3, w: 6, h: box.h + 3 }, tip, parts: "partition" });
  pen.text("no bound", box.x, box.y - 9);
  pen.text("log Z", zero, box.y - 9, { align: "center", colour: theme.ink });
  const words = `${d.fixed(excess, 3)} ± ${d.fixed(two, 3)} nats`;
  pen.text(excess > 0 ? `+${words}` : words, box.x + box.w, box.y - 9, { align: "right", colour: theme.accent });
  pen.text("mean of the maxima − log Z, nats", box.x + box.w / 2, box.y + box.h + 34, { align: "center" });
  const out = excess < METER[0] ? -1 : excess > METER[1] ? 1 : 0; // then an arrow at the end of the scale
  const half = Math.max(7, scales.x(two) - zero);
  pen.mark({ id: "mean", box: { x: at - half, y: box.y + 2, w: 2 * half, h: box.h - 4 }, tip, parts: "mean" });
  const [low, high] = [scales.x(excess - two), scales.x(excess + two)];
  const whisker = [low, high].flatMap((end) => [end, middle - 7, end, middle + 7, NaN, NaN]);
  if (!out) pen.shape(pen.poly([...whisker, low, middle, high, middle]), { stroke: theme.accent, width: 2 });
  const arrow = () => pen.poly([at, middle, at - 12 * out, middle - 7, at - 12 * out, middle + 7], true);
  pen.shape(out ? arrow() : pen.disk(at, middle, 4), { fill: theme.accent });
}

export default d.widget({
  label: "Shares of the configurations, one draw of the noise, and the bound of log Z",
  height: (_, state, pen) => plan(pen, state).height,
  draw,
});
