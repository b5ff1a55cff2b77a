// @ts-check
// Reads a picture that arrived from the kernel, and keeps it on a canvas.
import { BLUE, colourWord, drawWhenSeen, onChange, penOf, showNewest } from "./common.js";
import { PALE } from "./lit.js";
import { widthInWindow } from "./window.js";
import { expand } from "./wire.js";

/** @import { Model } from "./common.js" */

const AROUND = 210; // CSS pixels of height: the bars of the notebook, the last views and the status line

/**
 * The bytes: height and width (4 bytes each), then rows of red, green and blue, see `expand`.
 * @param {DataView<ArrayBuffer>} view
 */
async function readPicture(view) {
  if (!view.byteLength) return null;
  const [height, width] = [view.getUint32(0, true), view.getUint32(4, true)];
  const bytes = await expand(view, 8, height, 3 * width);
  const words = new Uint32Array(height * width);
  for (let k = 0; k < words.length; k++) words[k] = colourWord(bytes, 3 * k);
  return new ImageData(new Uint8ClampedArray(words.buffer), width, height);
}

/**
 * Make a picture pale except for the boxes of the parts that are lit, and outline these.
 * @param {CanvasRenderingContext2D} pen
 * @param {ImageData} picture
 * @param {number[][]} boxes left, top, width and height, in canvas pixels
 */
function lightBoxes(pen, picture, boxes) {
  pen.fillStyle = `rgba(255, 255, 255, ${1 - PALE})`;
  pen.fillRect(0, 0, picture.width, picture.height);
  for (const [left, top, width, height] of boxes) pen.putImageData(picture, 0, 0, left, top, width, height);
  pen.strokeStyle = BLUE;
  pen.lineWidth = 3;
  for (const [left, top, width, height] of boxes) pen.strokeRect(left, top, width, height);
}

/**
 * Show the newest picture of the trait "image" on a canvas.
 * @param {Model} model
 * @param {HTMLCanvasElement} canvas
 * @param {() => void} finish draws on top of the picture
 * @returns {{ draw: () => void, end: () => void }}
 */
export function showPicture(model, canvas, finish = () => {}) {
  /** @type {ImageData | null} */
  let picture = null;

  function draw() {
    if (!picture) return;
    if (canvas.width !== picture.width || canvas.height !== picture.height) {
      canvas.width = picture.width;
      canvas.height = picture.height;
      canvas.style.maxWidth = widthInWindow(canvas, AROUND);
    }
    penOf(canvas).putImageData(picture, 0, 0);
    const boxes = model
      .get("lit")
      .split(" ")
      .flatMap((/** @type {string} */ name) => model.get("boxes")[name] ?? []);
    if (boxes.length) lightBoxes(penOf(canvas), picture, boxes);
    finish();
  }

  const receive = showNewest(
    () => readPicture(model.get("image")),
    (arrived, arrival) => {
      picture = arrived;
      draw();
      canvas.dataset.drawn = String(arrival);
    },
  );
  const ends = [onChange(model, ["image"], receive), onChange(model, ["lit"], draw), drawWhenSeen(canvas, draw)];
  receive();
  return { draw, end: () => ends.forEach((end) => end()) };
}
