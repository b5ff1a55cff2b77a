// @ts-check
// Training camera: moments of data and samples, the gap between them by step, samples, and all weights.
import * as d from "../picture/draw.js";

/** @import { Box } from "../picture/marks.js" */
/** @import { Pen } from "../picture/pen.js" */
/** @import { Sign } from "../picture/plots.js" */
/** @import { View } from "../picture/view.js" */
/** @typedef {[string, string][]} Rows */
/** @typedef {{ i: number, j: number, k: number }} Pair two pixels, and the number of the pair */

const [SIDE, GAP, LEFT, CURVE] = [5, 6, 50, 104]; // samples in a row; CSS pixels between them, at the left of axes, of the curve
const LOWEST = 0.003; // of the axis of gaps
const SIGNS = /** @type {Record<string, Sign>} */ ({ PMP: "disk", Gibbs: "square" });

/** Where the parts are: samples and weights at the right of both plots, or below. @param {Pen} pen @param {any} state */
function plan({ width }, state) {
  const [, high, wide] = state.samples.shape;
  const narrow = width < 560;
  const room = narrow ? width - 2 : d.clamp(0.34 * width, 200, 250);
  const [tall, left] = [(room * high) / wide, narrow ? 1 : width - room - 1];
  const w = (narrow ? width : left - 24) - LEFT - 12;
  const moments = { x: LEFT, y: 30, w, h: narrow ? 0.8 * w : 2 * tall + 76 - CURVE - 130 };
  const curve = { x: LEFT, y: moments.y + moments.h + 56, w, h: CURVE };
  const top = narrow ? curve.y + CURVE + 58 : 22;
  const samples = { x: left, y: top, w: room, h: tall };
  const weights = { x: left, y: top + tall + 32, w: room, h: (room * high * high) / (wide * wide) };
  const height = Math.max(weights.y + weights.h + 34, curve.y + CURVE + 24);
  return { moments, curve, samples, weights, height };
}

/** @param {Pen} pen @param {any} state @param {View} view */
function draw(pen, state, view) {
  const pairs = countPairs(state);
  const at = plan(pen, state);
  const on = pointedAt(state, pairs.list, view);
  drawMoments(pen, state, at.moments, pairs, on);
  drawGaps(pen, state, at.curve);
  drawSamples(pen, state, at.samples, on);
  drawWeights(pen, state, at.weights, pairs, on);
}

/** All pairs of pixels i < j, in the order of the arrays, and in how many samples both are on. @param {any} state */
function countPairs({ samples, means }) {
  const n = means.length;
  const list = /** @type {Pair[]} */ ([]);
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) list.push({ i, j, k: list.length });
  const number = (/** @type {number} */ i, /** @type {number} */ j) => (i * (2 * n - i - 1)) / 2 + j - i - 1;
  const both = new Float32Array(list.length);
  for (let start = 0; start < samples.length; start += n) {
    const pixels = /** @type {number[]} */ ([]);
    for (let i = 0; i < n; i++) if (samples[start + i]) pixels.push(i);
    pixels.forEach((i, a) => {
      for (const j of pixels.slice(a + 1)) both[number(i, j)] += 1;
    });
  }
  return { list, both, number };
}

/** The pair of the dot or of the weight that is pointed at. @param {any} state @param {Pair[]} list @param {View} view */
function pointedAt(state, list, { on }) {
  if (on?.id === "pairs") return list[on.col] ?? null;
  if (on?.id !== "weights") return null;
  const [i, j] = pixelsOf(state, on.row, on.col);
  return list.find((pair) => pair.i === Math.min(i, j) && pair.j === Math.max(i, j)) ?? null;
}

/** The two pixels of a place in the picture of the weights. @param {any} state @param {number} row @param {number} col */
function pixelsOf({ samples }, row, col) {
  const [, high, wide] = samples.shape;
  return [Math.floor(row / high) * wide + Math.floor(col / wide), (row % high) * wide + (col % wide)];
}

/** @param {any} state @param {number} pixel */
const placeOf = ({ samples: { shape } }, pixel) =>
  `row ${Math.floor(pixel / shape[2]) + 1}, column ${(pixel % shape[2]) + 1}`;

/** What is known of a pair. @param {any} state @param {Float32Array} both @param {Pair} pair */
function pairTip(state, both, { i, j, k }) {
  const [data, drawn] = [state.data[k] / state.images, both[k] / state.samples.shape[0]];
  return {
    title: "a pair of pixels i and j",
    rows: /** @type {Rows} */ ([
      ["pixel i", placeOf(state, i)],
      ["pixel j", placeOf(state, j)],
      ["both on: share of the data", d.num(data)],
      ["both on: share of the samples", d.num(drawn)],
      ["data − samples", d.signed(data - drawn)],
      ["weight W_{ij}", d.nats(state.weights[k])],
    ]),
  };
}

