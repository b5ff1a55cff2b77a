// @ts-check
// Draws a curve over the frames of a clip, with a mark at one of them. Two canvas pixels for a CSS pixel: sharp on dense
// screens.
import { BLUE, penOf } from "./common.js";

/** @import { Clip } from "./clip.js" */

const [MARGIN, ABOVE_AND_BELOW] = [20, 40]; // canvas pixels
const CSS_MARGIN = MARGIN / 2;
const GREY = "#555555";

/** @typedef {{ x: (index: number) => number, y: (value: number) => number }} Scale */

/**
 * The frame below a place on the curve, in CSS pixels from its left end.
 * @param {number} place
 * @param {number} width of the curve, in CSS pixels
 * @param {number} last frame
 */
export function frameAt(place, width, last) {
  return Math.round(((place - CSS_MARGIN) / (width - 2 * CSS_MARGIN)) * last);
}

/**
 * A line through points; a height that is not a number leaves its point out.
 * @param {CanvasRenderingContext2D} pen
 * @param {Scale} scale
 * @param {ArrayLike<number>} heights
 */
function stroke(pen, { x, y }, heights) {
  pen.beginPath();
  for (let k = 0; k < heights.length; k++) {
    if (!Number.isNaN(heights[k])) pen.lineTo(x(k), y(heights[k]));
  }
  pen.stroke();
}

/**
 * The highest place so far, dashed.
 * @param {CanvasRenderingContext2D} pen
 * @param {Scale} scale
 * @param {Clip} clip
 */
function strokeBest(pen, scale, clip) {
  let best = 0;
  pen.strokeStyle = GREY;
  pen.lineWidth = 2;
  pen.setLineDash([8, 6]);
  stroke(
    pen,
    scale,
    clip.curve.map((height) => (best = Math.max(best, height || 0))),
  );
  pen.setLineDash([]);
}

/**
 * An upright line at a frame, and a point on the curve.
 * @param {CanvasRenderingContext2D} pen
 * @param {Scale} scale
 * @param {Clip} clip
 * @param {number} position
 */
function mark(pen, { x, y }, clip, position) {
  pen.strokeStyle = GREY;
  pen.lineWidth = 2;
  pen.setLineDash([8, 6]);
  pen.beginPath();
  pen.moveTo(x(position), ABOVE_AND_BELOW - 4);
  pen.lineTo(x(position), pen.canvas.height - ABOVE_AND_BELOW + 6);
  pen.stroke();
  pen.setLineDash([]);
  if (Number.isNaN(clip.curve[position])) return;
  pen.fillStyle = BLUE;
  pen.beginPath();
  pen.arc(x(position), y(clip.curve[position]), 8, 0, 7);
  pen.fill();
}

/**
 * Draw the curve as large as the style sheet has it. A canvas that is not on the page yet is left empty.
 * @param {HTMLCanvasElement} canvas
 * @param {Clip} clip
 * @param {number} position
 */
export function drawCurve(canvas, clip, position) {
  const width = (canvas.width = 2 * canvas.clientWidth);
  const height = (canvas.height = 2 * canvas.clientHeight);
  const pen = penOf(canvas);
  const scale = {
    x: (/** @type {number} */ index) => MARGIN + ((width - 2 * MARGIN) * index) / Math.max(1, clip.length - 1),
    y: (/** @type {number} */ value) => height - ABOVE_AND_BELOW - (height - 2 * ABOVE_AND_BELOW) * value,
  };
  pen.fillStyle = "#ffffff";
  pen.fillRect(0, 0, width, height);
  pen.font = "26px system-ui, sans-serif";
  pen.fillStyle = GREY;
  const room = width - 2 * MARGIN; // longer words are written narrower
  pen.fillText(clip.curve_top, MARGIN, 28, room);
  pen.fillText(clip.curve_bottom, MARGIN, height - 8, room);
  if (clip.best) strokeBest(pen, scale, clip);
  pen.lineWidth = 2;
  for (const end of [0, 1]) {
    pen.strokeStyle = clip.best && end === 1 ? "#000000" : "#bbbbbb";
    pen.beginPath();
    pen.moveTo(scale.x(0), scale.y(end));
    pen.lineTo(scale.x(clip.length - 1), scale.y(end));
    pen.stroke();
  }
  pen.strokeStyle = BLUE;
  pen.lineWidth = 3;
  stroke(pen, scale, clip.curve);
  mark(pen, scale, clip, position);
}
