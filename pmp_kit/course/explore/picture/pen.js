// @ts-check
// The pen: shapes, text and grids of pixels, in CSS pixels. It remembers the marks of the picture.
import { css } from "./theme.js";

/** @import { Tensor } from "./numbers.js" */
/** @import { Rgb, Theme } from "./theme.js" */
/** @import { Box, Mark } from "./marks.js" */
/** @typedef {{ fill?: Rgb, stroke?: Rgb, width?: number, alpha?: number, dash?: number[] }} Look */
/** @typedef {{ size?: number, align?: CanvasTextAlign, base?: CanvasTextBaseline, colour?: Rgb, weight?: number, italic?: boolean, halo?: boolean }} Writing */
/** @typedef {Partial<Pick<Mark, "tip" | "press" | "key" | "parts">> & { id?: string, frame?: Rgb, heavy?: boolean }} Grid */
/** @typedef {(row: number, col: number) => boolean} Inside */

export class Pen {
  /** @type {Mark[]} */
  marks = [];
  /** @type {OffscreenCanvas | null} where a bitmap is before it is enlarged */
  small = null;
  /** The height of the window: a picture that is as high cannot be seen with its controls. */
  tall = 900;

  /** @param {CanvasRenderingContext2D} ctx @param {Theme} theme @param {number} width of the picture @param {number} density screen pixels in a CSS pixel */
  constructor(ctx, theme, width, density) {
    this.ctx = ctx;
    this.theme = theme;
    this.width = width;
    this.density = density;
  }

  /** Let a place answer. The mark that comes last is on top. @param {Mark} mark */
  mark(mark) {
    this.marks.push(mark);
  }

  /** Fill and outline a shape, and return it. @param {Path2D} path @param {Look} look */
  shape(path, { fill, stroke, width = 1, alpha = 1, dash = [] }) {
    const { ctx } = this;
    if (fill) {
      ctx.fillStyle = css(fill, alpha);
      ctx.fill(path);
    }
    if (stroke) {
      ctx.strokeStyle = css(stroke, fill ? 1 : alpha);
      ctx.lineWidth = width;
      ctx.lineJoin = "round";
      ctx.setLineDash(dash);
      ctx.stroke(path);
    }
    return path;
  }

  /** Write a line of text, and return its width. A halo of paper keeps it readable on lines. @param {string} words @param {number} x @param {number} y @param {Writing} look */
  text(words, x, y, look = {}) {
    const { ctx, theme } = this;
    const { size = 12, align = "left", base = "alphabetic", colour = theme.quiet, weight = 400, halo = false } = look;
    ctx.font = `${look.italic ? "italic" : ""} ${weight} ${size}px ${look.italic ? "Georgia, serif" : theme.font}`;
    ctx.textAlign = align;
    ctx.textBaseline = base;
    if (halo) {
      ctx.setLineDash([]);
      ctx.lineJoin = "round";
      ctx.lineWidth = 4;
      ctx.strokeStyle = css(theme.paper);
      ctx.strokeText(words, x, y);
    }
    ctx.fillStyle = css(colour);
    ctx.fillText(words, x, y);
    return ctx.measureText(words).width;
  }

