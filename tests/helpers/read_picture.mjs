// Draws a picture without a browser, and prints what every cell of every mark says.
// node read_picture.mjs module.mjs frame.bin '{"width": 660, "frame": 64}'
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// Whatever is asked of a canvas: every method can be called, and every number is 0.
const anything = () =>
  new Proxy(function () {}, {
    get: (_, name) => (name === Symbol.toPrimitive ? () => 0 : anything()),
    set: () => true,
    apply: () => anything(),
    construct: () => anything(),
  });
class Path2D {
  constructor() {
    return anything();
  }
}
class ImageData {
  constructor(width, height) {
    this.data = new Uint8ClampedArray(4 * width * height);
  }
}
class OffscreenCanvas {
  getContext = anything;
}
Object.assign(globalThis, { Path2D, ImageData, OffscreenCanvas });

const [, , module, file, given] = process.argv;
const { default: made, d } = await import(pathToFileURL(module));
const bytes = readFileSync(file);
const state = d.unpack(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
const { picture } = made;
const last = (picture.frames?.(state) ?? 1) - 1;
const { width = 660, frame = last, layers = Object.keys(picture.layers ?? {}) } = JSON.parse(given);
const pen = new d.Pen(anything(), d.themeOf([255, 255, 255], [0, 0, 0]), width, 1);
const view = { frame, at: frame, last, shown: new Set(layers), painted: () => null, player: null };
const height = picture.height(width, state, pen);
picture.draw(pen, state, view);
const said = {};
for (const { id, rows = 1, cols = 1, tip } of pen.marks) {
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const place = rows * cols > 1 ? `${id}/${row}/${col}` : id;
      if (place in said) throw new Error(`two marks have the name ${place}`);
      said[place] = tip(row, col);
    }
  }
}
const outside = pen.marks.filter(({ box: { x, y, w, h } }) => !(x >= -8 && y >= -8 && x + w <= width + 8 && y + h <= height + 8));
const parts = {};
for (const mark of pen.marks)
  for (const name of (mark.parts ?? "").split(" ").filter(Boolean)) (parts[name] ??= []).push(mark.id);
process.stdout.write(
  JSON.stringify({ said, frame, says: state.says, layers: Object.keys(picture.layers ?? {}), parts, outside: outside.map((mark) => mark.id) }),
);
