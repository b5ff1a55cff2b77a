// @ts-check
// Run-time explorer: predicted times over the number of variables, and the last runs beside their predictions.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { Box, Tip } from "../picture/marks.js" */
/** @import { Axis, Scales } from "../picture/plots.js" */

const [TOP, TALL] = [98, 240]; // CSS pixels: above the curves, and their height

/** The curves, and the runs beside or below them. @param {number} width */
function plan(width) {
  const wide = width >= 560;
  const curves = { x: 58, y: TOP, w: (wide ? 0.58 : 1) * width - 66, h: TALL };
  const beside = { x: 0.69 * width, y: TOP, w: 0.3 * width, h: TALL };
  const runs = wide ? beside : { ...curves, y: TOP + TALL + 62, h: 170 };
  return { curves, runs, height: runs.y + runs.h + 26 };
}

/** @param {Pen} pen @param {any} state */
function draw(pen, state) {
  const { model, size, samples } = state.setting;
  const { curves, runs } = plan(pen.width);
  const words = `${model}, ${size} variables, ${d.count(samples, "sample")}`;
  const measured = state.measured === null ? "" : ` · measured ${d.time(state.measured)}`;
  pen.text(words, 2, 14, { size: 13, weight: 600, colour: pen.theme.ink });
  pen.text(`predicted ${d.time(state.predicted)}${measured}`, 2, 33, { size: 13, colour: pen.theme.ink });
  const entry = (/** @type {string} */ name) => ({ words: name, colour: pen.theme.method(name), sign: d.signOf(name) });
  d.legend(pen, 0, 56, state.samplers.map(entry));
  drawCurves(pen, state, curves);
  drawRatios(pen, state, runs);
}

/** @param {Pen} pen @param {any} state @param {Box} box */
function drawCurves(pen, state, box) {
  const { setting, sizes, samplers, predicted, curves, runs } = state;
  const range = [sizes[0] / 1.1, sizes.at(-1) * 1.1];
  const across = /** @type {Axis} */ ({ range, kind: "log", ticks: [100, 200, 400, 800, 1600], title: "variables" });
  const ticks = [1e-3, 1e-2, 0.1, 1, 10, 100, 1000];
  const title = `time of ${state.sweeps} sweeps`;
  const scales = d.axes(pen, box, across, { range: [3e-4, 3e3], kind: "log", ticks, write: d.time, title });
  d.rule(pen, scales, { x: setting.size });
  const colour = (/** @type {number} */ row) => pen.theme.method(samplers[row]);
  const width = (/** @type {number} */ row) => (samplers[row] === setting.sampler ? 3 : 1.4);
  const tip = (/** @type {number} */ row, /** @type {number} */ k, seconds = curves[row * sizes.length + k]) => ({
    title: `${samplers[row]}, ${sizes[k]} variables`,
    rows: /** @type {[string, string][]} */ ([
      ["predicted", d.time(seconds)],
      ["times the chosen setting", d.num(seconds / predicted)],
    ]),
  });
  d.series(pen, scales, sizes, curves, { colour, width }, { id: "predicted", tip });
  const ring = pen.disk(scales.x(setting.size), scales.y(predicted), 9);
  pen.shape(ring, { stroke: pen.theme.method(setting.sampler), width: 2 });
  for (let k = 0; k < runs.length; k++)
    if (runs[k].here) drawRun(pen, scales, runs, k, "measured", runs[k].size, runs[k].measured);
}

/** @param {Pen} pen @param {any} state @param {Box} box */
function drawRatios(pen, { factor, kept, runs }, box) {
  const title = "measured / predicted";
  const up = /** @type {Axis} */ ({ range: [0.22, 4.6], kind: "log", ticks: [0.25, 0.5, 1, 2, 4], title });
  const scales = d.axes(pen, box, { range: [0.3, kept + 0.7], ticks: [] }, up);
  for (const ratio of [1 / factor, factor]) d.rule(pen, scales, { y: ratio }, { dash: [1, 3], width: 1.5 });
  d.rule(pen, scales, { y: 1 }, { dash: [] });
  const middle = box.x + box.w / 2;
  pen.text("the last runs, in order", middle, box.y + box.h + 16, { size: 11, align: "center" });
  if (!runs.length) pen.text("no run yet", middle, scales.y(2.8), { align: "center", halo: true });
  for (let k = 0; k < runs.length; k++)
    drawRun(pen, scales, runs, k, "run", k + 1, runs[k].measured / runs[k].predicted);
}

/** The mark of a run. @param {Pen} pen @param {Scales} scales @param {any[]} runs @param {number} k @param {string} id @param {number} x @param {number} y */
function drawRun(pen, scales, runs, k, id, x, y) {
  const { model, sampler, size, samples, predicted, measured, sweeps, compiling } = runs[k];
  const tip = () =>
    /** @type {Tip} */ ({
      title: `run ${k + 1}: ${sampler}, ${model}`,
      rows: [
        ["variables", `${size}`],
        ["samples", `${samples}`],
        ["predicted", d.time(predicted)],
        ["measured", d.time(measured)],
        ["measured / predicted", d.num(measured / predicted)],
        ["sweeps of a measured call", `${sweeps}`],
        ["compiling, before that", d.time(compiling)],
      ],
    });
  const look = { fill: pen.theme.method(sampler), sign: d.signOf(sampler), radius: 6 };
  d.dots(pen, scales, [x], [y], look, { id: `${id} ${k}`, tip });
}

export default d.widget({
  label: "Predicted and measured times of runs",
  height: (width) => plan(width).height,
  draw,
});
