// @ts-check
// Plots: axes, curves, bands, bars, dots, lines of reference, heat maps and legends. Each draws with a pen.
import { clamp, num } from "./numbers.js";
import { around } from "./marks.js";

/** @import { Pen, Look } from "./pen.js" */
/** @import { Tensor } from "./numbers.js" */
/** @import { Rgb } from "./theme.js" */
/** @import { Box, Mark, Tip } from "./marks.js" */
/** @typedef {"linear" | "log" | "root" | "log1p"} Kind "root" is the square root with the sign of the number */
/** @typedef {{ box: Box, x: (value: number) => number, y: (value: number) => number }} Scales values -> CSS pixels */
/** @typedef {{ range: [number, number], kind?: Kind, ticks?: number[], title?: string, write?: (value: number) => string }} Axis */
/** @typedef {{ id: string, tip: (k: number) => Tip, press?: (k: number) => void, parts?: string }} Told */
/** @typedef {"disk" | "square" | "triangle" | "down" | "diamond" | "cross" | "plus" | "dash"} Sign */

const SPECK = 2; // CSS pixels: the radius up to which points are drawn as squares, thousands at once

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
  const used = up.title ? pen.text(up.title, box.x, box.y - 9, { colour: pen.theme.ink }) + 12 : 0;
  if (across.title) {
    const words = `${across.title} →`;
    const right = Math.max(box.w, used + pen.ctx.measureText(words).width); // further right where both have no room
    pen.text(words, box.x + right, box.y - 9, { align: "right" });
  }
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
export function curve(pen, scales, values, { at, ...look }, told) {
  const points = Array.from(values).flatMap((value, k) => [scales.x(at ? at[k] : k), scales.y(value)]);
  pen.shape(pen.poly(points), { stroke: pen.theme.accent, width: 2, ...look });
  if (told) answer(pen, scales, [values], at, { ...told, tip: (_, k) => told.tip(k) });
}

/**
 * Several curves over the same x, with bands of errors where given. They are one mark: of the points above and below the pointer the nearest one answers,
 * and the arrow keys lead along a curve or to another one.
 * @param {Pen} pen
 * @param {Scales} scales
 * @param {ArrayLike<number>[]} lines from top to bottom for the arrow keys
 * @param {{ at?: ArrayLike<number>, look: (line: number) => Look, errors?: ArrayLike<number>[] }} look
 * @param {Omit<Told, "tip"> & { tip: (line: number, k: number) => Tip }} told
 */
export function curves(pen, scales, lines, { at, look, errors = [] }, told) {
  errors.forEach((each, line) => {
    const edge = (/** @type {number} */ sign) => Array.from(lines[line], (value, k) => value + sign * each[k]);
    band(pen, scales, edge(-1), edge(1), look(line).stroke ?? pen.theme.accent, at);
  });
  lines.forEach((values, line) => curve(pen, scales, values, { at, ...look(line) }));
  answer(pen, scales, lines, at, told);
}

/**
 * The mark of curves.
 * @param {Pen} pen
 * @param {Scales} scales
 * @param {ArrayLike<number>[]} lines
 * @param {ArrayLike<number> | undefined} at
 * @param {Omit<Told, "tip"> & { tip: (line: number, k: number) => Tip }} told
 */
function answer(pen, { box, x, y }, lines, at, { id, tip, press, parts }) {
  const places = Array.from(lines[0], (_, k) => x(at ? at[k] : k));
  const nearest = (/** @type {ArrayLike<number>} */ values, /** @type {number} */ place) => {
    const away = Array.from(values, (value) => (Number.isNaN(value) ? Infinity : Math.abs(value - place)));
    return away.indexOf(Math.min(...away));
  };
  pen.mark({
    id,
    box: { x: box.x - 6, y: box.y - 6, w: box.w + 12, h: box.h + 12 },
    rows: lines.length,
    cols: places.length,
    cell: (line, k) => around(places[k], y(lines[line][k]), 4),
    find: (px, py) => {
      const k = nearest(places, px);
      const heights = lines.map((values) => y(values[k]));
      return [nearest(heights, py), k];
    },
    tip,
    press: press && ((_, k) => press(k)),
    parts,
  });
}

