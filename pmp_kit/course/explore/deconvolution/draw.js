// @ts-check
// Deconvolution studio: beliefs of the features, the images that they draw, and the share of pixels that are right.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { Rgb, Theme } from "../picture/theme.js" */
/** @import { Box } from "../picture/marks.js" */
/** @import { View } from "../picture/view.js" */
/** @typedef {[string, string][]} Rows of a tip */

const [TOP, GAP, NARROW, ACROSS] = [42, 14, 8, 8]; // CSS pixels; images in a row
const EVERY = 4; // sweeps between two frames
/** What a pixel is, and the colour of that. @type {[string, (theme: Theme) => Rgb][]} */
const KINDS = [
  ["right, no ink", ({ paper }) => paper],
  ["right, ink", ({ ink }) => ink],
  ["ink is missing", (theme) => theme.method("data")],
  ["ink too much", ({ warn }) => warn],
  ["not given, no ink", ({ paper, ink }) => d.mix(paper, ink, 0.12)],
  ["not given, ink", ({ paper, ink }) => d.mix(paper, ink, 0.55)],
];

/** Where everything is: the features above the images, and beside them the first image. @param {Pen} pen */
function plan({ width }) {
  const narrow = width < 520;
  const wide = narrow ? width - 6 : 0.58 * width;
  const [feature, small] = [(wide - 3 * GAP) / 4, (wide - (ACROSS - 1) * NARROW) / ACROSS];
  const images = { x: 3, y: TOP + feature + 70, cell: small / 10, columns: ACROSS, gap: NARROW };
  const below = images.y + 2 * (small + NARROW);
  const side = narrow ? Math.min(width - 6, 300) : width - wide - 34;
  const large = narrow ? { x: 3, y: below + 30, cell: side / 10 } : { x: wide + 30, y: 24, cell: side / 10 };
  const legend = Math.max(below, large.y + side) + 20;
  const curve = { x: 46, y: legend + (narrow ? 62 : 44), w: width - 62, h: 70 };
  return { wide, feature, images, large, legend, curve, narrow, height: curve.y + curve.h + 22 };
}

/** @param {Pen} pen @param {any} state @param {View} view */
function draw(pen, state, view) {
  const { wide, feature, images, large, legend, curve, narrow } = plan(pen);
  drawFeatures(pen, state, view, { x: 3, y: TOP, cell: feature / 4 });
  const limits = /** @type {[string, string, string]} */ ([`−${state.limit}: no ink`, "nats", `${state.limit}: ink`]);
  pen.key(
    { x: 3, y: TOP + feature + 11, w: Math.min(wide, 240) },
    (share) => pen.theme.diverging(2 * share - 1),
    limits,
  );
  drawImages(pen, state, view, images, large);
  const entries = KINDS.map(([words, colour]) => ({
    words,
    colour: colour(pen.theme),
    sign: /** @type {const} */ ("square"),
  }));
  const shown = [entries[1], entries[2], entries[3], { ...entries[5], words: "drawn, not given" }];
  for (let k = 0; k < 4; k += narrow ? 2 : 4) d.legend(pen, 3, legend + 9 * k, shown.slice(k, narrow ? k + 2 : 4));
  drawCurve(pen, state, view, curve);
}

/** @param {Pen} pen @param {any} state @param {View} view @param {{ x: number, y: number, cell: number }} place */
function drawFeatures(pen, state, view, { x, y, cell }) {
  const { theme } = pen;
  const [, count, rows, cols] = state.beliefs.shape;
  const size = rows * cols;
  const { limit, kinds } = state;
  pen.title("features W, as believed", { x, y: 24 });
  for (let k = 0; k < count; k++) {
    const left = x + k * (cols * cell + GAP);
    const beliefs = Array.from({ length: size }, (_, pixel) => d.between(state.beliefs, view.at, k * size + pixel));
    pen.text(cell < 19 ? `${k + 1}` : `${k + 1}: ${kinds[view.frame][k]}`, left, y - 7, { colour: theme.ink });
    pen.bitmap(beliefs, [rows, cols], { x: left, y, cell }, (belief) => theme.diverging(belief, limit), {
      id: `feature ${k}`,
      frame: theme.numbered(k),
      heavy: true,
      tip: (row, col) => {
        const belief = state.beliefs[(view.frame * count + k) * size + row * cols + col];
        const cut = Math.abs(belief) < limit ? "" : belief > 0 ? "at least " : "at most ";
        return {
          title: `feature W_{${k + 1}}, row ${row + 1}, column ${col + 1}`,
          rows: [
            ["belief", cut + d.nats(belief)],
            ["decoded", belief < 0 ? "no ink" : "ink"],
            ["this feature", kinds[view.frame][k].replace("copy of", "copy of feature")],
          ],
        };
      },
    });
  }
}

