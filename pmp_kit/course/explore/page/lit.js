// @ts-check
// Lights up parts of a picture of palette entries: all else becomes pale, and the parts get an outline.
import { BLUE } from "./common.js";

export const PALE = 0.2; // share of its colour that is left of what is not lit
const OUTLINE = 0xffb27200; // BLUE as a word, see colourWord
const [SIZE, UP] = [15, 0.35]; // of a letter, in CSS pixels; how far its middle is above its baseline, in sizes

/**
 * @typedef {object} Parts
 * @property {Record<string, number[]>} parts name of a part -> its palette entries
 * @property {Record<string, [number, number]>} letters a letter -> its place, in shares of the picture
 */

/**
 * Which palette entries are lit: 1 for each of them; null where nothing is lit.
 * @param {Parts} picture
 * @param {string} lit names of parts, separated by spaces
 * @param {number} colours the number of entries
 */
export function litEntries({ parts }, lit, colours) {
  const entries = lit.split(" ").flatMap((name) => parts[name] ?? []);
  if (!entries.length) return null;
  const table = new Uint8Array(colours);
  for (const entry of entries) table[entry] = 1;
  return table;
}

/**
 * A palette whose other entries are pale.
 * @param {Uint32Array} palette
 * @param {Uint8Array} table of lit entries
 */
export function paled(palette, table) {
  return palette.map((word, entry) => {
    if (table[entry]) return word;
    const pale = (/** @type {number} */ shift) => Math.round(255 - PALE * (255 - ((word >>> shift) & 255))) << shift;
    return 0xff000000 | pale(0) | pale(8) | pale(16);
  });
}

/**
 * Outline what is lit, three pixels wide, so that a part is seen even where it is as white as the paper.
 * @param {Uint32Array} words the colours of the pixels, which change
 * @param {ArrayLike<number>} image their palette entries
 * @param {number} width of the image
 * @param {Uint8Array} table of lit entries
 */
export function outline(words, image, width, table) {
  for (let k = width + 1; k < words.length - width - 1; k++) {
    if (!table[image[k]]) continue;
    if (table[image[k - 1]] && table[image[k + 1]] && table[image[k - width]] && table[image[k + width]]) continue;
    for (let row = k - width; row <= k + width; row += width) words.fill(OUTLINE, row - 1, row + 2);
  }
}

/**
 * Write the letters of the variables beside them.
 * @param {CanvasRenderingContext2D} pen
 * @param {Parts} picture
 * @param {number} density canvas pixels for a CSS pixel
 */
export function writeLetters(pen, { letters }, density) {
  const { width, height } = pen.canvas;
  pen.font = `italic 600 ${SIZE * density}px serif`;
  pen.textAlign = "center";
  pen.lineWidth = 4 * density;
  pen.strokeStyle = "white";
  pen.fillStyle = BLUE;
  for (const [letter, [x, y]] of Object.entries(letters)) {
    const place = /** @type {const} */ ([letter, x * width, y * height + UP * SIZE * density]);
    pen.strokeText(...place);
    pen.fillText(...place);
  }
}
