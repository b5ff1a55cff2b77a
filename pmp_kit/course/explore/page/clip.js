// @ts-check
// Reads the frames of an animation. A frame is an image of palette entries and a palette; either may be shared by all.
import { colourWord } from "./common.js";
import { outline, paled } from "./lit.js";
import { expand } from "./wire.js";

/** @import { Parts } from "./lit.js" */

/**
 * What `pack` in player.py writes as JSON.
 * @typedef {object} Header
 * @property {[number, number, number]} images their number, height and width
 * @property {1 | 2} bytes of a palette entry in the images
 * @property {[number, number]} palettes their number, and the colours of each
 * @property {string} curve_top
 * @property {string} curve_bottom
 * @property {number} first the frame to start at
 * @property {number} width of a frame on the page, in CSS pixels
 * @property {boolean} best whether the highest place of the curve so far is drawn as well
 * @property {Record<string, [number, number][]>} layers name -> pairs: an entry, and the one seen where it is hidden
 * @property {string[]} shown names of the layers that are shown at first
 */

/** @typedef {Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>} Images */
/** @typedef {Header & Parts & { colours: Uint32Array, curve: Float32Array, length: number }} Clip */

/**
 * Read the images.
 * @param {DataView<ArrayBuffer>} view
 * @param {Header} header
 * @returns {Promise<Images>}
 */
export async function readImages(view, { images: [count, height, width], bytes }) {
  const images = await expand(view, 0, count, height * width * bytes);
  return bytes === 1 ? images : new Uint16Array(images.buffer, 0, images.length / 2);
}

/**
 * Read all but the images: length of the header (4 bytes), header in JSON, palettes, heights of the curve.
 * @param {DataView<ArrayBuffer>} view
 * @returns {Clip}
 */
export function readClip(view) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const start = 4 + view.getUint32(0, true);
  /** @type {Header & Parts} */
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start)));
  const [palettes, size] = header.palettes;
  const colours = new Uint32Array(palettes * size);
  for (let k = 0; k < colours.length; k++) colours[k] = colourWord(bytes, start + 3 * k);
  const curve = new Float32Array(bytes.slice(start + 3 * colours.length).buffer);
  return { ...header, colours, curve, length: Math.max(header.images[0], palettes, curve.length) };
}

/**
 * One frame in colours.
 * @param {Clip} clip
 * @param {Images} images
 * @param {number} position
 * @param {Uint8Array | null} lit table of the palette entries that are lit, see litEntries; null for a usual frame
 * @param {string[]} hidden names of the layers that are not shown
 */
export function frameOf(clip, images, position, lit, hidden) {
  const [count, height, width] = clip.images;
  const [palettes, colours] = clip.palettes;
  const size = width * height;
  const start = Math.min(position, count - 1) * size;
  const first = Math.min(position, palettes - 1) * colours;
  const palette = clip.colours.slice(first, first + colours);
  for (const [entry, behind] of hidden.flatMap((name) => clip.layers[name])) palette[entry] = palette[behind];
  const shown = lit ? paled(palette, lit) : palette;
  const words = new Uint32Array(size);
  for (let k = 0; k < size; k++) words[k] = shown[images[start + k]];
  if (lit) outline(words, images.subarray(start, start + size), width, lit);
  return new ImageData(new Uint8ClampedArray(words.buffer), width, height);
}
