// @ts-check
// The colours and the font of the page around a picture, in light and dark themes.

/** @typedef {[number, number, number]} Rgb */
/** @typedef {ReturnType<typeof themeOf>} Theme */

/** @type {(from: Rgb, to: Rgb, share: number) => Rgb} */
export const mix = ([r, g, b], [red, green, blue], share) => {
  const part = (/** @type {number} */ from, /** @type {number} */ to) => Math.round(from + (to - from) * share);
  return [part(r, red), part(g, green), part(b, blue)];
};
/** @param {Rgb} colour */
export const css = ([r, g, b], alpha = 1) => `rgb(${r} ${g} ${b} / ${alpha})`;
/** @type {(word: string) => Rgb} */
const hex = (word) => {
  const value = Number.parseInt(word, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

const SHADES = 256;
/** A table of colours through these stops. @param {string} stops */
function ramp(stops) {
  const colours = stops.split(" ").map(hex);
  return Array.from({ length: SHADES }, (_, shade) => {
    const place = (shade / (SHADES - 1)) * (colours.length - 1);
    const k = Math.min(Math.floor(place), colours.length - 2);
    return mix(colours[k], colours[k + 1], place - k);
  });
}
const CIVIDIS = ramp("00224e 123570 3b496c 575d6d 707173 8a8678 a59c74 c3b369 e1cc55 fee838");
const PUOR = ramp("7f3b08 b35806 e08214 fdb863 fee0b6 f7f7f7 d8daeb b2abd2 8073ac 542788 2d004b");
const PUOR_DARK = ramp("ffc98a f5a34a c97a26 8a541d 523a24 38383c 433d59 5d5091 8270c2 a896ea d3c8ff"); // 0 is dark
/** The colours of Okabe and Ito for methods, on white and on black paper. @type {Record<string, [string, string]>} */
const METHODS = {
  PMP: ["0072b2", "5ab4f0"],
  Gibbs: ["e69f00", "f0b840"],
  "Gibbs-with-gradients": ["009e73", "35c9a0"],
  DMALA: ["cc79a7", "e39cc4"],
  "block Gibbs": ["d55e00", "ff8a3d"],
  LP: ["7f7f7f", "a6a6a6"],
  MPLP: ["7f7f7f", "a6a6a6"],
  data: ["56b4e9", "8fd0f7"],
};
/** Colours of things that have numbers. @type {[string, string][]} */
const NUMBERED = [METHODS.Gibbs, METHODS["Gibbs-with-gradients"], METHODS.DMALA, ["6a5acd", "9d92f0"]];

/** @param {Rgb[]} table @param {number} share */
const shade = (table, share) => table[Math.round(Math.min(1, Math.max(0, share)) * (SHADES - 1))];

/**
 * A theme from three computed styles of the page.
 * @param {Rgb} paper
 * @param {Rgb} ink the colour of text
 */
export function themeOf(paper, ink, font = "sans-serif") {
  const dark = ink[1] > paper[1];
  const pick = (/** @type {[string, string]} */ pair) => hex(pair[dark ? 1 : 0]);
  const diverging = dark ? PUOR_DARK : PUOR;
  return {
    dark,
    font,
    paper,
    ink,
    quiet: mix(ink, paper, 0.35), // less important words
    faint: mix(ink, paper, 0.82), // lines of a grid, outlines
    accent: pick(METHODS.PMP),
    warn: pick(["cc0000", "ff6b5e"]),
    right: pick(["689f38", "8bc34a"]),
    /** The colour of a method; exact results have that of the text. @param {string} name */
    method: (name) => (METHODS[name] ? pick(METHODS[name]) : ink),
    /** The colour of thing number 0, 1, ...; there are four. @param {number} k */
    numbered: (k) => pick(NUMBERED[k % NUMBERED.length]),
    /** Orange for -limit, purple for +limit. @param {number} value */
    diverging: (value, limit = 1) => shade(diverging, 0.5 + value / limit / 2),
    /** Dark blue for 0, yellow for 1. @param {number} share */
    cividis: (share) => shade(CIVIDIS, share),
    /** The colour of the text for 1, the paper for 0. @param {number} share */
    binary: (share) => mix(paper, ink, share),
  };
}

/** Read the theme of the page where an element is. @param {Element} el */
export function readTheme(el) {
  const { backgroundColor, color, fontFamily } = getComputedStyle(el);
  return themeOf(...read([backgroundColor, color]), fontFamily);
}

/** Colours of CSS in any notation, also oklch(). @param {string[]} words @returns {[Rgb, Rgb]} */
function read(words) {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("this browser has no 2D canvas");
  const colours = words.map((word) => {
    context.fillStyle = word;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  });
  return /** @type {[Rgb, Rgb]} */ (colours);
}
