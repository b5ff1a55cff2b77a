// @ts-check
// A board of pixels that the reader sets on, off or free, with a brush, the keyboard or a finger.
import { append } from "./page.js";

/** @import { Pen } from "./pen.js" */
/** @import { Tip } from "./marks.js" */
/** @import { View } from "./view.js" */

/** In bytes: 0 off, 1 on. */
export const FREE = 2;
export const NAMES = ["off", "on", "free"];
const KEYS = /** @type {Record<string, number>} */ ({ 0: 0, 1: 1, f: FREE });
/** @type {WeakMap<View, number>} */
const brushes = new WeakMap();

/** Add the brushes to the bar; a page without a kernel has none. @param {View} view */
export function addBrushes(view) {
  if (!view.painted()) return;
  const choose = (/** @type {number} */ value) => {
    brushes.set(view, value);
    buttons.forEach(([own, button]) => button.setAttribute("aria-pressed", String(own === value)));
  };
  const buttons = [1, 0, FREE].map((value) => {
    const button = append(
      view.bar,
      "button",
      { type: "button", class: `pmp-sets pmp-sets-${NAMES[value]}` },
      NAMES[value],
    );
    view.listen(button, "click", () => choose(value));
    return /** @type {[number, HTMLElement]} */ ([value, button]);
  });
  const clear = append(view.bar, "button", { type: "button" }, "all free");
  view.listen(clear, "click", () => view.paint(/** @type {any} */ (view.painted()).fill(FREE)));
  choose(1);
}

/** The pixels that the reader sees: what is painted by now, or else those of the state. @param {View} view @param {ArrayLike<number>} evidence */
export const pixelsOf = (view, evidence) => view.painted() ?? evidence;

/**
 * Draw the board. Pixels that are given have a border, free ones are striped.
 * @param {Pen} pen
 * @param {View} view
 * @param {ArrayLike<number>} pixels
 * @param {number[]} shape
 * @param {{ x: number, y: number, cell: number }} place
 * @param {(row: number, col: number) => Tip} tip
 */
export function board(pen, view, pixels, [rows, cols], place, tip) {
  const { theme } = pen;
  const set = (/** @type {number} */ row, /** @type {number} */ col, value = brushes.get(view) ?? 1) => {
    const after = view.painted();
    if (!after || after[row * cols + col] === value) return;
    after[row * cols + col] = value;
    view.paint(after);
  };
  const live = view.painted() !== null;
  const given = (/** @type {number} */ row, /** @type {number} */ col) => pixels[row * cols + col] !== FREE;
  const box = pen.bitmap(pixels, [rows, cols], place, (value) => (value === FREE ? theme.faint : theme.binary(value)), {
    id: "evidence",
    tip,
    press: live ? (row, col) => set(row, col) : undefined,
    key: (name, row, col) => {
      if (!live || !(name in KEYS)) return false;
      set(row, col, KEYS[name]);
      return true;
    },
  });
  pen.stripes(box, [rows, cols], (row, col) => !given(row, col));
  pen.shape(pen.rect(box.x, box.y, box.w, box.h), { stroke: theme.quiet });
  pen.border([box], [rows, cols], given, { stroke: theme.accent, width: 1.5 });
  return box;
}