/**
 * Write names at the right of curves, each joined to the end of its curve. Names that would overlap are moved apart.
 * @param {Pen} pen
 * @param {Scales} scales
 * @param {(Look & { value: number, words: string[] })[]} entries the end of a curve, and the lines of its name
 */
export function ends(pen, { box, y }, entries) {
  const gap = 14 * Math.max(...entries.map(({ words }) => words.length)) + 3;
  const sorted = entries.map((entry) => ({ ...entry, from: y(entry.value) })).sort((one, two) => one.from - two.from);
  const places = sorted.map(({ from }) => from);
  for (let k = 1; k < places.length; k++) places[k] = Math.max(places[k], places[k - 1] + gap);
  let lowest = box.y + box.h + 4; // a column that ends below the axes moves up
  for (let k = places.length - 1; k >= 0; k--, lowest -= gap) places[k] = Math.min(places[k], lowest);
  const right = box.x + box.w;
  sorted.forEach(({ from, words, value: _, ...look }, k) => {
    pen.shape(pen.poly([right + 3, from, right + 9, places[k], right + 20, places[k]]), { width: 2, ...look });
    const first = places[k] - 7 * (words.length - 1);
    words.forEach((word, line) =>
      pen.text(word, right + 25, first + 14 * line, { base: "middle", colour: line ? undefined : pen.theme.ink }),
    );
  });
}

