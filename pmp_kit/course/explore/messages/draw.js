// @ts-check
// Message scope: the graph after one sweep, and the residual after every sweep below it.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { View } from "../picture/view.js" */

const [TOP, CURVE] = [26, 130]; // CSS pixels: of the row of the colour key, and of the curve
const graphHeight = (/** @type {Pen} */ { width, tall }) => Math.max(220, Math.min(0.5 * width, 0.34 * tall, 400));

/** @param {Pen} pen @param {any} state @param {View} view */
function draw(pen, state, view) {
  const { theme, width } = pen;
  const tall = graphHeight(pen);
  pen.key({ x: width - 164, y: 2, w: 160 }, (share) => theme.diverging(2 * share - 1), ["−3: to 0", "nats", "3: to 1"]);
  d.sweepGraph(pen, state, view, { x: 0, y: TOP, w: width, h: tall });
  drawCurve(pen, state, view, { x: 50, y: TOP + tall + 32, w: width - 66, h: CURVE - 62 });
}

/** @param {Pen} pen @param {any} state @param {View} view @param {{ x: number, y: number, w: number, h: number }} box */
function drawCurve(pen, state, view, box) {
  const last = state.residuals.length - 1;
  const write = (/** @type {number} */ value) => (value < 1e-3 ? "10⁻⁴" : d.num(value));
  const up = /** @type {const} */ ({
    range: [1e-4, 10],
    kind: "log",
    ticks: [1e-4, 1e-2, 1],
    title: "residual, nats",
    write,
  });
  const scales = d.axes(
    pen,
    box,
    { range: [0, last], ticks: [0, 16, 32, 48, last], title: "sweeps" },
    { ...up, range: [1e-4, 10], ticks: [1e-4, 1e-2, 1] },
  );
  const tip = (/** @type {number} */ k) => ({
    title: `after sweep ${k}`,
    rows: /** @type {[string, string][]} */ ([
      ["residual", d.nats(state.residuals[k])],
      ["score below the best", d.nats(state.gaps[k])],
    ]),
  });
  d.rule(pen, scales, { x: view.at });
  d.curve(pen, scales, state.residuals, {}, { id: "residual", tip, press: (k) => view.player?.show(k) });
  d.pointOn(pen, scales, state.residuals, view.at);
}

export default d.widget({
  label: "Messages of max-product on a graph",
  unit: "sweep",
  layers: d.LAYERS,
  frames: (state) => state?.residuals.length ?? 1,
  height: (_, __, pen) => TOP + graphHeight(pen) + CURVE,
  draw,
});
