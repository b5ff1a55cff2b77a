// @ts-check
// Marks: the places of a picture that can be pointed at, walked along with the arrow keys, and pressed.
import { clamp } from "./numbers.js";

/** @typedef {{ x: number, y: number, w: number, h: number }} Box in CSS pixels of the picture */
/** @typedef {{ title: string, rows?: [string, string][] }} Tip what a mark says: pairs of a name and its value */
/** @typedef {{ id: string, row: number, col: number }} Place a cell of a mark */
/**
 * @typedef {object} Mark one shape, or a grid of rows x cols cells
 * @property {string} id the same in every frame and every state
 * @property {Box} box
 * @property {(row: number, col: number) => Tip} tip
 * @property {Path2D} [path] the shape, where it is not the box
 * @property {number} [rows]
 * @property {number} [cols]
 * @property {(row: number, col: number) => Box} [cell] the box of a cell, if the cells do not tile `box`
 * @property {(x: number, y: number) => [number, number] | null} [find] the cell at a place, if they do not tile `box`
 * @property {(row: number, col: number) => void} [press] called while the pointer is down on a cell, and for Enter
 * @property {(key: string, row: number, col: number) => boolean} [key] whether it has used another key
 * @property {[number, number]} [aside] the direction in which the tip stands; above the mark by default
 * @property {string} [parts] names of what an equation of the page lights up, separated by spaces
 * @property {string} [letter] written beside the mark while anything is lit
 */

/** @param {Box} box */
const centre = ({ x, y, w, h }) => [x + w / 2, y + h / 2];

/** A square around a point. @param {number} x @param {number} y @param {number} radius @returns {Box} */
export const around = (x, y, radius) => ({ x: x - radius, y: y - radius, w: 2 * radius, h: 2 * radius });

/** The box of a cell of a mark. @param {Mark} mark @param {{ row: number, col: number }} place @returns {Box} */
export function cellOf({ box, rows = 1, cols = 1, cell }, place) {
  const [row, col] = [clamp(place.row, 0, rows - 1), clamp(place.col, 0, cols - 1)];
  if (cell) return cell(row, col);
  return { x: box.x + (col * box.w) / cols, y: box.y + (row * box.h) / rows, w: box.w / cols, h: box.h / rows };
}

/**
 * The cell of a mark that is at a place, or nearest to it.
 * @param {Mark} mark
 * @param {number} x
 * @param {number} y
 * @returns {Place | null} null if the mark has none there
 */
export function placeIn({ id, box, rows = 1, cols = 1, find }, x, y) {
  const inside = (/** @type {number} */ share, /** @type {number} */ count) =>
    clamp(Math.floor(share * count), 0, count - 1);
  const found = find ? find(x, y) : [inside((y - box.y) / box.h, rows), inside((x - box.x) / box.w, cols)];
  return found && { id, row: found[0], col: found[1] };
}

/**
 * The topmost mark at a place, and its cell there.
 * @param {Mark[]} marks
 * @param {number} x
 * @param {number} y
 * @param {(path: Path2D) => boolean} onPath whether the place is on a shape
 */
export function markAt(marks, x, y, onPath) {
  for (const mark of [...marks].reverse()) {
    const { box, path } = mark;
    if (x < box.x - 1 || y < box.y - 1 || x > box.x + box.w + 1 || y > box.y + box.h + 1) continue;
    const place = !path || onPath(path) ? placeIn(mark, x, y) : null;
    if (place) return { mark, place };
  }
  return null;
}

/**
 * The cell that an arrow key leads to: the next one of the same mark, or else the nearest mark in this direction.
 * @param {Mark[]} marks
 * @param {Mark} mark
 * @param {Place} place
 * @param {number[]} step rows and columns
 * @returns {Place}
 */
export function next(marks, mark, place, [down, right]) {
  const [row, col] = [place.row + down, place.col + right];
  if (row >= 0 && col >= 0 && row < (mark.rows ?? 1) && col < (mark.cols ?? 1)) return { id: mark.id, row, col };
  const [x, y] = centre(cellOf(mark, place));
  let [best, least] = [place, Infinity];
  for (const one of marks) {
    if (one === mark) continue;
    const grid = (one.rows ?? 1) * (one.cols ?? 1) > 1;
    const { box } = one;
    const near = grid ? [clamp(x, box.x, box.x + box.w), clamp(y, box.y, box.y + box.h)] : centre(box);
    const [along, aside] = [
      (near[0] - x) * right + (near[1] - y) * down,
      Math.abs((near[0] - x) * down + (near[1] - y) * right),
    ];
    const found =
      along > 0.5 && aside <= 2.5 * along + 12 && along + 2 * aside < least && placeIn(one, near[0], near[1]);
    if (found) [best, least] = [found, along + 2 * aside];
  }
  return best;
}
