// @ts-check
// Plots: axes, curves, bands, bars, dots, lines of reference, heat maps and legends. Each draws with a pen.
import { clamp, num } from "./numbers.js";
import { around } from "./marks.js";

/** @import { Pen, Look } from "./pen.js" */
/** @import { Rgb } from "./theme.js" */
/** @import { Box, Mark, Tip } from "./marks.js" */
/** @typedef {"linear" | "log" | "root" | "log1p"} Kind "root" is the square root with the sign of the number */
/** @typedef {{ box: Box, x: (value: number) => number, y: (value: number) => number }} Scales values -> CSS pixels */
/** @typedef {{ range: [number, number], kind?: Kind, ticks?: number[], title?: string, write?: (value: number) => string }} Axis */
/** @typedef {{ id: string, tip: (k: number) => Tip, press?: (k: number) => void, parts?: string }} Told */
/** @typedef {"disk" | "square" | "triangle" | "diamond" | "cross" | "dash"} Sign */

/** @type {Record<Kind, (value: number) => number>} */
const KINDS = {
  linear: (value) => value,
  log: (value) => Math.log10(Math.max(value, 1e-300)),
  root: (value) => Math.sign(value) * Math.sqrt(Math.abs(value)),
  log1p: Math.log1p,
};

/** A function of a value: its share of an axis, cut off a little beyond the ends. @param {Axis} axis */
function shareOf({ range, kind = "linear" }) {
  const [low, high] = range.map(KINDS[kind]);
  return (/** @type {number} */ value) => clamp((KINDS[kind](value) - low) / (high - low), -0.02, 1.02);
}

/**
 * Two axes with few ticks and without a frame: lines across for y, numbers below for x, both titles above.
 * @param {Pen} pen
 * @param {Box} box inside the numbers
 * @param {Axis} across
 * @param {Axis} up
 * @returns {Scales}
 */
export function axes(pen, box, across, up) {
  const [shareX, shareY] = [shareOf(across), shareOf(up)];
  const x = (/** @type {number} */ value) => box.x + box.w * shareX(value);
  const y = (/** @type {number} */ value) => box.y + box.h * (1 - shareY(value));
  const { ticks: left = up.range, write: writeY = num } = up;
  const { ticks: below = across.range, write: writeX = num } = across;
  for (const tick of left) {
    pen.shape(pen.poly([box.x, y(tick), box.x + box.w, y(tick)]), { stroke: pen.theme.faint });
    pen.text(writeY(tick), box.x - 7, y(tick), { size: 11, align: "right", base: "middle" });
  }
  for (const tick of below) pen.text(writeX(tick), x(tick), box.y + box.h + 16, { size: 11, align: "center" });
  if (up.title) pen.text(up.title, box.x, box.y - 9, { colour: pen.theme.ink });
  if (across.title) pen.text(`${across.title} →`, box.x + box.w, box.y - 9, { align: "right" });
  return { box, x, y };
}

/**
 * A curve that answers at the nearest of its points. NaN breaks it.
 * @param {Pen} pen
 * @param {Scales} scales
 * @param {ArrayLike<number>} values
 * @param {Look & { at?: ArrayLike<number> }} look `at`: the x of each point, 0, 1, 2, ... by default
 * @param {Told} [told]
 */
export function curve(pen, { box, x, y }, values, { at, ...look }, told) {
  const place = (/** @type {number} */ k) => x(at ? at[k] : k);
  pen.shape(pen.poly(Array.from(values).flatMap((value, k) => [place(k), y(value)])), {
    stroke: pen.theme.accent,
    width: 2,
    ...look,
  });
  if (!told) return;
  const nearest = (/** @type {number} */ px) => {
    let best = 0;
    for (let k = 1; k < values.length; k++) if (Math.abs(place(k) - px) < Math.abs(place(best) - px)) best = k;
    return best;
  };
  pen.mark({
    id: told.id,
    box: { x: box.x - 6, y: box.y - 6, w: box.w + 12, h: box.h + 12 },
    cols: values.length,
    cell: (_, k) => around(place(k), y(values[k]), 4),
    find: (px) => [0, nearest(px)],
    tip: (_, k) => told.tip(k),
    press: told.press && ((_, k) => told.press?.(k)),
    parts: told.parts,
  });
}

