// @ts-check
// Wrong-model dial: two distances over one axis of theta, the path of Adam below it, and five probabilities.
import * as d from "../picture/draw.js";

/** @import { Box } from "../picture/marks.js" */
/** @import { Pen } from "../picture/pen.js" */
/** @import { Rgb } from "../picture/theme.js" */
/** @typedef {[string, string][]} Rows */
/** @typedef {Record<"Gibbs" | "sampler", Rgb>} Colours */

const TOP = 1; // nats: where the axis ends
const TICKS = [0, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, TOP];
const [LEFT, CURVES, TRAIL, LEGEND] = [46, 226, 112, 66]; // CSS pixels: at the left of axes, and heights
const theta = (/** @type {number} */ value) => value.toFixed(2);

/** Where the parts are: the bars at the right, or below. @param {number} width */
function plan(width) {
  const narrow = width < 600;
  const w = (narrow ? width : 0.6 * width) - LEFT - 10;
  const curves = { x: LEFT, y: 30, w, h: CURVES };
  const trail = { x: LEFT, y: curves.y + CURVES + 44, w, h: TRAIL };
  const left = narrow ? LEFT : 0.6 * width + LEFT;
  const top = (narrow ? trail.y + TRAIL + 36 : 18) + LEGEND;
  const bars = { x: left, y: top, w: width - left - 14, h: narrow ? 190 : trail.y + TRAIL - top };
  return { curves, trail, bars, height: bars.y + bars.h + 38 };
}

/** @param {Pen} pen @param {any} state */
function draw(pen, state) {
  const { theme } = pen;
  const { curves, trail, bars } = plan(pen.width);
  const colours = { Gibbs: theme.method("Gibbs"), sampler: theme.method("PMP") };
  drawDistances(pen, state, curves, colours);
  drawTrail(pen, state, trail, colours);
  drawShares(pen, state, bars, colours);
}

/** @param {Pen} pen @param {any} state @param {Box} box @param {Colours} colours */
function drawDistances(pen, state, box, colours) {
  const { thetas, pmp_curve: pmp, kit_curve: kit, sampler } = state;
  const range = /** @type {[number, number]} */ ([0, thetas[thetas.length - 1]]);
  const scales = d.axes(
    pen,
    box,
    { range, ticks: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7] },
    { range: [0, TOP], kind: "root", ticks: TICKS, title: "KL from the data, nats (root scale)" },
  );
  d.rule(pen, scales, { x: state.theta });
  const tip = (/** @type {number} */ k) => ({
    title: `learned theta ${d.num(thetas[k])}`,
    rows: /** @type {Rows} */ ([
      ["KL of the data from Gibbs", d.nats(state.gibbs_curve[k])],
      ...(pmp ? [[`KL of the data from ${sampler}`, d.nats(pmp[k])]] : []),
      ...(pmp && kit ? [["KL of the data from the kit's PMP", d.nats(kit[k])]] : []),
    ]),
  });
  const line = (/** @type {any} */ values, /** @type {object} */ look) => {
    const inside = Array.from(values, (kl) => (kl > TOP ? Number.NaN : kl));
    d.curve(pen, scales, inside, { at: thetas, ...look });
  };
  if (pmp && kit) line(kit, { stroke: colours.sampler, width: 1.2, dash: [2, 3] });
  if (pmp) line(pmp, { stroke: colours.sampler });
  line(state.gibbs_curve, { stroke: colours.Gibbs });
  const reach = Array.from(state.gibbs_curve, (kl) => Math.min(kl, TOP));
  d.curve(pen, scales, reach, { at: thetas, stroke: undefined }, { id: "curves", tip });
  const shown = /** @type {const} */ ([
    ["Gibbs", colours.Gibbs, state.kl_gibbs, -1],
    [sampler, colours.sampler, state.kl_pmp, 1],
  ]);
  for (const [name, fill, kl, side] of shown) {
    const here = () => ({
      title: `${name} with the learned theta`,
      rows: /** @type {Rows} */ ([
        ["learned theta", theta(state.theta)],
        ["theta of the data", theta(state.data_theta)],
        [`KL of the data from ${name}`, d.nats(kl)],
      ]),
    });
    const [share, shift] = [0.008, 0.0065 * side];
    const look = { fill: () => fill, at: [state.theta], share, shift };
    d.bars(pen, scales, [Math.min(kl, TOP)], look, { id: `distance ${side}`, tip: here });
    if (kl > TOP) pen.shape(d.outline(pen, "triangle", scales.x(state.theta + shift), box.y - 3, 5), { fill });
  }
  const least = /** @type {const} */ ([
    ["Gibbs", "square", colours.Gibbs, state.data_theta, theta(state.data_theta), 0],
    ...(pmp ? [[sampler, "disk", colours.sampler, state.best, state.closest, Math.min(...pmp)]] : []),
  ]);
  for (const [name, sign, fill, at, words, kl] of least) {
    const closest = () => ({
      title: `${name} is closest to the data`,
      rows: /** @type {Rows} */ ([
        ["at learned theta", words],
        ["with KL", d.nats(kl)],
      ]),
    });
    d.dots(pen, scales, [at], [Math.min(kl, TOP)], { fill, sign, radius: 5 }, { id: `closest ${sign}`, tip: closest });
  }
}

