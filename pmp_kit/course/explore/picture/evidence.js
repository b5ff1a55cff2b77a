// @ts-check
// Evidence and the images that agree with it: a board, the share of the images in which a pixel is on, a sheet of them.
import { sum } from "./numbers.js";
import { board, FREE, NAMES, pixelsOf } from "./paint.js";

/** @import { Tensor } from "./numbers.js" */
/** @import { Pen } from "./pen.js" */
/** @import { View } from "./view.js" */
/** @typedef {{ x: number, y: number, cell: number }} Place of the upper left corner, and the side of a pixel */
/** @typedef {[string, string][]} Rows of a tip */

/**
 * Returns functions that draw the three pictures. Each has a title, and a tip for each pixel.
 * @param {Pen} pen
 * @param {View} view
 * @param {Tensor} evidence (rows, cols) of 0, 1 and FREE
 * @param {Tensor} images (count, rows, cols) of 0 and 1
 * @param {{ one: string, given: string }} words what an image is called, and a pixel that is not free
 */
export function evidenceOf(pen, view, evidence, images, { one, given }) {
  const { theme } = pen;
  const [count, ...shape] = images.shape;
  const [pixels, on] = [pixelsOf(view, evidence), sum(images)];
  const k = (/** @type {number} */ row, /** @type {number} */ col) => row * shape[1] + col;
  const name = (/** @type {number} */ row, /** @type {number} */ col) => `row ${row + 1}, column ${col + 1}`;
  const inside = (/** @type {number} */ row, /** @type {number} */ col) => evidence[k(row, col)] !== FREE;
  const shared = (/** @type {number} */ row, /** @type {number} */ col) =>
    /** @type {Rows} */ ([
      [given, NAMES[pixels[k(row, col)]]],
      ["on in", `${on[k(row, col)]} of ${count} ${one}s`],
    ]);
  const tip = (/** @type {number} */ row, /** @type {number} */ col) => ({
    title: name(row, col),
    rows: shared(row, col),
  });
  return {
    /** The board, on which the reader paints where there is a kernel. @param {Place} place */
    board(place) {
      pen.title(view.painted() ? "paint here" : given, place);
      board(pen, view, pixels, shape, place, tip);
    },

    /** The share of the images in which each pixel is on, with the key of its colours. @param {Place} place */
    share(place) {
      pen.title("share that is on", place);
      const colour = (/** @type {number} */ total) => theme.cividis(total / count);
      const box = pen.bitmap(on, shape, place, colour, { id: "share", tip });
      pen.border([box], shape, inside, { stroke: [0, 0, 0], width: 3.5 }); // one of both is seen on any colour
      pen.border([box], shape, inside, { stroke: [255, 255, 255], width: 1.5 });
      pen.key({ x: box.x, y: box.y + box.h + 8, w: box.w }, theme.cividis, ["0", `line: ${given}`, "1"]);
    },

    /**
     * All images.
     * @param {Place & { columns: number, gap: number }} place
     * @param {string} title
     * @param {(n: number) => Rows} more what else a tip says of an image
     */
    sheet(place, title, more = () => []) {
      pen.title(title, place);
      const boxes = pen.mosaic(images, place, theme.binary, (n) => ({
        id: `${one} ${n}`,
        frame: theme.faint,
        tip: (row, col) => ({
          title: `${one} ${n + 1}`,
          rows: [...more(n), [name(row, col), NAMES[images[n * on.length + k(row, col)]]], ...shared(row, col)],
        }),
      }));
      pen.border(boxes, shape, inside, { stroke: theme.accent, width: 1 });
    },
  };
}
