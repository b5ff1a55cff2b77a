// @ts-check
// Sample judge: six images of each set, its distance from real zeros as a bar, and the kernel above the bars.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { Box } from "../picture/marks.js" */
/** @typedef {[string, string][]} Rows */

const [SHOWN, TOP, KERNEL] = [6, 26, 62]; // images in a row; CSS pixels: of the first row, height of the plot of the kernel
const [LOW, HIGH, BAND] = [-3.5, 12, 2]; // standard deviations: the axis of the bars, and half of the band
const MOST = 0.5; // share of pixels on the axis of the kernel

/** Where everything is: the plots at the right of the images, or below them on a narrow page. @param {number} width */
function plan(width) {
  const narrow = width < 560;
  const [left, gap] = narrow ? [1, 20] : [0.19 * width, 10];
  const cell = ((narrow ? width - 2 : 0.45 * width) - (SHOWN - 1) * gap) / 10 / SHOWN;
  const pitch = 10 * cell + gap;
  const right = narrow ? 22 : left + SHOWN * pitch + 20;
  const rows = TOP + (narrow ? pitch + 26 : Math.max(pitch, KERNEL) + 58);
  const kernel = { x: right, y: narrow ? rows + 4 * pitch + 22 : TOP, w: width - right - 18, h: KERNEL };
  const [y, h] = narrow ? [kernel.y + 112, 128] : [rows - gap / 2, 4 * pitch];
  const bars = { x: right, y, w: width - right - 54, h };
  return { narrow, sheet: { x: left, cell, columns: SHOWN, gap }, rows, pitch, kernel, bars, height: y + h + 26 };
}

/** @param {Pen} pen @param {any} state */
function draw(pen, state) {
  const { narrow, sheet, rows, pitch, kernel, bars } = plan(pen.width);
  drawImages(pen, state.reference, { ...sheet, y: TOP }, "reference", () => []);
  const compared = (/** @type {number} */ n) =>
    /** @type {Rows} */ ([
      ["H to the nearest of the reference", d.count(state.nearest[n], "pixel")],
      ["their similarity k", d.num(similarity(state, state.nearest[n]))],
    ]);
  drawImages(pen, state.images, { ...sheet, y: rows }, state.names, compared);
  drawKernel(pen, state, kernel);
  drawBars(pen, state, bars, narrow);
  const below = narrow ? -10 : (pitch - sheet.gap) / 2;
  const look = { colour: pen.theme.ink, base: /** @type {const} */ ("middle") };
  pen.text("reference", 0, TOP + below, look);
  pen.text(`zeros, ${state.name}`, narrow ? 62 : 0, TOP + below + (narrow ? 0 : 17), { base: "middle" });
  state.names.forEach((/** @type {string} */ name, /** @type {number} */ k) =>
    pen.text(name, 0, rows + k * pitch + below, look),
  );
}

/** The number of pixels of an image. @param {any} state */
const sizeOf = ({ images }) => images.shape[1] * images.shape[2];
/** The kernel. @param {any} state @param {number} differ pixels that differ */
const similarity = (state, differ) => Math.exp((-state.scale * differ) / sizeOf(state));

/** Images in rows of SHOWN. @param {Pen} pen @param {any} images @param {any} place @param {string | string[]} names of the rows @param {(n: number) => Rows} more */
function drawImages(pen, images, place, names, more) {
  const boxes = pen.mosaic(images, place, pen.theme.binary, () => ({ frame: pen.theme.faint }));
  d.rowsOf(images).forEach((/** @type {any} */ image, n) => {
    const [name, place] = [[names].flat()[Math.floor(n / SHOWN)], n % SHOWN];
    const on = /** @type {Rows} */ ([["pixels on", `${image.filter(Boolean).length} of ${image.length}`]]);
    const tip = () => ({ title: `${name}, image ${place + 1}`, rows: [...on, ...more(n)] });
    pen.mark({ id: `${name} ${place}`, box: boxes[n], tip });
  });
}

