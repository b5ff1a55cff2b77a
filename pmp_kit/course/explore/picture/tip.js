// @ts-check
// The box beside a mark that shows its numbers.
import { append } from "./page.js";
import { clamp } from "./numbers.js";

/** @import { Box, Tip } from "./marks.js" */

const GAP = 9; // CSS pixels between a mark and its tip

const SUBSCRIPT = /_\{([^}]*)\}/; // in a tip, "m_{1→2}" is an m with the subscript 1→2

/** What is spoken of a tip. @param {Tip} tip */
export function spoken({ title, rows = [] }) {
  const lines = [title, ...rows.map((row) => row.join(" "))];
  return lines
    .join(", ")
    .replace(/_\{([^}]*)\}/g, " $1")
    .replaceAll("→", " to ");
}

/** @param {HTMLElement} element @param {string} text */
function write(element, text) {
  text.split(SUBSCRIPT).forEach((part, k) => (k % 2 ? append(element, "sub", {}, part) : element.append(part)));
}

/**
 * Show a tip beside a box, or hide it.
 * @param {HTMLElement} element
 * @param {Tip | null | undefined} tip
 * @param {Box} box
 * @param {[number, number]} aside the direction from the box to the tip
 * @param {{ width: number, height: number }} room
 */
export function showTip(element, tip, box, aside, room) {
  element.hidden = !tip;
  if (!tip) return;
  element.replaceChildren();
  write(append(element, "b"), tip.title);
  for (const part of (tip.rows ?? []).flat()) write(append(element, "span"), part);
  const [w, h] = [element.offsetWidth, element.offsetHeight];
  const spot = (/** @type {number} */ sign) => {
    const [x, y] = aside.map((part) => sign * part);
    const middle = [box.x + box.w / 2, box.y + box.h / 2];
    const away = (Math.abs(x) * (w + box.w)) / 2 + (Math.abs(y) * (h + box.h)) / 2 + GAP; // no corner is nearer
    return [middle[0] + x * away - w / 2, middle[1] + y * away - h / 2];
  };
  const cut = (/** @type {number[]} */ [x, y]) =>
    Math.max(-x, x + w - room.width, 0) + Math.max(-y, y + h - room.height, 0);
  const [first, second] = [spot(1), spot(-1)];
  const [x, y] = cut(first) <= cut(second) ? first : second;
  element.style.left = `${clamp(x, 0, Math.max(0, room.width - w))}px`;
  element.style.top = `${clamp(y, 0, Math.max(0, room.height - h))}px`;
}
