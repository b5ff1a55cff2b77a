// @ts-check
// Noise ribbon: one column of spins for each step, the noise of three spins below, and the sample of one step large.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { View } from "../picture/view.js" */

const [TOP, RIBBON, NOISE] = [24, 236, 96]; // CSS pixels: of the ribbon; heights
const SPINS = [9, 27, 44]; // whose noise is drawn
const REACH = 6; // nats

/** Where everything is: the large sample at the right, or below on a narrow page. @param {number} width */
function plan(width) {
  const narrow = width < 470;
  const w = (narrow ? 1 : 0.66) * width - 44;
  const ribbon = { x: 38, y: TOP, w, h: RIBBON };
  const noise = { x: 38, y: TOP + RIBBON + 34, w, h: NOISE };
  const [side, end] = [narrow ? 0.5 * width : 0.34 * width - 26, noise.y + NOISE + 30];
  const sample = { x: narrow ? 38 : width - side - 2, y: narrow ? end + TOP : TOP, cell: side / 8 };
  return { ribbon, noise, sample, height: narrow ? sample.y + side + 6 : end };
}

/** @param {Pen} pen @param {any} state @param {View} view */
function draw(pen, state, view) {
  const { theme } = pen;
  const { ribbon, noise, sample } = plan(pen.width);
  const [steps, count] = state.states.shape;
  const side = Math.sqrt(count);
  const early = [d.mix(theme.ink, theme.paper, 0.94), theme.ink]; // of −1 and of +1
  const later = [d.mix(theme.warn, theme.paper, 0.5), theme.warn];
  const shade = (/** @type {number} */ k) => (state.states[k] === state.reference[k] ? early : later)[state.states[k]];
  const name = (/** @type {any} */ values, /** @type {number} */ k) => (values[k] ? "+1" : "−1");
  const press = (/** @type {number} */ step) => view.player?.show(step);
  const tip = (/** @type {number} */ spin, /** @type {number} */ step) => {
    const k = step * count + spin;
    return {
      title: `spin ${spin + 1} (row ${Math.floor(spin / side) + 1}, column ${(spin % side) + 1}), step ${step}`,
      rows: /** @type {[string, string][]} */ ([
        ["noise ε(+1) − ε(−1)", d.nats(state.noise[k])],
        ["state in the step before", step ? name(state.states, k - count) : "–"],
        [`state after ${d.count(state.sweeps, "sweep")}`, name(state.states, k)],
        [`state after ${d.count(state.most, "sweep")}`, name(state.reference, k)],
      ]),
    };
  };

  pen.title(`${count} spins, one column for each step`, ribbon);
  const order = Float32Array.from({ length: count * steps }, (_, k) => (k % steps) * count + Math.floor(k / steps));
  const place = { ...ribbon, cell: ribbon.w / steps, tall: ribbon.h / count };
  const look = { id: "ribbon", frame: theme.faint };
  const box = pen.bitmap(order, [count, steps], place, shade, { ...look, tip, press: (_, step) => press(step) });
  const column = pen.rect(box.x + (view.at * box.w) / steps, TOP - 2, box.w / steps, box.h + 4, 1);
  pen.shape(column, { stroke: theme.paper, width: 5 });
  pen.shape(column, { stroke: theme.accent, width: 2.5 });

  const across = { ticks: [0, 10, 20, 30, 40, 50, 60], title: "step" };
  const up = { ticks: [-5, 0, 5], title: "noise of three spins, nats" };
  const scales = d.axes(pen, noise, { range: [-0.5, steps - 0.5], ...across }, { range: [-REACH, REACH], ...up });
  d.rule(pen, scales, { x: view.at });
  const colours = [theme.ink, theme.quiet, theme.accent];
  const line = (/** @type {number} */ k) => ({ stroke: colours[k], width: 1.75, dash: k === 1 ? [5, 3] : [] });
  const lines = SPINS.map((spin) => Float32Array.from({ length: steps }, (_, t) => state.noise[t * count + spin]));
  const told = {
    id: "noise",
    tip: (/** @type {number} */ k, /** @type {number} */ step) => tip(SPINS[k], step),
    press,
  };
  d.curves(pen, scales, lines, { look: line }, told);
  SPINS.forEach((spin, k) => {
    const y = TOP + ((spin + 0.5) * box.h) / count; // of the row of the spin
    pen.shape(pen.poly([box.x - 12, y, box.x - 2, y]), line(k));
    pen.text(`${spin + 1}`, box.x - 16, y, { size: 11, align: "right", base: "middle", colour: colours[k] });
  });

  pen.title(`sample of step ${view.frame}`, sample);
  const [low, high] = [Math.floor(view.at) * count, Math.ceil(view.at) * count];
  const moving = (/** @type {number} */ spin) => d.mix(shade(low + spin), shade(high + spin), view.at % 1);
  const cells = Uint8Array.from({ length: count }, (_, spin) => spin);
  const tipOf = (/** @type {number} */ row, /** @type {number} */ col) => tip(row * side + col, view.frame);
  pen.bitmap(cells, [side, side], sample, moving, { id: "sample", frame: theme.faint, tip: tipOf });
}

export default d.widget({
  label: "Samples of persistent PMP, step after step",
  unit: "step",
  frames: (state) => state?.states.shape[0] ?? 1,
  opens: (state) => state.step,
  height: (width) => plan(width).height,
  draw,
});
