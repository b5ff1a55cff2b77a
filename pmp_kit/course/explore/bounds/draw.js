// @ts-check
// Bound meter: means over the perturbations, sweep by sweep, and the band of the two bounds around log Z.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */

const [TOP, HEIGHT, LIMIT] = [30, 340, 60]; // CSS pixels; nats
const TICKS = [-50, -20, -10, -5, -2, 0, 2, 5, 10, 20, 50];
/** Curve -> the method that gives its colour, its dashes, and its name. @type {Record<string, [string, number[], string[]]>} */
const CURVES = {
  dual: ["MPLP", [], ["MPLP's dual:", "upper bound"]],
  exact: ["exact", [6, 3], ["exact MAP"]],
  primal: ["PMP", [], ["max-product:", "PMP's estimate"]],
  lower: ["PMP", [2, 3], ["max-product, noise / n:", "lower bound"]],
  mplp: ["MPLP", [2, 3], ["MPLP's spins"]],
};

/** Where the axes are; the names have a column of their own, or rows below on a narrow page. @param {Pen} pen */
function plan({ width }) {
  const narrow = width < 520;
  const box = { x: 50, y: TOP, w: width - 50 - (narrow ? 12 : 190), h: HEIGHT };
  return { narrow, box, height: TOP + HEIGHT + (narrow ? 205 : 30) };
}

/** @param {Pen} pen @param {any} state */
function draw(pen, state) {
  const { theme } = pen;
  const { narrow, box } = plan(pen);
  const names = /** @type {string[]} */ (state.names);
  const [means, errors] = [d.rowsOf(state.means), d.rowsOf(state.errors)];
  const at = means[0].map((_, k) => k + 1);
  const [last, here] = [at.length, state.sweeps - 1];
  const write = (/** @type {number} */ tick) => (tick ? d.signed(tick) : "log Z");
  const scales = d.axes(
    pen,
    box,
    { range: [1, last], kind: "log", ticks: [1, 3, 10, 30, 100], title: "sweeps" },
    {
      range: [-LIMIT, LIMIT],
      kind: "root",
      ticks: TICKS,
      title: `nats from log Z${narrow ? "" : " (square-root scale)"}`,
      write,
    },
  );
  const reach = errors.map((each) => each.map((error) => 2 * error));
  const end = (/** @type {string} */ name, /** @type {number} */ sign) => {
    const line = names.indexOf(name);
    return means[line].map((mean, k) => mean + sign * reach[line][k]);
  };
  d.band(pen, scales, end("lower", -1), end("dual", 1), theme.quiet, at);
  d.rule(pen, scales, { y: 0 }, { stroke: theme.ink, width: 1.6, dash: [] });
  d.rule(pen, scales, { x: state.sweeps });
  const look = (/** @type {number} */ line) => {
    const [method, dash] = CURVES[names[line]];
    return { stroke: theme.method(method), width: 2, dash };
  };
  d.curves(
    pen,
    scales,
    means,
    { at, look, errors: reach },
    {
      id: "curve",
      tip: (line, k) => ({
        title: `${CURVES[names[line]][2].join(" ")}, after ${d.count(k + 1, "sweep")}`,
        rows: [
          ["mean, from log Z", `${d.signed(means[line][k])} nats`],
          ["two standard errors", d.nats(reach[line][k])],
          ["mean", d.nats(state.log_z + means[line][k], 4)],
          ["perturbations", `${state.perturbations}`],
        ],
      }),
    },
  );
  names.forEach((_, line) => {
    const x = scales.x(state.sweeps);
    const [low, high] = [-1, 1].map((sign) => scales.y(means[line][here] + sign * reach[line][here]));
    const bar = pen.poly([x - 5, low, x + 5, low, x, low, x, high, x - 5, high, x + 5, high]);
    pen.shape(bar, { ...look(line), dash: [] });
  });
  const number = (/** @type {number} */ line) => {
    const [mean, error] = [means[line][here], reach[line][here]];
    return `${mean < 0 ? "−" : "+"}${Math.abs(mean).toFixed(2)} ± ${error.toFixed(2)}`;
  };
  if (!narrow) {
    const entry = (/** @type {string} */ name, /** @type {number} */ line) => ({
      value: means[line][last - 1],
      words: [...CURVES[name][2], number(line)],
      ...look(line),
    });
    return d.ends(pen, scales, names.map(entry));
  }
  names.forEach((name, line) => {
    const y = TOP + HEIGHT + 40 + 34 * line;
    d.legend(pen, 4, y, [{ words: CURVES[name][2].join(" "), colour: look(line).stroke, dash: look(line).dash }]);
    pen.text(number(line), 25, y + 15, { base: "middle" });
  });
}

export default d.widget({
  label: "Bounds of log Z, sweep by sweep",
  height: (_, __, pen) => plan(pen).height,
  draw,
});
