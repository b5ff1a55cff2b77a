// @ts-check
// A grid of pixels to paint with mouse, finger or keys. One byte a pixel: 0 off, 1 on, 2 free.
import { BLUE, append, appendButton, drawWhenSeen, keepKeys, onChange, oncePerFrame, penOf } from "./common.js";
import { STEPS, within } from "./grid.js";

/** @import { Model, View } from "./common.js" */
/** @import { Place } from "./grid.js" */

const NAMES = ["off", "on", "free"]; // of the values 0, 1 and 2
const BRUSHES = [1, 0, 2]; // values, in the order of their buttons
/** @type {Record<string, number>} */
const KEYS = { 1: 1, 0: 0, f: 2 };

/**
 * The pattern of free pixels: stripes, so that they differ from grey on any screen and in print.
 * @param {CanvasRenderingContext2D} pen
 * @param {number} cell
 * @param {string[]} greys light and dark
 */
function stripes(pen, cell, [light, dark]) {
  const tile = document.createElement("canvas");
  const size = (tile.width = tile.height = cell / 2);
  const tilePen = penOf(tile);
  tilePen.fillStyle = light;
  tilePen.fillRect(0, 0, size, size);
  tilePen.strokeStyle = dark;
  tilePen.lineWidth = cell / 9;
  tilePen.beginPath();
  for (const shift of [-1, 0, 1]) {
    tilePen.moveTo((shift - 0.1) * size, 1.1 * size);
    tilePen.lineTo((shift + 1.1) * size, -0.1 * size);
  }
  tilePen.stroke();
  return /** @type {CanvasPattern} */ (pen.createPattern(tile, "repeat"));
}

