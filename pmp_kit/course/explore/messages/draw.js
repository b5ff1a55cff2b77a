// @ts-check
// Message scope: the graph after one sweep, and the residual after every sweep below it.
import * as d from "../picture/draw.js";
import { sweepGraph } from "../picture/sweep.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { View } from "../picture/view.js" */

const [TOP, CURVE] = [26, 130]; // CSS pixels: of the row of the colour key, and of the curve
const graphHeight = (/** @type {Pen} */ { width, tall }) => Math.max(220, Math.min(0.5 * width, 0.34 * tall, 400));

/** @param {Pen} pen @param {any} state @param {View} view */
function draw(pen, state, view) {
  const { theme, width } = pen;
  const tall = graphHeight(pen);
  pen.key({ x: width - 164, y: 2, w: 160 }, (share) => theme.diverging(2 * share - 1), ["−3: to 0", "nats", "3: to 1"]);
  sweepGraph(pen, state, view, { x: 0, y: TOP, w: width, h: tall });
  const box = { x: 50, y: TOP + tall + 32, w: width - 66, h: CURVE - 62 };
  d.residuals(pen, view, box, state.residuals, (k) => [["score below the best", d.nats(state.gaps[k])]]);
}

export default d.widget({
  label: "Messages of max-product on a graph",
  unit: "sweep",
  layers: d.LAYERS,
  frames: (state) => state?.residuals.length ?? 1,
  height: (_, __, pen) => TOP + graphHeight(pen) + CURVE,
  draw,
});
