// @ts-check
// A grid of equal boxes in a picture: which of them is pointed at, steps of the arrow keys, and outlines.
import { penOf } from "./common.js";

/** @typedef {{ left: number, top: number, wide: number, high: number, rows: number, columns: number }} Grid in canvas
 * pixels; wide and high are those of a box */
/** @typedef {[row: number, column: number]} Place rows count from the top */

/** @type {Record<string, Place>} */
export const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * The box below the pointer.
 * @param {HTMLCanvasElement} canvas
 * @param {Grid} grid
 * @param {MouseEvent} event
 */
export function placeAt(canvas, { left, top, wide, high, rows, columns }, event) {
  const box = canvas.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * canvas.width - left;
  const y = ((event.clientY - box.top) / box.height) * canvas.height - top;
  const place = /** @type {Place} */ ([Math.floor(y / high), Math.floor(x / wide)]);
  return place[0] >= 0 && place[1] >= 0 && place[0] < rows && place[1] < columns ? place : null;
}

/**
 * A place cut off at the edges of the grid.
 * @param {{ rows: number, columns: number }} grid
 * @param {Place} place
 * @returns {Place}
 */
export function within({ rows, columns }, [row, column]) {
  return [Math.min(rows - 1, Math.max(0, row)), Math.min(columns - 1, Math.max(0, column))];
}

/**
 * Draw a rectangle with a white line on both sides. A row or column of -1 stands for all of them.
 * @param {HTMLCanvasElement} canvas
 * @param {Grid} grid
 * @param {Place} place
 * @param {string} colour
 * @param {number} around canvas pixels between the box and the rectangle
 */
export function outlineBox(canvas, { left, top, wide, high, rows, columns }, [row, column], colour, around) {
  const pen = penOf(canvas);
  const x = left + Math.max(0, column) * wide - around;
  const y = top + Math.max(0, row) * high - around;
  const width = (column < 0 ? columns * wide : wide) + 2 * around;
  const height = (row < 0 ? rows * high : high) + 2 * around;
  for (const [line, look] of /** @type {[number, string][]} */ ([
    [7, "#ffffff"],
    [3, colour],
  ])) {
    pen.lineWidth = line;
    pen.strokeStyle = look;
    pen.strokeRect(x, y, width, height);
  }
}
