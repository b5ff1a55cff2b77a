// @ts-check
// A graph of variables with the messages between them.
import { around } from "./marks.js";
import { clamp, nats, num, sub } from "./numbers.js";
import { axes, curve, pointOn, rule } from "./plots.js";

/** @import { Pen } from "./pen.js" */
/** @import { Rgb } from "./theme.js" */
/** @import { Box, Tip } from "./marks.js" */
/** @import { View } from "./view.js" */
/** @typedef {{ id: string, tip: () => Tip, parts?: string, letter?: string }} Told */
/** @typedef {ReturnType<typeof sizesOf>} Sizes */

export const LIMIT = 3; // nats: where colours and arrows end
/** Layers of a graph -> their signs: they are the legend. */
export const LAYERS = {
  states: '<rect x="4.5" y="4.5" width="11" height="11" rx="2" fill="currentColor"/>',
  noise: '<circle cx="10" cy="10" r="7" fill="none" stroke="#8073ac" stroke-width="4"/>',
  beliefs: '<circle cx="10" cy="10" r="7" fill="#e08214"/>',
  messages: '<path d="M1 8.6h9V4.5l9 5.5-9 5.5v-4.1H1z" fill="#8073ac"/>',
  truth:
    '<circle cx="10" cy="11.5" r="6.5" fill="none" stroke="currentColor"/><path d="M10 1v8" stroke="currentColor" stroke-width="3"/>',
};

/** The sizes of variables in a picture of this width. @param {number} width */
export function sizesOf(width, most = 1.15) {
  const scale = clamp(width / 640, 0.72, most);
  return { scale, ring: 27 * scale, disk: 18.5 * scale };
}

/**
 * Places (x, y, x, y, ...) in a box, as large as they fit. Returns a function: variable -> place.
 * @param {ArrayLike<number>} places
 * @param {Box} box
 */
export function fitted(places, box) {
  const along = [0, 1].map((axis) => {
    const all = Array.from(places).filter((_, k) => k % 2 === axis);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const [start, room] = axis ? [box.y, box.h] : [box.x, box.w];
    const spread = Math.max(high - low, 0.4); // a chain stays flat
    return (/** @type {number} */ value) => start + room * ((value - (low + high) / 2) / spread + 0.5);
  });
  return (/** @type {number} */ k) => [along[0](places[2 * k]), along[1](places[2 * k + 1])];
}

/** The line of an edge. @param {Pen} pen @param {number[]} a @param {number[]} b @param {Told & { dashed?: boolean }} told */
export function edge(pen, a, b, { dashed, ...told }) {
  const path = pen.shape(pen.poly([...a, ...b]), { stroke: pen.theme.faint, width: 1.5, dash: dashed ? [5, 4] : [] });
  pen.mark({ box: between(a, b, 3), path, cell: () => middle(a, b), aside: normal(a, b), ...told });
}

/**
 * The arrow of a message, beside the line of its edge. It grows with the message and has the colour of what it favours.
 * @param {Pen} pen
 * @param {number[]} a where it comes from
 * @param {number[]} b
 * @param {Sizes} sizes
 * @param {number} push how far it is above the neutral value, in nats
 * @param {Told & { fill?: Rgb }} told `fill` where it favours no side
 */
export function message(pen, a, b, { scale, ring }, push, { fill, ...told }) {
  const strength = clamp(Math.abs(push) / LIMIT);
  const look = {
    off: ring + 5,
    aside: 9 * scale,
    half: scale * (0.6 + 3.6 * strength),
    head: scale * (3.6 + 6 * strength),
  };
  const path = pen.arrow(a, b, look);
  const neutral = Math.abs(push) < 5e-3;
  const colour = neutral
    ? pen.theme.faint
    : pen.theme.diverging(Math.sign(push) * (0.4 + 0.6 * strength) * LIMIT, LIMIT);
  pen.shape(path, { fill: fill ?? colour });
  pen.mark({ box: between(a, b, 20 * scale), path, cell: () => middle(a, b), aside: normal(a, b), ...told });
}

/**
 * A variable: the ring is its noise, the disk its belief, the square its decoded state, the tick the best state.
 * @param {Pen} pen
 * @param {number} k its number
 * @param {number[]} place
 * @param {Sizes} sizes
 * @param {{ noise?: number, belief?: number, state?: number, truth?: number, wrong?: boolean }} shown what is left out is not shown
 * @param {{ outwards: number[], name?: string } & Told} told `outwards`: the direction in which its name stands
 */