/** A point on a curve, also between two of its values. @param {Pen} pen @param {Scales} scales @param {ArrayLike<number>} values @param {number} at */
export function pointOn(pen, { x, y }, values, at) {
  const [low, high] = [Math.floor(at), Math.ceil(at)].map((k) => y(values[k]));
  const place = low + (high - low) * (at % 1);
  if (Number.isNaN(place)) return;
  pen.shape(pen.disk(x(at), place, 4.5), { fill: pen.theme.accent, stroke: pen.theme.paper, width: 1.5 });
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
 * @param {{ fill: (k: number) => Rgb, at?: ArrayLike<number>, from?: ArrayLike<number>, share?: number, shift?: number, across?: boolean, whole?: boolean, alpha?: number }} look
 *   share and shift: thickness and place of a bar, in units of its axis; `from`: where it starts instead of 0;
 *   `whole`: its whole column answers, so that a bar of length 0 can be read
 * @param {Told} told
 */
export function bars(
  pen,
  { box: axes, x, y },
  values,
  { fill, at, from, share = 0.8, shift = 0, across = false, whole = false, alpha = 1 },
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
    const column = across ? { ...axes, y: near, h: thick } : { ...axes, x: near, w: thick };
    pen.mark({
      id: `${told.id} ${k}`,
      box: whole ? column : box,
      cell: () => box,
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
  if (sign === "down") return pen.poly([x, y + 1.1 * r, x + 1.05 * r, y - 0.8 * r, x - 1.05 * r, y - 0.8 * r], true);
  if (sign === "diamond") return pen.poly([x, y - 1.25 * r, x + 1.25 * r, y, x, y + 1.25 * r, x - 1.25 * r, y], true);
  if (sign === "dash") return pen.rect(x - 1.6 * r, y - 1.5, 3.2 * r, 3, 1.5);
  const [path, arm] = [new Path2D(), 0.9 * r];
  const [slant, flat] = sign === "plus" ? [0, 1.2 * arm] : [arm, arm];
  path.addPath(pen.poly([x - flat, y - slant, x + flat, y + slant]));
  path.addPath(pen.poly([x - slant, y + flat, x + slant, y - flat]));
  return path;
}

/** @type {Record<string, Sign>} */
const SIGNS = {
  PMP: "disk",
  Gibbs: "square",
  "Gibbs-with-gradients": "triangle",
  DMALA: "diamond",
  LP: "down",
  MPLP: "plus",
  exact: "dash",
  data: "cross",
};

/** The sign of a method, beside its colour `theme.method`. @param {string} name @returns {Sign} */
export const signOf = (name) => SIGNS[name] ?? "disk";

/** Whether a sign has lines only. @param {Sign} [sign] */
const isLine = (sign) => sign === "cross" || sign === "plus";

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
  const line = isLine(sign);
  if (radius <= SPECK) pen.specks(places, radius, fill, alpha);
  else
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

/**
 * Several curves, each with its own x or all with the same, and a point at each value. They are one mark: the nearest
 * point within reach answers. A curve ends where it leaves the axes at the right.
 * @param {Pen} pen
 * @param {Scales} scales
 * @param {ArrayLike<number>} xs of all points, or of those of one curve
 * @param {Tensor} values (curves, points)
 * @param {{ colour: (line: number) => Rgb, width?: (line: number) => number, sign?: (line: number) => Sign, radius?: number, error?: ArrayLike<number> }} look
 * @param {Omit<Told, "tip" | "press"> & { tip: (line: number, k: number) => Tip }} told
 */
export function series(pen, { box, x, y }, xs, values, { colour, width, sign, radius = 2.5, error }, told) {
  const [rows, cols] = values.shape;
  const places = Array.from(values, (value, k) => [x(xs[xs.length === cols ? k % cols : k]), y(value)]);
  const drawn = places.map(([px, py]) => (px > box.x + box.w + 1 ? [NaN, NaN] : [px, py]));
  for (let line = 0; line < rows; line++) {
    const [fill, first] = [colour(line), line * cols];
    pen.shape(pen.poly(drawn.slice(first, first + cols).flat()), { stroke: fill, width: width?.(line) ?? 2 });
    for (let k = first; k < first + cols; k++) {
      const [px, py] = drawn[k];
      const bar = error && [px, y(values[k] - error[k]), px, y(values[k] + error[k])];
      if (bar) pen.shape(pen.poly(bar), { stroke: fill, width: 1.5 });
      const point = outline(pen, sign?.(line) ?? "disk", px, py, radius);
      pen.shape(point, { fill, stroke: radius > 3 ? pen.theme.paper : undefined });
    }
  }
  const reach = Math.max(8, 2 * radius);
  pen.mark({
    box: { x: box.x - reach, y: box.y - reach, w: box.w + 2 * reach, h: box.h + 2 * reach },
    rows,
    cols,
    cell: (line, k) => around(places[line * cols + k][0], places[line * cols + k][1], radius + 1),
    find: (px, py) => {
      const away = drawn.map(([a, b]) => (Number.isNaN(a + b) ? Infinity : Math.hypot(a - px, b - py)));
      const best = away.indexOf(Math.min(...away));
      return away[best] <= reach ? [Math.floor(best / cols), best % cols] : null;
    },
    ...told,
  });
}

/** A line of reference through the whole box, at a value of x or of y; with `told` it is a mark. @param {Pen} pen @param {Scales} scales @param {{ x?: number, y?: number }} at @param {Look} [look] @param {{ id: string, tip: () => Tip }} [told] */
export function rule(pen, { box, x, y }, at, look, told) {
  const [px, py] = [x(at.x ?? 0), y(at.y ?? 0)];
  const ends = at.x === undefined ? [box.x, py, box.x + box.w, py] : [px, box.y - 4, px, box.y + box.h];
  pen.shape(pen.poly(ends), { stroke: pen.theme.quiet, dash: [3, 3], ...look });
  if (!told) return;
  const [fromX, fromY, toX, toY] = ends;
  pen.mark({ box: { x: fromX - 3, y: fromY - 3, w: toX - fromX + 6, h: toY - fromY + 6 }, ...told });
}

/** The area between two values of y, which is a mark. @param {Pen} pen @param {Scales} scales @param {[number, number]} between @param {Rgb} fill @param {{ id: string, tip: () => Tip }} told */
export function region(pen, { box, y }, [low, high], fill, told) {
  const area = { x: box.x, y: y(high), w: box.w, h: y(low) - y(high) };
  pen.shape(pen.rect(area.x, area.y, area.w, area.h), { fill, alpha: 0.25 });
  pen.mark({ box: area, ...told });
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
        stroke: isLine(sign) ? colour : undefined,
        width: 2,
      });
    else pen.shape(pen.poly([x, y, x + 16, y]), { stroke: colour, width: 2, dash });
    const from = x + (sign ? 15 : 21);
    x = from + pen.text(words, from, y, { base: "middle", colour: pen.theme.ink }) + 16;
  }
  return x;
}
