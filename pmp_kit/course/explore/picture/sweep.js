// @ts-check
// The graph of a run of max-product after one sweep. Every edge, message and variable tells its numbers.
import { between, nats, signed } from "./numbers.js";
import { edge, fitted, message, sizesOf, variable } from "./graph.js";

/** @import { Sizes } from "./graph.js" */
/** @import { Numbers, Tensor } from "./numbers.js" */
/** @import { Pen } from "./pen.js" */
/** @import { Box } from "./marks.js" */
/** @import { View } from "./view.js" */
/** @typedef {[string, string][]} Rows */
/**
 * @typedef {object} Run max-product, a row for each frame; the two messages of an edge stand one after the other
 * @property {Numbers} places x, y, x, y, ...
 * @property {Numbers} ends of each message: from, to
 * @property {Numbers} weights of each message: that of its edge
 * @property {Tensor} messages
 * @property {Tensor} beliefs
 * @property {Tensor} states
 * @property {Tensor} truth the best configuration
 * @property {Numbers} bias
 * @property {Numbers} noise
 * @property {Numbers} [exact] exact beliefs, where they are known
 */

const x = (/** @type {number} */ k) => `x_{${k + 1}}`;
const arrow = (/** @type {number} */ i, /** @type {number} */ j) => `m_{${i + 1}→${j + 1}}`;
const weight = (/** @type {number} */ i, /** @type {number} */ j) =>
  `W_{${i + 1}${Math.max(i, j) > 8 ? "," : ""}${j + 1}}`;
const favours = (/** @type {number} */ push, /** @type {number} */ j) =>
  Math.abs(push) < 5e-4 ? `favours no state of ${x(j)}` : `favours ${x(j)} = ${push > 0 ? 1 : 0} by`;

/**
 * Draw the graph. Layers of the view: "states", "noise", "beliefs", "messages" and "truth".
 * @param {Pen} pen
 * @param {Run} run
 * @param {View} view
 * @param {Box} box
 * @param {{ sizes?: Sizes, dashed?: boolean, aside?: number[] }} look
 *   dashed: whether edges of negative weight are; aside: where names stand, outside of the graph by default
 */
export function sweepGraph(pen, run, view, box, { sizes = sizesOf(pen.width), dashed = false, aside } = {}) {
  const { frame, at, shown } = view;
  const { ends, weights, messages, beliefs, states, truth, bias, noise, exact } = run;
  const [count, sent] = [noise.length, weights.length];
  const place = placed(run, box, sizes);
  const belief = (/** @type {number} */ k) => beliefs[frame * count + k];
  const now = (/** @type {number} */ k, sweep = frame) => messages[sweep * sent + k];
  const around = neighbourhood(run);

  for (let k = 0; k < sent; k += 2) {
    const [i, j] = [ends[2 * k], ends[2 * k + 1]];
    const tip = () => ({
      title: `edge of ${x(i)} and ${x(j)}`,
      rows: /** @type {Rows} */ ([
        [`weight ${weight(i, j)}`, nats(weights[k])],
        [arrow(i, j), nats(now(k))],
        [arrow(j, i), nats(now(k + 1))],
      ]),
    });
    const told = { id: `edge ${k / 2}`, tip, parts: around.parts(k, "edge") };
    edge(pen, place(i), place(j), { dashed: dashed && weights[k] < 0, ...told });
  }
  for (let k = 0; k < (shown.has("messages") ? sent : 0); k++) {
    const [i, j, reply] = [ends[2 * k], ends[2 * k + 1], k % 2 ? k - 1 : k + 1];
    const neutral = weights[k] / 2;
    const tip = () => ({
      title: `message ${arrow(i, j)}`,
      rows: /** @type {Rows} */ ([
        [arrow(i, j), nats(now(k))],
        [`neutral: ${weight(i, j)} / 2`, nats(neutral)],
        [favours(now(k) - neutral, j), nats(Math.abs(now(k) - neutral))],
        ["cavity, before this sweep", frame ? nats(beliefs[(frame - 1) * count + i] - now(reply, frame - 1)) : "–"],
        ["change in this sweep", frame ? `${signed(now(k) - now(k, frame - 1))} nats` : "–"],
      ]),
    });
    const push = between(messages, at, k) - neutral;
    message(pen, place(i), place(j), sizes, push, { id: `message ${k}`, tip, parts: around.parts(k) });
  }
  for (let k = 0; k < count; k++) {
    const [decoded, best] = [states[frame * count + k], truth[frame * count + k]];
    const tip = () => ({
      title: `variable ${x(k)}`,
      rows: /** @type {Rows} */ ([
        ["bias b", nats(bias[k])],
        ["noise ε(1) − ε(0)", nats(noise[k])],
        ["unary θ, their sum", nats(bias[k] + noise[k])],
        ["messages to it, sum", nats(belief(k) - bias[k] - noise[k])],
        ["belief, θ + messages", nats(belief(k))],
        ...(exact ? [["exact belief", nats(exact[k])]] : []),
        ["decoded state", `${decoded}${decoded === best ? "" : `, best ${best}`}`],
      ]),
    });
    const [px, py] = place(k);
    const off = [px - box.x - box.w / 2, py - box.y - box.h / 2];
    const shows = {
      noise: shown.has("noise") ? noise[k] : undefined,
      belief: shown.has("beliefs") ? between(beliefs, at, k) : undefined,
      state: shown.has("states") ? between(states, at, k) : undefined,
      truth: shown.has("truth") ? best : undefined,
      wrong: decoded !== best,
    };
    const outwards = aside ?? (Math.hypot(...off) > sizes.ring ? off : [1, -1]);
    variable(pen, k, [px, py], sizes, shows, { id: `variable ${k}`, tip, outwards, ...around.variable(k) });
  }
}

/** Where variables are in a box, inside of their rings and names. @param {Pick<Run, "places">} run @param {Box} box @param {Sizes} sizes */
export function placed({ places }, box, { ring, scale }) {
  const room = ring + 26 * scale;
  return fitted(places, { x: box.x + room, y: box.y + room, w: box.w - 2 * room, h: box.h - 2 * room });
}

/**
 * What the equation of the page speaks of: i is the first variable with the most neighbours, j its first neighbour.
 * @param {Run} run
 */
function neighbourhood({ ends, weights, noise }) {
  const degrees = new Array(noise.length).fill(0);
  ends.forEach((/** @type {number} */ end) => degrees[end]++);
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