export function variable(
  pen,
  k,
  [x, y],
  { scale, ring, disk },
  { noise, belief, state, truth, wrong },
  { outwards, name = `x${sub(k + 1)}`, ...told },
) {
  const { theme } = pen;
  const colour = (/** @type {number} */ value) => theme.diverging(value, LIMIT);
  pen.shape(pen.disk(x, y, ring), {
    fill: noise === undefined ? theme.paper : colour(noise),
    stroke: theme.quiet,
    width: 1,
  });
  pen.shape(pen.disk(x, y, disk + 1.5), { fill: theme.paper });
  pen.shape(pen.disk(x, y, disk), { fill: belief === undefined ? theme.paper : colour(belief), stroke: theme.faint });
  if (state !== undefined) {
    const half = 6.2 * scale * (0.8 + 0.2 * Math.abs(2 * state - 1)); // it shrinks a little while it flips
    const square = pen.rect(x - half, y - half, 2 * half, 2 * half, 2.5);
    pen.shape(square, { stroke: theme.paper, width: 4.5 });
    pen.shape(square, { fill: theme.binary(state), stroke: theme.ink, width: 1.4 });
  }
  if (truth !== undefined) {
    const up = truth ? -1 : 1;
    const tick = pen.poly([x, y + up * (disk + 2), x, y + up * (ring + 5)]);
    pen.shape(tick, { stroke: theme.paper, width: 8 });
    pen.shape(tick, { stroke: wrong ? theme.warn : theme.ink, width: wrong ? 5 : 3 });
  }
  const far = (ring + 15 * scale) / Math.max(Math.hypot(...outwards), 1e-9);
  const look = {
    size: 15,
    align: /** @type {const} */ ("center"),
    base: /** @type {const} */ ("middle"),
    italic: true,
  };
  pen.text(name, x + outwards[0] * far, y + outwards[1] * far, { ...look, colour: theme.ink, halo: true });
  pen.mark({ box: around(x, y, ring), path: pen.disk(x, y, ring), ...told });
}

/**
 * The residual after each sweep; a press shows its sweep.
 * @param {Pen} pen
 * @param {View} view
 * @param {Box} box
 * @param {ArrayLike<number>} values in nats
 * @param {(k: number) => [string, string][]} more rows of the tip
 */
export function residuals(pen, view, box, values, more) {
  const last = values.length - 1;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * last));
  const write = (/** @type {number} */ value) => (value < 1e-3 ? "10⁻⁴" : num(value));
  const scales = axes(
    pen,
    box,
    { range: [0, Math.max(last, 1)], ticks: [...new Set(ticks)], title: "sweeps" },
    { range: [1e-4, 10], kind: "log", ticks: [1e-4, 1e-2, 1], title: "residual, nats", write },
  );
  const told = {
    id: "residual",
    tip: (/** @type {number} */ k) => ({
      title: `after sweep ${k}`,
      rows: /** @type {[string, string][]} */ ([
        ["residual, the largest change of a message", nats(values[k])],
        ...more(k),
      ]),
    }),
    press: (/** @type {number} */ k) => view.player?.show(k),
  };
  rule(pen, scales, { x: view.at });
  curve(pen, scales, values, {}, told);
  pointOn(pen, scales, values, view.at);
}

/** @param {number[]} a @param {number[]} b */
const middle = ([ax, ay], [bx, by]) => around((ax + bx) / 2, (ay + by) / 2, 10);

/** The direction away from a line, upwards. @param {number[]} a @param {number[]} b @returns {[number, number]} */
function normal([ax, ay], [bx, by]) {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const up = bx >= ax ? 1 : -1;
  return [(up * (by - ay)) / length, (-up * (bx - ax)) / length];
}

/** @param {number[]} a @param {number[]} b @param {number} more @returns {Box} */
const between = ([ax, ay], [bx, by], more) => ({
  x: Math.min(ax, bx) - more,
  y: Math.min(ay, by) - more,
  w: Math.abs(ax - bx) + 2 * more,
  h: Math.abs(ay - by) + 2 * more,
});