/** @param {Pen} pen @param {any} state @param {Box} box @param {ReturnType<typeof countPairs>} pairs @param {Pair | null} on */
function drawMoments(pen, state, box, { list, both }, on) {
  const { theme } = pen;
  const range = /** @type {[number, number]} */ ([0, 1]);
  const titles = ["pairs: share of the data", "share of the samples"];
  const axis = { range, ticks: [0, 0.5, 1] };
  const scales = d.axes(pen, box, { ...axis, title: titles[0] }, { ...axis, title: titles[1] });
  pen.shape(pen.poly([scales.x(0), scales.y(0), scales.x(1), scales.y(1)]), { stroke: theme.quiet });
  const [data, drawn] = [
    Float32Array.from(state.data, (count) => count / state.images),
    both.map((count) => count / state.samples.shape[0]),
  ];
  const sides = /** @type {const} */ ([
    ["data", "each dot: a pair of pixels, across", { x: box.x, y: box.y + box.h + 4, w: box.w, h: 16 }],
    ["samples", "each dot: a pair of pixels, up", { x: box.x - 34, y: box.y, w: 32, h: box.h }],
  ]);
  for (const [part, title, edge] of sides) {
    const rows = /** @type {Rows} */ ([[`both on: share of the ${part}`, "from 0 to 1"]]);
    pen.mark({ id: `axis ${part}`, box: edge, tip: () => ({ title, rows }), parts: part });
  }
  const look = { fill: theme.method(state.sampler), radius: 1.4, alpha: 0.5 };
  const tip = (/** @type {number} */ k) => pairTip(state, both, list[k]);
  d.dots(pen, scales, data, drawn, look, { id: "pairs", tip, parts: "difference" });
  if (on) pen.shape(pen.disk(scales.x(data[on.k]), scales.y(drawn[on.k]), 5), { stroke: theme.ink, width: 1.5 });
}

/** @param {Pen} pen @param {any} state @param {Box} box */
function drawGaps(pen, state, box) {
  const { theme } = pen;
  const { gaps, taken, steps, floor, gap, step, sampler } = state;
  const scales = d.axes(
    pen,
    box,
    { range: [0, steps], ticks: [0, steps / 4, steps / 2, (3 * steps) / 4, steps], title: "steps of learning" },
    { range: [LOWEST, 0.5], kind: "log", ticks: [0.01, 0.1], title: "moment gap" },
  );
  d.rule(pen, scales, { y: floor });
  pen.text("gap by chance", box.x + box.w, scales.y(floor) + 13, { size: 11, align: "right" });
  const at = Float32Array.from(gaps, (_, k) => k + 1);
  const names = /** @type {[string, string, number][]} */ ([]); // of each step
  for (const [name, chains, sweeps, count] of taken) for (let k = 0; k < count; k++) names.push([name, chains, sweeps]);
  let first = 0;
  for (const [name, , , count] of taken) {
    const start = Math.max(first - 1, 0); // it goes on from the step before
    const look = { at: at.subarray(start, first + count), stroke: theme.method(name), width: 1.6 };
    d.curve(pen, scales, gaps.subarray(start, first + count), look);
    first += count;
  }
  const tip = (/** @type {number} */ k) => ({
    title: `step ${k + 1}`,
    rows: /** @type {Rows} */ ([
      ["moment gap", d.num(gaps[k])],
      ["gap by chance", d.num(floor)],
      ["learned with", names[k][0] === "PMP" ? "PMP, new samples" : `Gibbs, chains ${names[k][1]}`],
      ["sweeps", `${names[k][2]}`],
    ]),
  });
  if (gaps.length) d.curve(pen, scales, gaps, { at, stroke: undefined }, { id: "gaps", tip });
  const look = { fill: theme.method(sampler), sign: SIGNS[sampler], radius: 5 };
  const shown = () => ({
    title: "the samples that are shown",
    rows: /** @type {Rows} */ ([
      ["sampler", sampler],
      ["moment gap", d.num(gap)],
      ["gap by chance", d.num(floor)],
    ]),
  });
  d.dots(pen, scales, [step], [Math.max(gap, LOWEST)], look, { id: "gap of the samples", tip: shown });
}