/** @param {Pen} pen @param {any} state @param {Box} box */
function drawKernel(pen, state, box) {
  const { theme } = pen;
  const percent = (/** @type {number} */ share) => `${100 * share} %`;
  const across = { ticks: [0, 0.25, 0.5], write: percent, title: "pixels that differ" };
  const scales = d.axes(pen, box, { range: [0, MOST], ...across }, { range: [0, 1], title: "kernel k" });
  const [size, pairs, most] = [sizeOf(state), state.pairs, Math.max(...state.pairs)];
  const all = pairs.reduce((/** @type {number} */ sum, /** @type {number} */ some) => sum + some, 0);
  const shares = Float32Array.from({ length: MOST * size + 1 }, (_, H) => H / size);
  const count = (/** @type {number} */ H) => pairs[H] ?? 0; // no pair differs in more
  shares.forEach((share, H) => {
    const [x, y] = [scales.x(share), scales.y(count(H) / most)];
    pen.shape(pen.rect(x, y, box.w / shares.length, scales.y(0) - y), { fill: theme.faint });
  });
  const tip = (/** @type {number} */ H) => ({
    title: `images that differ in ${d.count(H, "pixel")}`,
    rows: /** @type {Rows} */ ([
      ["H / D", `${H} / ${size}`],
      ["kernel k = exp(−s H / D)", d.num(similarity(state, H))],
      ["pairs of real zeros", `${count(H)} of ${all}`],
    ]),
  });
  const kernel = shares.map((_, H) => similarity(state, H));
  d.curve(pen, scales, kernel, { at: shares, stroke: theme.ink }, { id: "kernel", tip });
  pen.text("grey: pairs of real zeros", box.x + box.w, box.y + 14, { align: "right", halo: true });
}

/** @param {Pen} pen @param {any} state @param {Box} box @param {boolean} named whether the names stand above the bars */
function drawBars(pen, state, box, named) {
  const { theme } = pen;
  const x = (/** @type {number} */ sigma) => box.x + (box.w * (sigma - LOW)) / (HIGH - LOW);
  pen.shape(pen.rect(x(-BAND), box.y, x(BAND) - x(-BAND), box.h), { fill: theme.faint });
  const across = { range: /** @type {[number, number]} */ ([LOW, HIGH]), ticks: [-2, 0, 2, 5, 10] };
  const scales = d.axes(pen, box, across, { range: [3.5, -0.5], ticks: [], title: "distance, standard deviations" });
  d.rule(pen, scales, { x: 0 });
  const colours = [theme.method("data"), theme.method("PMP"), theme.quiet, theme.ink];
  const { names, sigmas, discrepancies, deviations } = state;
  const told = (/** @type {number} */ k) => ({
    title: names[k],
    rows: /** @type {Rows} */ ([
      ["MMD²", d.num(discrepancies[k])],
      ["its standard deviation", d.num(deviations[k])],
      ["distance, their ratio", `${d.num(sigmas[k])} standard deviations`],
      ["in the band", Math.abs(sigmas[k]) < BAND ? "yes" : "no"],
      ["images", `${k ? state.number : state.real}`],
    ]),
  });
  const ends = sigmas.map((/** @type {number} */ sigma) => d.clamp(sigma, LOW, HIGH));
  d.bars(pen, scales, ends, { fill: (k) => colours[k], across: true, share: 0.3 }, { id: "set", tip: told });
  ends.forEach((/** @type {number} */ end, /** @type {number} */ k) => {
    const words = d.fixed(sigmas[k], 1) + (sigmas[k] > HIGH ? " →" : "");
    pen.text(words, x(Math.max(end, 0)) + 6, scales.y(k), { base: "middle", colour: theme.ink });
    if (named) pen.text(names[k], x(0) + 6, scales.y(k) - 9, { size: 11 });
  });
}

export default d.widget({
  label: "Four sets of images, and their distances from real zeros",
  height: (width) => plan(width).height,
  draw,
});
