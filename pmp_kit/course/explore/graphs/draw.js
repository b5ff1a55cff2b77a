// @ts-check
// Graph lab: quality of samples and error of couplings over the budget, and learned couplings over true ones.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { Box, Tip } from "../picture/marks.js" */
/** @import { Axis, Scales } from "../picture/plots.js" */

/** Where everything is: the curves, and beside or below them the couplings. @param {number} width */
function plan(width) {
  const wide = width >= 560;
  const left = wide ? 0.56 * width : width;
  const quality = { x: 52, y: wide ? 28 : 117, w: left - 64, h: 0.24 * left + 66 };
  const rmse = { ...quality, y: quality.y + quality.h + 62, h: 0.78 * quality.h };
  const bottom = rmse.y + rmse.h;
  const side = wide ? Math.min(0.37 * width, bottom - 141) : Math.min(width - 60, 340); // the legend is above it
  const pairs = { x: wide ? width - side : 52, y: wide ? bottom - side : bottom + 84, w: side - 8, h: side };
  return { quality, rmse, pairs, legend: { x: wide ? pairs.x : 2, y: wide ? 22 : 12 }, height: pairs.y + side + 26 };
}

/** @param {Pen} pen @param {any} state */
function draw(pen, state) {
  const { quality, rmse, pairs, legend } = plan(pen.width);
  drawLegend(pen, state, legend);
  drawQuality(pen, state, quality);
  const [least, most] = [Math.min(...state.rmse), Math.max(...state.rmse)];
  const room = 0.25 * (most - least);
  const up = { range: [least - room, most + room], ticks: [least, most], title: "couplings: RMSE of W" };
  const title = state.budget === "time" ? "processor time, s" : "sweeps";
  drawMethods(pen, d.axes(pen, rmse, { ...across(state), title }, /** @type {Axis} */ (up)), state, "rmse");
  drawPairs(pen, state, pairs);
}

/** @param {Pen} pen @param {any} state @param {{ x: number, y: number }} place */
function drawLegend(pen, state, { x, y }) {
  state.names.forEach((/** @type {string} */ name, /** @type {number} */ m) => {
    const [k, method] = [m * state.sweeps.length + state.place, state.methods[m]];
    const words = `${name}: ${d.num(state.quality[k])} sd, RMSE ${d.num(state.rmse[k])}`;
    d.legend(pen, x, y + 21 * m, [{ words, colour: pen.theme.method(method), sign: d.signOf(method) }]);
  });
  const words = `no structure: ${d.num(state.pixels)} sd`;
  d.legend(pen, x - 2, y + 21 * state.names.length, [{ words, colour: pen.theme.quiet, dash: [1, 3] }]);
}

/** @param {Pen} pen @param {any} state @param {Box} box */
function drawQuality(pen, state, box) {
  const most = 1.3 * Math.max(state.pixels, ...state.quality);
  const ticks = (most > 60 ? [0, 10, 30, 100, 300] : [0, 2, 10, 30]).filter((tick) => tick < most);
  const up = { range: [-3, most], kind: "root", ticks, title: "samples: MMD² from new data, sd" };
  const scales = d.axes(pen, box, across(state), /** @type {Axis} */ (up));
  d.region(pen, scales, [-2, 2], pen.theme.method("data"), {
    id: "exact samples",
    tip: () => ({ title: "samples of a perfect sampler", rows: [["mostly between", "−2 and 2 sd"]] }),
  });
  d.rule(
    pen,
    scales,
    { y: state.pixels },
    { dash: [1, 3], width: 1.5 },
    {
      id: "no structure",
      tip: () => ({
        title: "spins that are drawn independently",
        rows: [["MMD² from new data", `${d.num(state.pixels)} sd`]],
      }),
    },
  );
  drawMethods(pen, scales, state, "quality");
}

/** The axis of the budget, which both panels have. @param {any} state @returns {Axis} */
function across({ budgets, budget, sweeps }) {
  const range = /** @type {[number, number]} */ ([Math.min(...budgets) / 1.25, Math.max(...budgets) * 1.25]);
  return { range, kind: "log", ticks: budget === "time" ? [0.5, 1, 2, 4] : sweeps };
}

/** A curve for each method, and a line at the chosen number of sweeps. @param {Pen} pen @param {Scales} scales @param {any} state @param {string} name of the numbers */
function drawMethods(pen, scales, state, name) {
  const { budgets, methods, method, sweeps, place } = state;
  const chosen = method * sweeps.length + place;
  const look = {
    colour: (/** @type {number} */ m) => pen.theme.method(methods[m]),
    sign: (/** @type {number} */ m) => d.signOf(methods[m]),
    width: (/** @type {number} */ m) => (m === method ? 3 : 1.4),
  };
  d.rule(pen, scales, { x: budgets[chosen] });
  const tip = (/** @type {number} */ m, /** @type {number} */ k) => pointTip(state, m, k);
  d.series(pen, scales, budgets, state[name], { ...look, radius: 5, error: state[`${name}_error`] }, { id: name, tip });
  const ring = pen.disk(scales.x(budgets[chosen]), scales.y(state[name][chosen]), 9);
  pen.shape(ring, { stroke: look.colour(method), width: 2 });
}

/** @param {any} state @param {number} m the method @param {number} place of the sweeps @returns {Tip} */
function pointTip(state, m, place) {
  const k = m * state.sweeps.length + place;
  return {
    title: `${state.methods[m]}, ${state.sweeps[place]} sweeps`,
    rows: [
      ["MMD² from new data", `${d.num(state.quality[k])} sd`],
      ["its standard error", `${d.num(state.quality_error[k])} sd`],
      ["RMSE of W", d.num(state.rmse[k])],
      ["standard error of RMSE", d.num(state.rmse_error[k])],
      ["to learn and to draw", `${d.num(state.seconds[k])} s`],
    ],
  };
}

/** Learned couplings over true ones. @param {Pen} pen @param {any} state @param {Box} box */
function drawPairs(pen, state, box) {
  const { reach, ends, learned } = state;
  const [name, fill] = [state.names[state.method], pen.theme.method(state.methods[state.method])];
  const tick = reach / 1.6;
  const axis = { range: /** @type {[number, number]} */ ([-reach, reach]), ticks: [-tick, 0, tick] };
  pen.text(`${name}, ${state.sweeps[state.place]} sweeps`, box.x, box.y - 27, { colour: pen.theme.ink, weight: 600 });
  const scales = d.axes(pen, box, { ...axis, title: "true W" }, { ...axis, title: "learned W" });
  const line = [-reach, -reach, reach, reach].map((value, k) => (k % 2 ? scales.y(value) : scales.x(value)));
  pen.shape(pen.poly(line), { stroke: pen.theme.quiet });
  d.dots(
    pen,
    scales,
    state.true,
    learned,
    { fill, radius: 2.6, alpha: 0.5 },
    {
      id: "pairs",
      tip: (k) => ({
        title: `W_{${ends[2 * k] + 1},${ends[2 * k + 1] + 1}}, ${state.true[k] ? "an edge" : "no edge"}`,
        rows: [
          ["true", d.num(state.true[k])],
          [`learned by ${name}`, d.num(learned[k])],
          ["error", d.signed(learned[k] - state.true[k])],
        ],
      }),
    },
  );
}

export default d.widget({
  label: "Three samplers that learned the same graph",
  height: (width) => plan(width).height,
  draw,
});