/** @param {Pen} pen @param {any} state @param {Box} box @param {Pair | null} on */
function drawSamples(pen, state, box, on) {
  const { theme } = pen;
  const { samples, means, bias } = state;
  const [count, high, wide] = samples.shape;
  const n = high * wide;
  const sums = new Int32Array(n);
  samples.forEach((/** @type {number} */ value, /** @type {number} */ k) => (sums[k % n] += value));
  const some = Object.assign(samples.subarray(0, SIDE * SIDE * n), {
    shape: [Math.min(count, SIDE * SIDE), high, wide],
  });
  const cell = (box.w - (SIDE - 1) * GAP) / SIDE / wide;
  pen.text(`samples of ${state.sampler}`, box.x, box.y - 9, { colour: theme.ink });
  const place = { x: box.x, y: box.y, cell, columns: SIDE, gap: GAP };
  const boxes = pen.mosaic(some, place, theme.binary, (number) => ({
    id: `sample ${number}`,
    frame: theme.faint,
    parts: "samples",
    tip: (row, col) => ({
      title: `sample ${number + 1} of ${count}`,
      rows: /** @type {Rows} */ ([
        [placeOf(state, row * wide + col), d.NAMES[samples[number * n + row * wide + col]]],
        ["on: share of the data", d.num(means[row * wide + col])],
        ["on: share of the samples", d.num(sums[row * wide + col] / count)],
        ["bias b_{i}", d.nats(bias[row * wide + col])],
      ]),
    }),
  }));
  const inside = (/** @type {number} */ row, /** @type {number} */ col) => [on?.i, on?.j].includes(row * wide + col);
  if (on) pen.border(boxes, [high, wide], inside, { stroke: theme.accent, width: 2 });
}

/** The weights of each pixel to all others, as a small picture at its place. @param {Pen} pen @param {any} state @param {Box} box @param {ReturnType<typeof countPairs>} pairs @param {Pair | null} on */
function drawWeights(pen, state, box, { list, both, number }, on) {
  const { theme } = pen;
  const [, high, wide] = state.samples.shape;
  const [rows, cols] = [high * high, wide * wide];
  const limit = Math.max(0.001, ...state.weights.map(Math.abs));
  const pair = (/** @type {number} */ row, /** @type {number} */ col) => {
    const [i, j] = pixelsOf(state, row, col);
    return i === j ? null : list[number(Math.min(i, j), Math.max(i, j))];
  };
  const values = Float32Array.from({ length: rows * cols }, (_, place) => {
    const found = pair(Math.floor(place / cols), place % cols);
    return found ? state.weights[found.k] : Number.NaN;
  });
  pen.text("weights, a block for each pixel", box.x, box.y - 9, { colour: theme.ink });
  const colour = (/** @type {number} */ value) => (Number.isNaN(value) ? theme.paper : theme.diverging(value, limit));
  const there = pen.bitmap(values, [rows, cols], { x: box.x, y: box.y, cell: box.w / cols }, colour, {
    id: "weights",
    frame: theme.faint,
    tip: (row, col) => {
      const found = pair(row, col);
      if (found) return pairTip(state, both, found);
      const [pixel] = pixelsOf(state, row, col);
      const own = /** @type {Rows} */ ([["bias b_{i}", d.nats(state.bias[pixel])]]);
      return { title: `the pixel itself: ${placeOf(state, pixel)}`, rows: own };
    },
  });
  const lines = { stroke: theme.faint, width: 1 };
  for (let k = 1; k < high; k++) {
    const y = there.y + (k * there.h) / high;
    pen.shape(pen.poly([there.x, y, there.x + there.w, y]), lines);
  }
  for (let k = 1; k < wide; k++) {
    const x = there.x + (k * there.w) / wide;
    pen.shape(pen.poly([x, there.y, x, there.y + there.h]), lines);
  }
  const key = { x: there.x, y: there.y + there.h + 8, w: there.w };
  const ends = /** @type {[string, string, string]} */ ([
    `−${d.num(limit)}: repels`,
    "nats",
    `${d.num(limit)}: attracts`,
  ]);
  pen.key(key, (share) => theme.diverging(2 * share - 1), ends);
  if (!on) return;
  for (const [a, b] of [
    [on.i, on.j],
    [on.j, on.i],
  ]) {
    const [row, col] = [Math.floor(a / wide) * high + Math.floor(b / wide), (a % wide) * wide + (b % wide)];
    const [w, h] = [there.w / cols, there.h / rows];
    pen.shape(pen.rect(there.x + col * w - 2, there.y + row * h - 2, w + 4, h + 4, 2), {
      stroke: theme.ink,
      width: 1.5,
    });
  }
}

export default d.widget({
  label: "An Ising model that learns images: moments, samples and weights",
  height: (_, state, pen) => plan(pen, state).height,
  draw,
});
