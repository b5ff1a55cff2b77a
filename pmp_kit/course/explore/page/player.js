// @ts-check
// The player, in a notebook and in exported pages: it plays frames that were sent once. Nothing goes back to the kernel.
import { append, appendButton, drawWhenSeen, keepKeys, nameButton, onChange, penOf, showNewest } from "./common.js";
import { frameOf, readClip, readImages } from "./clip.js";
import { drawCurve, frameAt } from "./curve.js";
import { litEntries, writeLetters } from "./lit.js";
import { widthInWindow } from "./window.js";

/** @import { Model, View } from "./common.js" */
/** @import { Clip, Images } from "./clip.js" */

/** @typedef {{ clip: Clip, images: Images, source: DataView }} Film `source`: what the images were read from */

const LARGEST = 1.5; // times the width of the clip: how wide it is shown at most
const AROUND = 340; // CSS pixels of height: as for a picture, and the curve and the buttons

class Player {
  /**
   * @param {Model} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    this.model = model;
    this.el = el;
    /** @type {Film | null} */
    this.film = null; // until the first clip has arrived
    this.position = 0;
    this.moved = false; // whether the reader has chosen a frame, which the next clip then starts at
    this.timer = 0; // 0 while nothing plays
    el.classList.add("pmp-player");
    keepKeys(el);
    this.canvas = append(el, "canvas", { role: "application", tabindex: "0" });
    this.canvas.addEventListener("keydown", (event) => this.press(event));
    this.curve = append(el, "canvas", { class: "pmp-player-curve", "aria-hidden": "true" });
    this.listenToCurve();
    this.tools = append(el, "div", { class: "pmp-player-tools" });
    this.addButton("«", "first", () => this.go(0));
    this.addButton("‹", "step back", () => this.go(this.position - 1));
    this.play = this.addButton("", "", () => (this.timer ? this.pause() : this.start()));
    this.showPlaying(false);
    this.addButton("›", "step forward", () => this.go(this.position + 1));
    this.addButton("»", "last", () => this.go(this.last));
    this.scrub = append(this.tools, "input", { type: "range", min: "0", max: "0", "aria-label": model.get("unit") });
    this.scrub.addEventListener("input", () => this.go(this.scrub.valueAsNumber));
    // An <output> is announced whenever it changes, which is at every frame; the scrubber says the same when asked.
    this.readout = append(this.tools, "output", { "aria-live": "off" });
    this.rate = this.addRates();
    /** @type {Map<string, HTMLInputElement> | null} */
    this.boxes = null; // name of a layer -> its checkbox, once the first clip has arrived
    this.describe();
  }

  /**
   * @param {string} sign
   * @param {string} name
   * @param {() => void} action
   */
  addButton(sign, name, action) {
    const button = appendButton(this.tools, sign, action);
    nameButton(button, name);
    return button;
  }

  addRates() {
    const rate = append(this.tools, "select", { "aria-label": `${this.model.get("unit")}s per second` });
    for (const value of this.model.get("rates")) {
      const start = value === this.model.get("rate");
      rate.add(new Option(`${value} / s`, String(value), start, start));
    }
    rate.addEventListener("change", () => {
      if (!this.timer) return;
      this.pause();
      this.start();
    });
    return rate;
  }

  /**
   * Add a checkbox for each layer of a clip.
   * @param {Clip} clip
   */
  addBoxes({ layers, shown }) {
    this.boxes = new Map();
    const names = Object.keys(layers);
    if (!names.length) return;
    const row = append(this.el, "div", { class: "pmp-player-layers", role: "group", "aria-label": "show" });
    row.append("show");
    for (const name of names) {
      const label = append(row, "label");
      const box = append(label, "input", { type: "checkbox" });
      label.append(name);
      box.checked = shown.includes(name);
      box.addEventListener("change", () => this.draw());
      this.boxes.set(name, box);
    }
  }

  listenToCurve() {
    const { curve } = this;
    curve.addEventListener("pointerdown", (event) => {
      curve.setPointerCapture(event.pointerId); // until the pointer is up, which need not happen over the curve
      this.seek(event);
    });
    curve.addEventListener("pointermove", (event) => curve.hasPointerCapture(event.pointerId) && this.seek(event));
  }

  /** @param {PointerEvent} event */
  seek(event) {
    const box = this.curve.getBoundingClientRect();
    this.go(frameAt(event.clientX - box.left, box.width, this.last));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { position, last } = this;
    const target = { ArrowLeft: position - 1, ArrowRight: position + 1, Home: 0, End: last }[event.key];
    if (target !== undefined) this.go(target);
    else if (event.key === " ") this.play.click();
    else return;
    event.preventDefault();
  }

  /** The last frame; 0 before the first clip. */
  get last() {
    return this.film ? this.film.clip.length - 1 : 0;
  }

  /**
   * Show a frame, and stop there. Before the first clip this does nothing.
   * @param {number} target
   */
  go(target) {
    this.pause();
    if (!this.film) return;
    this.moved = true;
    this.position = Math.min(this.last, Math.max(0, target));
    this.draw();
  }

  /**
   * Play, from the first frame on if the last one is shown or the reader has chosen none. Before the first clip this
   * does nothing.
   */
  start() {
    if (!this.film) return;
    if (this.position >= this.last || !this.moved) this.position = 0;
    this.moved = true;
    this.draw();
    this.showPlaying(true);
    const [started, from] = [performance.now(), this.position];
    const next = (/** @type {number} */ now) => {
      const seconds = Math.max(0, now - started) / 1000; // a frame's time is that of its start, perhaps before the click
      const wanted = Math.min(this.last, from + Math.floor(seconds * Number(this.rate.value)));
      if (wanted !== this.position) {
        this.position = wanted;
        this.draw();
      }
      if (this.position >= this.last) this.pause();
      else this.timer = requestAnimationFrame(next);
    };
    this.timer = requestAnimationFrame(next);
  }

  /**
   * Show on the button what it does next.
   * @param {boolean} playing
   */
  showPlaying(playing) {
    this.play.textContent = playing ? "❚❚" : "▶";
    nameButton(this.play, playing ? "pause" : "play");
  }

  pause() {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    this.showPlaying(false);
    this.describe();
  }

  /** Clip and images arrive in one message; images that are still the same are not read again. */
  async read() {
    const [packed, source] = [this.model.get("clip"), this.model.get("images")];
    if (!packed.byteLength) return null;
    const clip = readClip(packed);
    const kept = this.film;
    const images = kept && kept.source === source ? kept.images : await readImages(source, clip);
    return { clip, images, source };
  }

  /** @param {Film} film */
  show(film) {
    const { canvas, curve, tools } = this;
    const { images, width, first } = film.clip;
    [, canvas.height, canvas.width] = images;
    const most = `min(${LARGEST * width}px, ${widthInWindow(canvas, AROUND)})`;
    canvas.style.maxWidth = curve.style.maxWidth = tools.style.maxWidth = most;
    this.film = film;
    if (!this.boxes) this.addBoxes(film.clip);
    this.position = this.moved ? Math.min(this.position, this.last) : first;
    this.draw();
  }

  draw() {
    if (!this.film) return;
    const { clip, images } = this.film;
    const { canvas, curve, scrub } = this;
    const names = this.model.get("lit") ?? ""; // an exported page has no equation
    const lit = litEntries(clip, names, clip.palettes[1]);
    const hidden = [...(this.boxes ?? [])].filter(([, box]) => !box.checked).map(([name]) => name);
    penOf(canvas).putImageData(frameOf(clip, images, this.position, lit, hidden), 0, 0);
    if (lit) writeLetters(penOf(canvas), clip, canvas.width / clip.width);
    curve.hidden = !clip.curve.length;
    if (!curve.hidden) drawCurve(curve, clip, this.position);
    scrub.max = String(this.last);
    scrub.value = String(this.position);
    this.readout.textContent = `${this.model.get("unit")} ${this.position} of ${this.last}`;
    scrub.setAttribute("aria-valuetext", this.readout.textContent);
    canvas.dataset.drawn = String(Number(canvas.dataset.drawn ?? 0) + 1);
    if (!this.timer) this.describe(); // a screen reader would start anew at every frame
  }

  /** Name the picture, its frame and the keys. */
  describe() {
    const shown = this.film ? `${this.model.get("label")}, ${this.readout.textContent}` : this.model.get("label");
    this.canvas.setAttribute("aria-label", `${shown}. Space plays, arrows step, Home and End jump.`);
  }
}

/** @param {View} view */
export function render({ model, el }) {
  const player = new Player(model, el);
  const receive = showNewest(
    () => player.read(),
    (film) => player.show(film),
  );
  const draw = () => player.draw();
  const ends = [
    onChange(model, ["clip"], receive),
    onChange(model, ["wanted"], () => player.go(model.get("wanted")[0])),
    onChange(model, ["lit"], draw),
    drawWhenSeen(player.canvas, draw),
  ];
  receive();
  return () => {
    player.pause();
    ends.forEach((end) => end());
  };
}