/** @param {Pen} pen @param {any} state @param {View} view @param {any} place @param {any} large */
function drawImages(pen, state, view, place, large) {
  const { theme } = pen;
  const { given } = state;
  const [, count, features, rows, cols] = state.covered.shape;
  const size = rows * cols;
  const covers = (/** @type {number} */ n, /** @type {number} */ k, /** @type {number} */ pixel) =>
    state.covered[((view.frame * count + n) * features + k) * size + pixel];
  const drawing = (/** @type {number} */ n, /** @type {number} */ pixel) =>
    [...Array(features).keys()].filter((k) => covers(n, k, pixel));
  const kinds = Object.assign(
    Uint8Array.from(state.images, (ink, k) => {
      const n = Math.floor(k / size);
      const drawn = drawing(n, k % size).length > 0;
      return n >= given ? 4 + Number(drawn) : drawn === Boolean(ink) ? ink : 2 + Number(drawn);
    }),
    { shape: [count, rows, cols] },
  );
  const tip = (/** @type {number} */ n) => (/** @type {number} */ row, /** @type {number} */ col) => {
    const pixel = row * cols + col;
    const by = drawing(n, pixel).map((k) => k + 1);
    return {
      title: `image X_{${n + 1}}, row ${row + 1}, column ${col + 1}`,
      rows: /** @type {Rows} */ ([
        ["the image", n >= given ? "not given" : state.images[n * size + pixel] ? "ink" : "no ink"],
        ["drawn", by.length ? `ink, by feature${by.length > 1 ? "s" : ""} ${by.join(", ")}` : "no ink"],
        ["this pixel", KINDS[kinds[n * size + pixel]][0]],
      ]),
    };
  };
  const colour = (/** @type {number} */ kind) => KINDS[kind][1](theme);
  pen.title("images X, as drawn by W and S", place);
  pen.mosaic(kinds, place, colour, (n) => ({ id: `image ${n}`, frame: theme.faint, tip: tip(n) }));
  pen.title("image 1 and the features on it", large);
  const look = { id: "large image", frame: theme.faint, tip: tip(0) };
  const box = pen.bitmap(kinds.subarray(0, size), [rows, cols], large, colour, look);
  const line = 0.12 * large.cell;
  for (let k = 0; k < features; k++) {
    const inside = (/** @type {number} */ row, /** @type {number} */ col) => covers(0, k, row * cols + col) === 1;
    pen.border([box], [rows, cols], inside, { stroke: theme.numbered(k), width: line }, (k + 0.5) * line);
  }
  const drawn = kinds.subarray(0, size).some((_, pixel) => drawing(0, pixel).length);
  const middle = /** @type {const} */ ({ align: "center", colour: theme.ink, halo: true });
  if (!drawn) pen.text("no feature is placed here", box.x + box.w / 2, box.y + box.h / 2, middle);
}

/** @param {Pen} pen @param {any} state @param {View} view @param {Box} box */
function drawCurve(pen, state, view, box) {
  const last = EVERY * (state.right.length - 1);
  const write = (/** @type {number} */ share) => `${100 * share} %`;
  const scales = d.axes(
    pen,
    box,
    { range: [0, last], ticks: [0, 20, 40, 60, last], title: "sweeps" },
    { range: [0.5, 1], title: "pixels that are right", write },
  );
  const sweeps = Array.from(state.right, (_, k) => EVERY * k);
  d.rule(pen, scales, { x: EVERY * view.at });
  d.curve(
    pen,
    scales,
    state.right,
    { at: sweeps },
    {
      id: "right",
      press: (k) => view.player?.show(k),
      tip: (k) => ({
        title: `after ${d.count(sweeps[k], "sweep")}`,
        rows: [
          ["pixels that are right", `${d.num(100 * state.right[k])} %`],
          ["compared", d.count(state.given, "image")],
        ],
      }),
    },
  );
  const dot = pen.disk(scales.x(EVERY * view.at), scales.y(d.between(state.right, view.at, 0)), 4.5);
  pen.shape(dot, { fill: pen.theme.accent, stroke: pen.theme.paper, width: 1.5 });
}

export default d.widget({
  label: "Four features, sixteen images drawn with them, and the share of the pixels that are right",
  unit: "sweep",
  every: EVERY,
  frames: (state) => state?.right.length ?? 1,
  opens: (state) => state.row,
  height: (_, __, pen) => plan(pen).height,
  draw,
});