/** Adam's theta after each step, downwards, below the same axis. @param {Pen} pen @param {any} state @param {Box} box @param {Colours} colours */
function drawTrail(pen, state, box, colours) {
  const { path, thetas, steps, sampler } = state;
  const range = /** @type {[number, number]} */ ([0, thetas[thetas.length - 1]]);
  const scales = d.axes(pen, box, { range, ticks: [] }, { range: [steps, 0], ticks: [0, steps / 2, steps] });
  pen.text("step of Adam", box.x, box.y - 9, { colour: pen.theme.ink });
  pen.text("learned theta →", box.x + box.w, box.y - 9, { align: "right" });
  const lines = /** @type {const} */ ([
    ["Gibbs", colours.Gibbs, state.data_theta, theta(state.data_theta)],
    ...(state.pmp_curve ? [[sampler, colours.sampler, state.best, state.closest]] : []),
  ]);
  lines.forEach(([name, stroke, at, words], k) => {
    d.rule(pen, scales, { x: at }, { stroke, width: 1.2, dash: [5, 4] });
    const left = state.data_theta < thetas[thetas.length - 1] / 2 ? box.x + box.w - 190 : box.x + 8; // beside the path
    d.legend(pen, left, box.y + box.h - 34 + 18 * k, [
      { words: `closest ${name} ${words}`, colour: stroke, dash: [5, 4] },
    ]);
  });
  const place = (/** @type {number} */ k) => [scales.x(path[k]), scales.y(k)];
  const points = Array.from(path, (_, k) => place(k)).flat();
  pen.shape(pen.poly(points), { stroke: colours.sampler, width: 1.8 });
  const end = place(path.length - 1);
  pen.shape(pen.disk(end[0], end[1], 4.5), { fill: colours.sampler, stroke: pen.theme.paper });
  const around = (/** @type {number} */ k) => d.around(place(k)[0], place(k)[1], 4);
  pen.mark({
    id: "Adam",
    box,
    rows: path.length,
    cell: around,
    find: (_, y) => [d.clamp(Math.round(((y - box.y) / box.h) * steps), 0, path.length - 1), 0],
    tip: (k) => ({
      title: `Adam after ${k} steps`,
      rows: /** @type {Rows} */ ([
        ["theta of this step", d.num(path[k])],
        ["change in this step", k ? d.signed(path[k] - path[k - 1]) : "–"],
      ]),
    }),
    aside: [1, 0],
  });
}

/** The probabilities of 0 to 4 spins up. @param {Pen} pen @param {any} state @param {Box} box @param {Colours} colours */
function drawShares(pen, state, box, colours) {
  const { theme } = pen;
  const entries = /** @type {const} */ ([
    { words: `data, theta ${theta(state.data_theta)}`, colour: theme.ink, sign: "dash" },
    { words: `Gibbs, KL ${state.kl_gibbs.toFixed(3)}`, colour: colours.Gibbs, sign: "square" },
    { words: `${state.sampler}, KL ${state.kl_pmp.toFixed(3)}`, colour: colours.sampler, sign: "square" },
  ]);
  entries.forEach((entry, k) => d.legend(pen, box.x, box.y - LEGEND + 12 + 19 * k, [entry]));
  const scales = {
    box,
    x: (/** @type {number} */ share) => box.x + share * box.w,
    y: (/** @type {number} */ k) => box.y + box.h * (1 - (k + 0.6) / 5.2),
  };
  for (const tick of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
    pen.shape(pen.poly([scales.x(tick), box.y, scales.x(tick), box.y + box.h]), { stroke: theme.faint });
    pen.text(d.num(tick), scales.x(tick), box.y + box.h + 16, { size: 11, align: "center" });
  }
  pen.text("probability →", box.x + box.w, box.y + box.h + 32, { align: "right" });
  const tip = (/** @type {number} */ k) => ({
    title: `${k} of 4 spins up`,
    rows: /** @type {Rows} */ ([
      ["probability, data", d.num(state.data[k])],
      ["Gibbs, learned theta", d.num(state.gibbs[k])],
      [`${state.sampler}, learned theta`, d.num(state.pmp[k])],
    ]),
  });
  const bars = /** @type {const} */ ([
    ["Gibbs", state.gibbs, colours.Gibbs, 0.18],
    ["PMP", state.pmp, colours.sampler, -0.18],
  ]);
  for (const [id, shares, fill, shift] of bars)
    d.bars(pen, scales, shares, { fill: () => fill, across: true, share: 0.3, shift }, { id: `up ${id}`, tip });
  for (let k = 0; k < 5; k++) {
    const [x, y] = [scales.x(state.data[k]), scales.y(k)];
    const reach = Math.abs(scales.y(k + 0.4) - y);
    pen.shape(pen.poly([x, y - reach, x, y + reach]), { stroke: theme.paper, width: 5 });
    pen.shape(pen.poly([x, y - reach, x, y + reach]), { stroke: theme.ink, width: 2.4 });
    pen.text(`${k} up`, box.x - 7, y, { align: "right", base: "middle", size: 11 });
    pen.mark({ id: `up data ${k}`, box: { x: x - 4, y: y - reach, w: 8, h: 2 * reach }, tip: () => tip(k) });
  }
}

export default d.widget({
  label: "Distances of two uses of a learned theta from the data",
  height: (width) => plan(width).height,
  draw,
});