/** The area between two curves. @param {Pen} pen @param {Scales} scales @param {ArrayLike<number>} low @param {ArrayLike<number>} high @param {Rgb} fill @param {ArrayLike<number>} [at] */
export function band(pen, { x, y }, low, high, fill, at) {
  const side = (/** @type {ArrayLike<number>} */ edge) => Array.from(edge, (value, k) => [x(at ? at[k] : k), y(value)]);
  pen.shape(pen.poly([...side(low), ...side(high).reverse()].flat(), true), { fill, alpha: 0.2 });
}

/**
 * Bars above places on the x axis, or beside places on the y axis.
 * @param {Pen} pen
 * @param {Scales} scales
 * @param {ArrayLike<number>} values
 * @param {{ fill: (k: number) => Rgb, at?: ArrayLike<number>, from?: ArrayLike<number>, share?: number, shift?: number, across?: boolean, alpha?: number }} look
 *   share and shift: thickness and place of a bar, in units of its axis; `from`: where it starts instead of 0
 * @param {Told} told
 */
export function bars(
  pen,
  { x, y },
  values,
  { fill, at, from, share = 0.8, shift = 0, across = false, alpha = 1 },
  told,
) {
  const [along, beside] = across ? [x, y] : [y, x];
  Array.from(values).forEach((value, k) => {
    const middle = (at ? at[k] : k) + shift;
    const [start, end] = [along(from ? from[k] : 0), along(value)];
    const [one, two] = [beside(middle - share / 2), beside(middle + share / 2)];
    const [low, size] = [Math.min(start, end), Math.max(Math.abs(end - start), 0.75)];
    const [near, thick] = [Math.min(one, two), Math.abs(two - one)];
    const box = across ? { x: low, y: near, w: size, h: thick } : { x: near, y: low, w: thick, h: size };
    pen.shape(pen.rect(box.x, box.y, box.w, box.h, Math.min(2, size / 2)), { fill: fill(k), alpha });
    pen.mark({
      id: `${told.id} ${k}`,
      box,
      tip: () => told.tip(k),
      press: told.press && (() => told.press?.(k)),
      parts: told.parts,
    });
  });
}

/** The outline of a sign around a point. @param {Pen} pen @param {Sign} sign @param {number} x @param {number} y @param {number} r */
export function outline(pen, sign, x, y, r) {
  if (sign === "disk") return pen.disk(x, y, r);
  if (sign === "square") return pen.rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r, 1);
  if (sign === "triangle")
    return pen.poly([x, y - 1.1 * r, x + 1.05 * r, y + 0.8 * r, x - 1.05 * r, y + 0.8 * r], true);
  if (sign === "diamond") return pen.poly([x, y - 1.25 * r, x + 1.25 * r, y, x, y + 1.25 * r, x - 1.25 * r, y], true);
  if (sign === "dash") return pen.rect(x - 1.6 * r, y - 1.5, 3.2 * r, 3, 1.5);
  const [path, arm] = [new Path2D(), 0.9 * r];
  path.addPath(pen.poly([x - arm, y - arm, x + arm, y + arm]));
  path.addPath(pen.poly([x - arm, y + arm, x + arm, y - arm]));
  return path;
}

/**
 * Points, with error bars where `error` is given. They are one mark: the nearest point within reach answers.
 * @param {Pen} pen
 * @param {Scales} scales
 * @param {ArrayLike<number>} xs
 * @param {ArrayLike<number>} ys
 * @param {{ fill: Rgb, radius?: number, sign?: Sign, alpha?: number, error?: ArrayLike<number> }} look
 * @param {Told} told
 */
