// @ts-check
// How large a picture may be, so that a reader who moves a control sees all of the picture that changes.

const LEAST = 360; // CSS pixels: a window may have no height of its own, such as a frame that grows with its content

/**
 * The width at which a canvas leaves some height of the window for what stands around it.
 * @param {HTMLCanvasElement} canvas
 * @param {number} around in CSS pixels
 */
export function widthInWindow(canvas, around) {
  return `calc(max(${LEAST}px, 100vh - ${around}px) * ${(canvas.width / canvas.height).toFixed(4)})`;
}