  /** A disk, or a ring around an inner radius. @param {number} x @param {number} y @param {number} radius */
  disk(x, y, radius, inner = 0) {
    const path = new Path2D();
    path.arc(x, y, radius, 0, 7);
    if (inner) path.arc(x, y, inner, 7, 0, true);
    return path;
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  rect(x, y, w, h, round = 0) {
    const path = new Path2D();
    path.roundRect(x, y, w, h, round);
    return path;
  }

  /** A line through points x, y, x, y, ... It is broken where a number is NaN. @param {ArrayLike<number>} points */
  poly(points, closed = false) {
    const path = new Path2D();
    for (let k = 0, broken = true; k < points.length; k += 2) {
      const gap = Number.isNaN(points[k] + points[k + 1]);
      if (!gap) path[broken ? "moveTo" : "lineTo"](points[k], points[k + 1]);
      broken = gap;
    }
    if (closed) path.closePath();
    return path;
  }

  /**
   * An arrow from a to b, `aside` to the right of the line between them, that leaves `off` free at both ends.
   * @param {number[]} a
   * @param {number[]} b
   * @param {{ off?: number, aside?: number, half?: number, head?: number }} look `half` is half of its thickness
   */
  arrow([ax, ay], [bx, by], { off = 0, aside = 0, half = 1, head = 4 }) {
    const length = Math.hypot(bx - ax, by - ay);
    const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
    const [tip, neck] = [length - off, Math.max(off, length - off - 1.8 * head)];
    const corners = [
      [off, -0.35 * half],
      [neck, -half],
      [neck - 0.25 * head, -head],
      [tip, 0],
      [neck - 0.25 * head, head],
      [neck, half],
      [off, 0.35 * half],
    ];
    const points = corners.flatMap(([s, t]) => [ax + ux * s - uy * (aside + t), ay + uy * s + ux * (aside + t)]);
    return this.poly(points, true);
  }

  /** The largest whole number of screen pixels that is not longer, at least one. @param {number} length */
  snap(length) {
    return Math.max(1, Math.floor(length * this.density + 1e-6)) / this.density;
  }

  /**
   * A grid of values as pixels; its sides are whole pixels of the screen. With a tip it is a mark of rows x cols cells.
   * @param {ArrayLike<number>} values
   * @param {number[]} shape rows and columns
   * @param {{ x: number, y: number, cell: number, tall?: number }} place width of a cell, and its height if that differs
   * @param {(value: number) => Rgb} colour
   * @param {Grid} look
   * @returns {Box}
   */
  bitmap(values, [rows, cols], { x, y, cell, tall = cell }, colour, look = {}) {
    const { ctx } = this;
    const data = new ImageData(cols, rows);
    const words = new Uint32Array(data.data.buffer);
    const known = new Map(); // most pixels share a few values
    for (let k = 0; k < words.length; k++) {
      let word = known.get(values[k]);
      if (word === undefined) {
        const [r, g, b] = colour(values[k]);
        known.set(values[k], (word = 0xff000000 | (b << 16) | (g << 8) | r));
      }
      words[k] = word;
    }
    const box = { x: this.snap(x), y: this.snap(y), w: this.snap(cols * cell), h: this.snap(rows * tall) };
    const small = (this.small ??= new OffscreenCanvas(1, 1));
    [small.width, small.height] = [cols, rows];
    small.getContext("2d")?.putImageData(data, 0, 0);
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(small, box.x, box.y, box.w, box.h);
    const { id = "", tip, press, key, parts, frame, heavy } = look;
    const edge = heavy ? 1.5 : 0.5;
    if (frame)
      this.shape(this.rect(box.x - edge, box.y - edge, box.w + 2 * edge, box.h + 2 * edge), {
        stroke: frame,
        width: 2 * edge,
      });
    if (tip) this.mark({ id, box, rows, cols, tip, press, key, parts });
    return box;
  }

  /**
   * Many bitmaps of one size, in rows. Returns their boxes.
   * @param {Tensor} values (count, rows, cols)
   * @param {{ x: number, y: number, cell: number, columns: number, gap: number }} place
   * @param {(value: number) => Rgb} colour
   * @param {(k: number) => Grid} look of each of them
   */
  mosaic(values, { x, y, cell, columns, gap }, colour, look) {
    const [count, rows, cols] = values.shape;
    const [w, h] = [this.snap(cols * cell) + gap, this.snap(rows * cell) + gap];
    return Array.from({ length: count }, (_, k) => {
      const at = { x: x + (k % columns) * w, y: y + Math.floor(k / columns) * h, cell };
      return this.bitmap(values.subarray(k * rows * cols, (k + 1) * rows * cols), [rows, cols], at, colour, look(k));
    });
  }

  /** Stripes on cells of a grid: they differ from grey on any screen and in print. @param {Box} box @param {number[]} shape @param {Inside} inside */
  stripes(box, [rows, cols], inside) {
    const [area, w, h] = [new Path2D(), box.w / cols, box.h / rows];
    for (let k = 0; k < rows * cols; k++) {
      const [row, col] = [Math.floor(k / cols), k % cols];
      if (inside(row, col)) area.rect(box.x + col * w, box.y + row * h, w, h);
    }
    const lines = new Path2D();
    for (let x = box.x - box.h; x < box.x + box.w; x += 5) {
      lines.moveTo(x, box.y + box.h);
      lines.lineTo(x + box.h, box.y);
    }
    this.ctx.save();
    this.ctx.clip(area);
    this.shape(lines, { stroke: this.theme.quiet, alpha: 0.45 });
    this.ctx.restore();
  }

  /** The border of cells of grids that have one size. @param {Box[]} boxes @param {number[]} shape @param {Inside} inside @param {Look} look */
  border(boxes, [rows, cols], inside, look) {
    if (!boxes.length) return;
    const [path, w, h] = [new Path2D(), boxes[0].w / cols, boxes[0].h / rows];
    const is = (/** @type {number} */ row, /** @type {number} */ col) =>
      row >= 0 && col >= 0 && row < rows && col < cols && inside(row, col);
    const line = (/** @type {number[]} */ ...ends) => path.addPath(this.poly(ends));
    for (let row = 0; row <= rows; row++) {
      for (let col = 0; col <= cols; col++) {
        const [x, y] = [col * w, row * h];
        if (is(row, col) !== is(row - 1, col)) line(x, y, x + w, y);
        if (is(row, col) !== is(row, col - 1)) line(x, y, x, y + h);
      }
    }
    for (const { x, y } of boxes) {
      this.ctx.save();
      this.ctx.translate(x, y);
      this.shape(path, look);
      this.ctx.restore();
    }
  }

  /**
   * A bar that explains colours, with words below its ends and its middle.
   * @param {{ x: number, y: number, w: number }} place
   * @param {(share: number) => Rgb} colour
   * @param {[string, string, string]} words at the left, in the middle, at the right
   */
  key({ x, y, w }, colour, words) {
    this.ctx.save();
    this.ctx.clip(this.rect(x, y, w, 7, 3.5));
    const shades = Math.round(w * this.density);
    const shares = Array.from({ length: shades }, (_, k) => k / (shades - 1));
    this.bitmap(shares, [1, shades], { x, y, cell: w / shades, tall: 7 }, colour);
    this.ctx.restore();
    const aligned = /** @type {CanvasTextAlign[]} */ (["left", "center", "right"]);
    words.forEach((word, k) => this.text(word, x + (k * w) / 2, y + 19, { size: 11, align: aligned[k] }));
  }
}
