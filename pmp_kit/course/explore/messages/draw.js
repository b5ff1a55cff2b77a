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
  drawGraph(pen, state, view, { x: 0, y: TOP, w: width, h: tall });
  drawCurve(pen, state, view, { x: 50, y: TOP + tall + 32, w: width - 66, h: CURVE - 62 });
}

/** @param {Pen} pen @param {any} state @param {View} view @param {{ x: number, y: number, w: number, h: number }} box */
function drawGraph(pen, state, view, box) {
  const { frame, at, shown } = view;
  const [sizes, count, sent] = [d.sizesOf(pen.width), state.noise.length, state.weights.length];
  const room = sizes.ring + 26 * sizes.scale;
  const place = d.fitted(state.places, { x: box.x + room, y: box.y + room, w: box.w - 2 * room, h: box.h - 2 * room });
  const belief = (/** @type {number} */ k) => state.beliefs[frame * count + k];
  const message = (/** @type {number} */ k, sweep = frame) => state.messages[sweep * sent + k];
  const around = neighbourhood(state);
  const linked = Array.from({ length: sent / 2 }, (_, e) => [2 * e, 2 * e + 1]);

  for (const [there, back] of linked) {
    const [i, j] = [state.ends[2 * there], state.ends[2 * there + 1]];
    const rows = () =>
      /** @type {[string, string][]} */ ([
        [`weight W_{${i + 1}${j + 1}}`, d.nats(state.weights[there])],
        [arrow(i, j), d.nats(message(there))],
        [arrow(j, i), d.nats(message(back))],
      ]);
    d.edge(pen, place(i), place(j), {
      id: `edge ${there / 2}`,
      tip: () => ({ title: `edge of ${x(i)} and ${x(j)}`, rows: rows() }),
      parts: around.parts(there, "edge"),
    });
  }
  for (const [there, back] of shown.has("messages") ? linked : []) {
    for (const [k, reply] of [
      [there, back],
      [back, there],
    ]) {
      const [i, j] = [state.ends[2 * k], state.ends[2 * k + 1]];
      const neutral = state.weights[k] / 2;
      const tip = () => ({
        title: `message ${arrow(i, j)}`,
        rows: /** @type {[string, string][]} */ ([
          [arrow(i, j), d.nats(message(k))],
          [`neutral: W_{${i + 1}${j + 1}} / 2`, d.nats(neutral)],
          [favours(message(k) - neutral, j), d.nats(Math.abs(message(k) - neutral))],
          [
            "cavity, before this sweep",
            frame ? d.nats(state.beliefs[(frame - 1) * count + i] - message(reply, frame - 1)) : "–",
          ],
          ["change in this sweep", frame ? `${d.signed(message(k) - message(k, frame - 1))} nats` : "–"],
        ]),
      });
      const now = d.between(state.messages, at, k) - neutral;
      d.message(pen, place(i), place(j), sizes, now, { id: `message ${k}`, tip, parts: around.parts(k) });
    }
  }
  for (let k = 0; k < count; k++) {
    const [decoded, best] = [state.states[frame * count + k], state.truth[frame * count + k]];
    const tip = () => ({
      title: `variable ${x(k)}`,
      rows: /** @type {[string, string][]} */ ([
        ["bias b", d.nats(state.bias[k])],
        ["noise ε(1) − ε(0)", d.nats(state.noise[k])],
        ["unary θ, their sum", d.nats(state.bias[k] + state.noise[k])],
        ["messages to it, sum", d.nats(belief(k) - state.bias[k] - state.noise[k])],
        ["belief, θ + messages", d.nats(belief(k))],
        ["exact belief", d.nats(state.exact[k])],
        ["decoded state", `${decoded}${decoded === best ? "" : `, best ${best}`}`],
      ]),
    });
    const [px, py] = place(k);
    const off = [px - box.x - box.w / 2, py - box.y - box.h / 2];
    const shows = {
      noise: shown.has("noise") ? state.noise[k] : undefined,
      belief: shown.has("beliefs") ? d.between(state.beliefs, at, k) : undefined,
      state: shown.has("states") ? d.between(state.states, at, k) : undefined,
      truth: shown.has("truth") ? best : undefined,
      wrong: decoded !== best,
    };
    const told = { id: `variable ${k}`, tip, outwards: Math.hypot(...off) > sizes.ring ? off : [1, -1] };
    d.variable(pen, k, [px, py], sizes, shows, { ...told, ...around.variable(k) });
  }
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
  const [low, high] = [Math.floor(view.at), Math.ceil(view.at)].map((k) => scales.y(state.residuals[k]));
  const here = pen.disk(scales.x(view.at), low + (high - low) * (view.at % 1), 4.5);
  pen.shape(here, { fill: pen.theme.accent, stroke: pen.theme.paper, width: 1.5 });
}

const x = (/** @type {number} */ k) => `x_{${k + 1}}`;
const arrow = (/** @type {number} */ i, /** @type {number} */ j) => `m_{${i + 1}→${j + 1}}`;
const favours = (/** @type {number} */ push, /** @type {number} */ j) =>
  Math.abs(push) < 5e-4 ? `favours no state of ${x(j)}` : `favours ${x(j)} = ${push > 0 ? 1 : 0} by`;

/**
 * What the equation of the page speaks of: i is the first variable with the most neighbours, j its first neighbour.
 * @param {any} state
 */
function neighbourhood({ ends, weights, noise }) {
  const degrees = Array.from(noise, (_, k) => ends.filter((/** @type {number} */ end) => end === k).length);
  const i = degrees.indexOf(Math.max(...degrees));
  const first = Array.from(weights, (_, k) => k).find((k) => ends[2 * k] === i) ?? 0;
  const j = ends[2 * first + 1];
  const parts = (/** @type {number} */ k, edge = "") => {
    const [from, to] = [ends[2 * k], ends[2 * k + 1]];
    if ((from === i && to === j) || (edge && from === j && to === i)) return edge || "message edge messages";
    if (from === j && to === i) return "reply edge incoming messages";
    return edge ? "" : to === i ? "others incoming cavity messages" : "messages";
  };
  const variable = (/** @type {number} */ k) => ({
    parts: k === i ? "variable belief noise state cavity" : "",
    letter: k === i ? "i" : k === j ? "j" : "",
  });
  return { parts, variable };
}

export default d.widget({
  label: "Messages of max-product on a graph",
  unit: "sweep",
  layers: d.LAYERS,
  frames: (state) => state?.residuals.length ?? 1,
  height: (_, __, pen) => TOP + graphHeight(pen) + CURVE,
  draw,
});