class Painter {
  /**
   * @param {Model} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    this.model = model;
    const [rows, columns] = model.get("shape");
    /** @type {number} */
    this.rows = rows;
    /** @type {number} */
    this.columns = columns;
    this.cell = model.get("cell") * 2; // two canvas pixels for a CSS pixel: sharp on dense screens
    this.pixels = this.received();
    this.brush = 1;
    /** @type {Place} */
    this.cursor = [0, 0]; // where the keys paint
    /** @type {Place | null} */
    this.stroke = null; // where the pointer was last, while it is down
    // One message for each frame of the screen at most: a fast stroke is many pixels and one change.
    this.send = oncePerFrame(() => {
      model.set("pixels", new DataView(this.pixels.slice().buffer));
      model.save_changes();
    });
    const greys = model.get("greys");
    el.classList.add("pmp-painter");
    el.style.setProperty("--pmp-free-light", greys[0]);
    el.style.setProperty("--pmp-free-dark", greys[1]);
    keepKeys(el);
    this.canvas = append(el, "canvas", { role: "application", tabindex: "0" });
    this.canvas.width = this.columns * this.cell;
    this.canvas.height = this.rows * this.cell;
    this.canvas.style.width = `${this.canvas.width / 2}px`;
    this.pen = penOf(this.canvas);
    this.fills = ["#ffffff", "#000000", stripes(this.pen, this.cell, greys)];
    this.listen();
    this.buttons = this.addTools(el);
    this.choose(1);
    this.draw();
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button) return; // the main button paints, another one opens the menu of the page
      canvas.setPointerCapture(event.pointerId);
      this.stroke = this.placeOf(event);
      this.strokeTo(this.stroke);
      event.preventDefault();
    });
    canvas.addEventListener("pointermove", (event) => this.stroke && this.strokeTo(this.placeOf(event)));
    canvas.addEventListener("lostpointercapture", () => (this.stroke = null));
    canvas.addEventListener("keydown", (event) => this.press(event));
    canvas.addEventListener("focus", () => this.draw());
    canvas.addEventListener("blur", () => this.draw());
  }

  /** @param {HTMLElement} el */
  addTools(el) {
    const tools = append(el, "div", { class: "pmp-painter-tools", role: "group", "aria-label": "brush" });
    const buttons = BRUSHES.map((value) => {
      const button = appendButton(tools, NAMES[value], () => this.choose(value));
      button.className = `pmp-brush pmp-brush-${NAMES[value]}`;
      return button;
    });
    appendButton(tools, "all free", () => {
      this.pixels.fill(2);
      this.draw();
      this.send();
    });
    return buttons;
  }

  /** @param {number} value */
  choose(value) {
    this.brush = value;
    this.buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(BRUSHES[k] === value)));
  }

  /** A copy of the kernel's pixels. */
  received() {
    const view = this.model.get("pixels");
    return new Uint8Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
  }

  /** Show the kernel's pixels, unless the reader is painting. */
  update() {
    const received = this.received();
    if (this.stroke || received.every((value, k) => value === this.pixels[k])) return;
    this.pixels = received;
    this.draw();
  }

  /**
   * @param {PointerEvent} event
   * @returns {Place}
   */
  placeOf(event) {
    const box = this.canvas.getBoundingClientRect();
    return [
      Math.floor(((event.clientY - box.top) / box.height) * this.rows),
      Math.floor(((event.clientX - box.left) / box.width) * this.columns),
    ];
  }

  /**
   * @param {Place} place
   * @param {number} value
   */
  paint([row, column], value) {
    if (row < 0 || column < 0 || row >= this.rows || column >= this.columns) return;
    if (this.pixels[row * this.columns + column] === value) return;
    this.pixels[row * this.columns + column] = value;
    this.draw();
    this.send();
  }

  /**
   * Paint the whole way from where the pointer was, because it may skip pixels.
   * @param {Place} target
   */
  strokeTo(target) {
    const from = this.stroke ?? target;
    const steps = Math.max(Math.abs(target[0] - from[0]), Math.abs(target[1] - from[1]), 1);
    for (let step = 0; step <= steps; step++) {
      const between = (/** @type {0 | 1} */ axis) =>
        Math.round(from[axis] + ((target[axis] - from[axis]) * step) / steps);
      this.paint([between(0), between(1)], this.brush);
    }
    this.stroke = target;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return; // keys of the browser: find, zoom, back
    const step = STEPS[event.key];
    const value = event.key === " " || event.key === "Enter" ? this.brush : KEYS[event.key.toLowerCase()];
    if (step) this.move(step);
    else if (value !== undefined) this.paint(this.cursor, value);
    else return;
    event.preventDefault();
  }

  /** @param {Place} step */
  move([down, right]) {
    const [row, column] = this.cursor;
    this.cursor = within(this, [row + down, column + right]);
    this.draw();
  }

  draw() {
    const { pen, cell, canvas } = this;
    this.pixels.forEach((value, k) => {
      pen.fillStyle = this.fills[value];
      pen.fillRect((k % this.columns) * cell, Math.floor(k / this.columns) * cell, cell, cell);
    });
    this.drawGrid();
    if (document.activeElement === canvas && canvas.matches(":focus-visible")) {
      const [row, column] = this.cursor;
      pen.strokeStyle = BLUE;
      pen.lineWidth = cell / 8;
      pen.strokeRect((column + 1 / 16) * cell, (row + 1 / 16) * cell, cell * 0.875, cell * 0.875);
    }
    canvas.dataset.drawn = String(Number(canvas.dataset.drawn ?? 0) + 1);
    this.describe();
  }

  drawGrid() {
    const { pen, canvas } = this;
    pen.strokeStyle = "#c8c8c8";
    pen.lineWidth = 1;
    pen.beginPath();
    for (let y = 0; y <= canvas.height; y += this.cell) {
      pen.moveTo(0, y);
      pen.lineTo(canvas.width, y);
    }
    for (let x = 0; x <= canvas.width; x += this.cell) {
      pen.moveTo(x, 0);
      pen.lineTo(x, canvas.height);
    }
    pen.stroke();
  }

  describe() {
    const [row, column] = this.cursor;
    const name = NAMES[this.pixels[row * this.columns + column]];
    const place = `row ${row + 1}, column ${column + 1} is ${name}`;
    const keys = "Arrows move, 1 paints on, 0 off, f free.";
    this.canvas.setAttribute("aria-label", `${this.model.get("label")}: ${place}. ${keys}`);
  }
}

/** @param {View} view */
export function render({ model, el }) {
  const painter = new Painter(model, el);
  const ends = [
    onChange(model, ["pixels"], () => painter.update()),
    drawWhenSeen(painter.canvas, () => painter.draw()),
  ];
  return () => ends.forEach((end) => end());
}