export function dots(pen, { box, x, y }, xs, ys, { fill, radius = 4, sign = "disk", alpha = 1, error }, told) {
  const places = Array.from(xs, (value, k) => [x(value), y(ys[k])]);
  const line = sign === "cross";
  places.forEach(([px, py], k) => {
    if (error) pen.shape(pen.poly([px, y(ys[k] - error[k]), px, y(ys[k] + error[k])]), { stroke: fill, width: 1.5 });
    const shape = outline(pen, sign, px, py, radius);
    pen.shape(shape, line ? { stroke: fill, width: 2, alpha } : { fill, alpha });
    if (!line && radius > 3) pen.shape(shape, { stroke: pen.theme.paper, width: 1 });
  });
  const reach = Math.max(8, 2 * radius);
  pen.mark({
    id: told.id,
    box: { x: box.x - reach, y: box.y - reach, w: box.w + 2 * reach, h: box.h + 2 * reach },
    cols: places.length,
    cell: (_, k) => around(places[k][0], places[k][1], radius + 1),
    find: (px, py) => {
      const away = places.map(([a, b]) => Math.hypot(a - px, b - py));
      const best = away.indexOf(Math.min(...away));
      return away[best] <= reach ? [0, best] : null;
    },
    tip: (_, k) => told.tip(k),
    press: told.press && ((_, k) => told.press?.(k)),
    parts: told.parts,
  });
}

/** A line of reference through the whole box, at a value of x or of y. @param {Pen} pen @param {Scales} scales @param {{ x?: number, y?: number }} at @param {Look} [look] */
export function rule(pen, { box, x, y }, at, look) {
  const [px, py] = [x(at.x ?? 0), y(at.y ?? 0)];
  const ends = at.x === undefined ? [box.x, py, box.x + box.w, py] : [px, box.y - 4, px, box.y + box.h];
  pen.shape(pen.poly(ends), { stroke: pen.theme.quiet, dash: [3, 3], ...look });
}

/**
 * A heat map with names of rows at the left and of columns below. Names that have no room are left out.
 * @param {Pen} pen
 * @param {ArrayLike<number>} values
 * @param {number[]} shape
 * @param {Box} box
 * @param {(value: number) => Rgb} colour
 * @param {{ id: string, tip: Mark["tip"], press?: Mark["press"], rows?: string[], cols?: string[] }} told
 */
export function heat(pen, values, [rows, cols], box, colour, { rows: left = [], cols: below = [], ...told }) {
  const place = { x: box.x, y: box.y, cell: box.w / cols, tall: box.h / rows };
  const there = pen.bitmap(values, [rows, cols], place, colour, { ...told, frame: pen.theme.faint });
  const [w, h] = [there.w / cols, there.h / rows];
  const room = { x: -Infinity, y: -Infinity }; // where the next name may begin
  left.forEach((name, k) => {
    const y = there.y + (k + 0.5) * h;
    if (!name || y < room.y) return;
    pen.text(name, there.x - 7, y, { size: 11, align: "right", base: "middle" });
    room.y = y + 14;
  });
  below.forEach((name, k) => {
    const x = there.x + (k + 0.5) * w;
    if (!name || x < room.x) return;
    pen.text(name, x, there.y + there.h + 15, { size: 11, align: "center" });
    room.x = x + 34;
  });
  return there;
}

/**
 * What signs and lines mean, in one row. Returns where it ends.
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y of the middle of the words
 * @param {{ words: string, colour: Rgb, sign?: Sign, dash?: number[] }[]} entries a line where there is no sign
 */
export function legend(pen, x, y, entries) {
  for (const { words, colour, sign, dash } of entries) {
    if (sign)
      pen.shape(outline(pen, sign, x + 6, y, 4.5), {
        fill: colour,
        stroke: sign === "cross" ? colour : undefined,
        width: 2,
      });
    else pen.shape(pen.poly([x, y, x + 16, y]), { stroke: colour, width: 2, dash });
    const from = x + (sign ? 15 : 21);
    x = from + pen.text(words, from, y, { base: "middle", colour: pen.theme.ink }) + 16;
  }
  return x;
}
