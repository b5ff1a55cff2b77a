// @ts-check
// A picture of a grid of settings: the reader chooses a cell with the mouse, a finger or the keys.
import { BLUE, append, keepKeys, onChange } from "./common.js";
import { STEPS, outlineBox, placeAt, within } from "./grid.js";
import { showPicture } from "./picture.js";

/** @import { Model, View } from "./common.js" */
/** @import { Place } from "./grid.js" */

const INVITATION = "Click a cell to load its setting. With the keyboard: arrow keys, then Enter.";

// Rows count from the bottom.
class Cells {
  /**
   * @param {Model} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    this.model = model;
    /** @type {Place} */
    this.cursor = [0, 0]; // where the keys are
    /** @type {Place | null} */
    this.pointed = null; // the cell below the mouse
    el.classList.add("pmp-cells");
    keepKeys(el);
    this.canvas = append(el, "canvas", { role: "application", tabindex: "0" });
    this.readout = append(el, "output", { "aria-live": "off" }); // the name of the canvas says the same
    this.say(null);
    this.picture = showPicture(model, this.canvas, () => this.mark());
    this.listen();
    this.describe();
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener("pointermove", (event) => {
      this.pointed = this.placeOf(event);
      canvas.style.cursor = this.pointed ? "pointer" : "default";
      this.say(this.pointed);
    });
    canvas.addEventListener("pointerleave", () => {
      this.pointed = null;
      this.say(null);
    });
    canvas.addEventListener("click", (event) => {
      const place = this.placeOf(event);
      if (place) this.choose(place);
    });
    canvas.addEventListener("keydown", (event) => this.press(event));
    for (const kind of ["focus", "blur"]) canvas.addEventListener(kind, () => this.picture.draw());
    canvas.addEventListener("focus", () => canvas.matches(":focus-visible") && this.go(this.standing()));
  }

  /** Where the explorer stands, or the cursor in a row that the kernel does not know. */
  standing() {
    const [row, column] = this.model.get("marker");
    return /** @type {Place} */ ([row < 0 ? this.cursor[0] : row, column < 0 ? this.cursor[1] : column]);
  }

  /** @param {MouseEvent} event */
  placeOf(event) {
    const place = placeAt(this.canvas, this.model.get("grid"), event);
    return place && this.turned(place);
  }

  /**
   * A row that is counted from the top, counted from the bottom, or the other way round; -1 stands for all rows.
   * @param {Place} place
   * @returns {Place}
   */
  turned([row, column]) {
    return [row < 0 ? row : this.model.get("grid").rows - 1 - row, column];
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const step = STEPS[event.key];
    if (step) this.go([this.cursor[0] - step[0], this.cursor[1] + step[1]]);
    else if (event.key === "Enter" || event.key === " ") this.choose(this.cursor);
    else return;
    event.preventDefault();
  }

  /** @param {Place} place cut off at the edges */
  go(place) {
    this.pointed = null; // until the mouse moves again
    this.cursor = within(this.model.get("grid"), place);
    this.say(this.cursor);
    this.describe();
    this.picture.draw();
  }

  /** @param {Place} place */
  choose(place) {
    this.cursor = place;
    const [, , count] = this.model.get("chosen");
    this.model.set("chosen", [...place, count + 1]); // the count tells a second click on a cell from none
    this.model.save_changes();
    this.describe();
  }

  /** @param {Place | null} place */
  say(place) {
    this.readout.textContent = place ? this.words(place) : INVITATION;
  }

  /**
   * The setting of a cell and its value.
   * @param {Place} place
   */
  words([row, column]) {
    const value = this.value([row, column]);
    return `${this.model.get("x_words")[column]} · ${this.model.get("y_words")[row]}: ${value}`;
  }

  /** @param {Place} place */
  value([row, column]) {
    const { columns } = this.model.get("grid");
    const view = this.model.get("values");
    const at = 4 * (row * columns + column);
    const value = at < view.byteLength ? view.getFloat32(at, true) : NaN;
    if (Number.isNaN(value)) return "not computed yet";
    const names = this.model.get("names");
    return names.length ? names[value] : `${this.model.get("measure")} ${Number(value.toPrecision(3))}`;
  }

  /** Outline the setting of the explorer, and the cursor of the keys. */
  mark() {
    this.outline(this.model.get("marker"), "#000000", 0);
    if (document.activeElement === this.canvas && this.canvas.matches(":focus-visible")) {
      this.outline(this.cursor, BLUE, 6);
    }
  }

  /**
   * @param {Place} place
   * @param {string} colour
   * @param {number} around canvas pixels between the cell and its outline
   */
  outline(place, colour, around) {
    outlineBox(this.canvas, this.model.get("grid"), this.turned(place), colour, around);
  }

  describe() {
    const keys = "Arrows move, Enter loads the setting.";
    this.canvas.setAttribute("aria-label", `${this.model.get("label")}: ${this.words(this.cursor)}. ${keys}`);
  }

  /** The kernel changed the values or the marker. */
  update() {
    if (this.pointed) this.say(this.pointed);
    else if (document.activeElement === this.canvas) this.say(this.cursor);
    this.describe();
    this.picture.draw();
  }
}

/** @param {View} view */
export function render({ model, el }) {
  const cells = new Cells(model, el);
  const end = onChange(model, ["values", "marker"], () => cells.update());
  return () => {
    end();
    cells.picture.end();
  };
}
