// @ts-check
// One view of a picture on a page: it draws what arrives, and answers to pointer, keyboard and touch.
import { append, keepKeys, nameControls, report, stayInView } from "./page.js";
import { cellOf, markAt, next, placeIn } from "./marks.js";
import { unpack } from "./numbers.js";
import { Pen } from "./pen.js";
import { Player } from "./player.js";
import { css, readTheme, themeOf } from "./theme.js";
import { showTip, spoken } from "./tip.js";

/** @import { Mark, Place } from "./marks.js" */
/**
 * @typedef {object} Model the side of the kernel, or what takes its place on a page without one
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, act: (content: any) => void) => void} on
 * @property {(event: string, act: (content: any) => void) => void} off
 * @property {(content: object) => void} [send] missing without a kernel
 */
/**
 * @typedef {object} Picture what a draw.js exports
 * @property {string} label what the picture shows, for screen readers
 * @property {(width: number, state: any, pen: Pen) => number} height
 * @property {(pen: Pen, state: any, view: View) => void} draw
 * @property {(state: any) => number} [frames] how many frames a state has
 * @property {(state: any) => number} [opens] the frame that a state opens at; the last one by default
 * @property {string} [unit] what a frame is
 * @property {number} [every] units from one frame to the next; 1 by default
 * @property {Record<string, string>} [layers] name -> a sign of 20 x 20 in SVG, in the order of the row
 * @property {(view: View) => void} [start] adds to the bar below the picture
 * @property {boolean} [tools] whether "copy as code" and "reset" are below it, which is the default
 */

const STEPS = /** @type {Record<string, number[]>} */ ({
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
});
const [LONG, MOVED] = [450, 8]; // milliseconds of a long press; CSS pixels that a finger may move meanwhile

export class View {
  /** @param {{ model: Model, el: HTMLElement }} place @param {Picture} picture */
  constructor({ model, el }, picture) {
    this.model = model;
    this.el = el;
    this.picture = picture;
    this.state = /** @type {any} */ (null);
    /** The frame that is shown, a whole number; and where between two frames the picture is while it moves. */
    this.frame = this.at = 0;
    /** @type {Place | null} what the pointer or the keyboard is on */
    this.on = null;
    this.held = false; // a press goes on
    this.timer = this.sending = this.drawn = 0;
    this.dressed = "";
    this.failed = new Set();
    this.ends = new AbortController();
    this.lit = new Set();

    el.classList.add("pmp-view");
    keepKeys(el);
    this.head = append(el, "div", { class: "pmp-chips" });
    this.stage = append(el, "div", { class: "pmp-stage" });
    this.canvas = /** @type {HTMLCanvasElement} */ (
      append(this.stage, "canvas", { tabindex: "0", role: "application" })
    );
    this.tip = append(this.stage, "div", { class: "pmp-tip", "aria-hidden": "true" });
    this.tip.hidden = true;
    this.bar = append(el, "div", { class: "pmp-bar" });
    this.foot = append(el, "div", { class: "pmp-foot" });
    this.line = append(this.foot, "div", { class: "pmp-line", role: "status" });
    this.spoken = append(el, "div", { class: "pmp-unseen", "aria-live": "assertive" });
    this.shown = new Set(model.get("layers") ?? []);
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.pen = new Pen(context, themeOf([255, 255, 255], [0, 0, 0]), 0, 1);
    this.player = picture.frames ? new Player(this, picture.unit ?? "frame", picture.every ?? 1) : null;
    picture.start?.(this);
    for (const [name, sign] of Object.entries(picture.layers ?? {})) this.addLayer(name, sign);
    if (model.send && picture.tools !== false) this.addButtons();
    this.hear("msg:custom", ({ scroll, frame }) => {
      if (scroll) this.el.scrollIntoView({ block: "nearest" });
      if (frame !== undefined) this.player?.show(frame);
    });
    this.watchPage();
    this.watchPointer();
  }

  // ------------------------------------------------------------------------------------------------ errors, the kernel

  /** An error of this function is shown and reported, wherever the page calls it. @template {any[]} T @param {(...given: T) => void} act */
  guarded(act) {
    return (/** @type {T} */ ...given) => {
      try {
        act(...given);
      } catch (error) {
        this.fail(error);
      }
    };
  }

  /** @template {Event} T @param {EventTarget} target @param {string} event @param {(event: T) => void} act @param {AddEventListenerOptions} options */
  listen(target, event, act, options = {}) {
    const handler = /** @type {EventListener} */ (/** @type {unknown} */ (this.guarded(act)));
    target.addEventListener(event, handler, { ...options, signal: this.ends.signal });
  }

  /** Call a function for an event of the model. @param {string} event @param {(content: any) => void} act */
  hear(event, act) {
    const handler = this.guarded(act);
    this.model.on(event, handler);
    this.ends.signal.addEventListener("abort", () => this.model.off(event, handler));
  }

  /** Show an error of this script, and tell the kernel once, where `guard.check` raises it. @param {unknown} error */
  fail(error) {
    this.complain(`The script of this picture failed: ${error}. Run its cell again.`);
    report(this.model, error, this.failed);
  }

  /** Say what failed, and mark the picture as that of an older state; or go on with the sentence of the state. @param {string} error */
  complain(error) {
    this.el.classList.toggle("pmp-old", Boolean(error));
    this.line.classList.toggle("pmp-error", Boolean(error));
    this.line.setAttribute("role", error ? "alert" : "status");
    this.line.textContent = error || (this.state?.says ?? "");
  }

  /** Show a new state at once. */
  receive() {
    const sent = this.model.get("frame");
    if (!sent?.byteLength) return;
    this.state = unpack(sent);
    this.player?.arrive(this.picture.opens?.(this.state));
    this.canvas.setAttribute(
      "aria-label",
      `${this.picture.label}. ${this.state.says}. Arrow keys move from mark to mark.`,
    );
    this.changed();
    this.player?.update();
    this.complain(this.model.get("error") ?? "");
  }

  /** The number of the last frame. */
  get last() {
    return Math.max(0, (this.picture.frames?.(this.state) ?? 1) - 1);
  }

  /** Draw another state or another frame. `data-drawn` counts these pictures. */
  changed() {
    this.draw();
    this.canvas.dataset.drawn = String(++this.drawn);
  }

  /** Add what needs a kernel: the view as code, and the first values of all controls. */
  addButtons() {
    const code = append(this.el, "pre", { tabindex: "0", "aria-label": "code of this view" });
    code.hidden = true;
    const add = (/** @type {string} */ name, /** @type {() => void} */ act) => {
      const button = append(this.foot, "button", { type: "button" }, name);
      this.listen(button, "click", act);
      return button;
    };
    const toggle = add("copy as code", () => {
      code.hidden = !code.hidden;
      toggle.textContent = code.hidden ? "copy as code" : "hide code";
      toggle.setAttribute("aria-expanded", String(!code.hidden));
      if (!code.hidden) this.model.send?.({ ask: "code", copy: true });
    });
    add("reset", () => this.model.send?.({ ask: "reset" }));
    this.hear("change:frame", () => code.hidden || this.model.send?.({ ask: "code", copy: false }));
    this.hear("msg:custom", (content) => {
      if (content.code === undefined) return;
      code.textContent = content.code;
      if (!content.copy) return;
      window.getSelection()?.selectAllChildren(code); // where a page may not copy, the reader can
      navigator.clipboard?.writeText(content.code).catch(() => {});
    });
  }

  // ------------------------------------------------------------------------------------------------------------ the page

  watchPage() {
    const { signal } = this.ends;
    const wake = () => this.later(); // `draw` looks at the colours of the page
    const sizes = new ResizeObserver(this.guarded(() => this.draw()));
    sizes.observe(this.stage);
    const seen = new IntersectionObserver(wake); // a browser may drop what a canvas shows while it is out of view
    seen.observe(this.stage);
    const watcher = new MutationObserver(wake); // notebooks change an attribute with their theme
    for (const root of [document.documentElement, document.body]) watcher.observe(root, { attributes: true });
    this.listen(matchMedia("(prefers-color-scheme: dark)"), "change", wake);
    this.listen(this.stage, "transitionend", (event) => event.target === this.stage && wake()); // see look.css
    const parts = new MutationObserver(() => root && nameControls(root));
    let root = /** @type {Element | null} */ (null);
    requestAnimationFrame(() => {
      root = this.el.closest(".pmp-explorer"); // now, because a view is made before it is on the page
      if (!root || signal.aborted) return;
      nameControls(root);
      parts.observe(root, { childList: true, subtree: true, attributeFilter: ["class"] });
      if (root.matches(".pmp-drawn")) stayInView(root, signal);
    });
    signal.addEventListener("abort", () => {
      for (const one of [sizes, seen, watcher, parts]) one.disconnect();
      cancelAnimationFrame(this.timer);
      this.player?.stop();
    });
  }

  /** Take the colours of the page. They are unknown before the view is on it, and change with its theme. */
  dress() {
    const { color, backgroundColor, fontFamily } = getComputedStyle(this.stage);
    const now = color + backgroundColor + fontFamily;
    if (now === this.dressed) return;
    this.dressed = now;
    const theme = (this.pen.theme = readTheme(this.stage));
    // not of the stage: its colours would then no longer follow those of the page
    for (const part of [this.head, this.bar, this.foot]) part.style.colorScheme = theme.dark ? "dark" : "light";
    this.el.style.setProperty("--pmp-accent", css(theme.accent));
  }

  /** Draw once before the next frame of the screen. */
  later() {
    this.timer ||= requestAnimationFrame(this.guarded(() => this.draw()));
  }

  draw() {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    const width = this.stage.clientWidth;
    if (!this.state || !width) return; // nothing has arrived, or the view is hidden: `sizes` calls again
    this.dress();
    const { canvas, pen, picture, state } = this;
    Object.assign(pen, { width, density: window.devicePixelRatio || 1, tall: window.innerHeight, marks: [] });
    const height = Math.round(picture.height(width, state, pen));
    const [w, h] = [Math.round(width * pen.density), Math.round(height * pen.density)];
    if (canvas.width !== w || canvas.height !== h) {
      [canvas.width, canvas.height] = [w, h];
      canvas.style.height = `${height}px`;
    }
    pen.ctx.setTransform(pen.density, 0, 0, pen.density, 0, 0);
    pen.ctx.clearRect(0, 0, width, height);
    picture.draw(pen, state, this);
    this.lightUp(width, height);
    this.pointOut(width, height);
  }

  /** Make all pale but what an equation of the page lights up. @param {number} width @param {number} height */
  lightUp(width, height) {
    const { pen, lit } = this;
    if (!lit.size) return;
    const marks = pen.marks.filter((mark) => mark.parts?.split(" ").some((name) => lit.has(name)));
    const [veil, shapes] = [pen.rect(0, 0, width, height), new Path2D()];
    for (const { path, box } of marks) shapes.addPath(path ?? pen.rect(box.x, box.y, box.w, box.h, 2));
    veil.addPath(shapes);
    pen.ctx.fillStyle = css(pen.theme.paper, 0.8);
    pen.ctx.fill(veil, "evenodd");
    pen.shape(shapes, { stroke: pen.theme.accent, width: 2.5 });
    for (const { letter = "", box } of pen.marks)
      pen.text(letter, box.x + box.w, box.y + 6, {
        size: 17,
        weight: 600,
        italic: true,
        colour: pen.theme.accent,
        halo: true,
      });
  }

  /** Outline what the pointer or the keyboard is on, and show its numbers. @param {number} width @param {number} height */
  pointOut(width, height) {
    const { pen, on } = this;
    const mark = on && this.markOf(on.id);
    if (!mark || !on) return showTip(this.tip, null, { x: 0, y: 0, w: 0, h: 0 }, [0, -1], { width, height });
    const box = cellOf(mark, on);
    const keys = this.canvas.matches(":focus-visible");
    const shape = mark.path ?? pen.rect(box.x - 1, box.y - 1, box.w + 2, box.h + 2, 2);
    pen.shape(shape, { stroke: keys ? pen.theme.accent : pen.theme.ink, width: keys ? 3 : 1.5 });
    showTip(this.tip, this.held ? null : this.told(), box, mark.aside ?? [0, -1], { width, height });
  }

  /** @param {string} id @returns {Mark | undefined} */
  markOf(id) {
    return this.pen.marks.find((mark) => mark.id === id);
  }

  /** What the mark says that the pointer or the keyboard is on. */
  told() {
    const mark = this.on && this.markOf(this.on.id);
    if (!mark || !this.on) return null;
    return mark.tip(Math.min(this.on.row, (mark.rows ?? 1) - 1), Math.min(this.on.col, (mark.cols ?? 1) - 1));
  }

  // ------------------------------------------------------------------------------------------ pointer, touch, keyboard

  watchPointer() {
    const { canvas } = this;
    /** @type {{ x: number, y: number, timer: number, peeks: boolean } | null} */
    let finger = null;
    const lift = () => {
      clearTimeout(finger?.timer);
      finger = null;
      this.held = false;
      this.later();
    };
    this.listen(canvas, "pointerdown", (/** @type {PointerEvent} */ event) => {
      if (event.button) return;
      canvas.setPointerCapture(event.pointerId);
      this.point(event);
      if (event.pointerType !== "touch") return this.press(this.on);
      const touch = { x: event.clientX, y: event.clientY, timer: 0, peeks: false };
      touch.timer = window.setTimeout(() => (touch.peeks = true), LONG); // the tip stays, and nothing is pressed
      finger = touch;
    });
    this.listen(canvas, "pointermove", (/** @type {PointerEvent} */ event) => {
      if (!finger) return this.point(event);
      if (finger.peeks || (!this.held && Math.hypot(event.clientX - finger.x, event.clientY - finger.y) < MOVED))
        return;
      clearTimeout(finger.timer);
      if (!this.held) this.press(this.on);
      this.point(event);
    });
    this.listen(canvas, "pointerup", () => {
      if (finger && !finger.peeks && !this.held) this.press(this.on);
      lift();
    });
    this.listen(canvas, "pointercancel", lift);
    this.listen(canvas, "pointerleave", (/** @type {PointerEvent} */ event) => {
      if (!this.held && event.pointerType !== "touch") this.leave();
    });
    this.listen(canvas, "contextmenu", (event) => finger && event.preventDefault());
    // A finger that begins on something to press does not scroll the page.
    this.listen(canvas, "touchstart", (event) => this.on && this.markOf(this.on.id)?.press && event.preventDefault(), {
      passive: false,
    });
    this.listen(canvas, "keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    this.listen(canvas, "focus", () => canvas.matches(":focus-visible") && this.go(this.on ?? this.first()));
    this.listen(canvas, "blur", () => this.leave());
  }

  /** Move to what the pointer is on. A press that goes on stays with its mark, and skips no cell. @param {PointerEvent} event */
  point(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const { ctx, density } = this.pen;
    ctx.lineWidth = 12; // thin shapes are easier to hit
    const onPath = (/** @type {Path2D} */ path) =>
      ctx.isPointInPath(path, x * density, y * density) || ctx.isPointInStroke(path, x * density, y * density);
    const held = this.held && this.on && this.markOf(this.on.id);
    const place = held ? placeIn(held, x, y) : null;
    const found = held && place ? { mark: held, place } : markAt(this.pen.marks, x, y, onPath);
    this.canvas.style.cursor = found?.mark.press ? "crosshair" : "default";
    if (!found) return this.leave();
    const [from, to] = [this.on, found.place];
    if (from && from.id === to.id && from.row === to.row && from.col === to.col) return;
    this.on = to;
    if (this.held && from) {
      const steps = Math.max(Math.abs(to.row - from.row), Math.abs(to.col - from.col));
      for (let k = 1; k <= steps; k++) {
        const between = (/** @type {"row" | "col"} */ axis) =>
          Math.round(from[axis] + ((to[axis] - from[axis]) * k) / steps);
        found.mark.press?.(between("row"), between("col"));
      }
    }
    this.later();
  }

  /** Press a place. @param {Place | null} place */
  press(place) {
    const mark = place && this.markOf(place.id);
    if (!place || !mark?.press) return;
    mark.press(place.row, place.col);
    this.held = true; // afterwards, so that a mark can tell a press from its continuation
    this.later();
  }

  leave() {
    if (!this.on) return;
    this.on = null;
    this.later();
  }

  /** The first mark. @returns {Place | null} */
  first() {
    const [mark] = this.pen.marks;
    return mark ? { id: mark.id, row: 0, col: 0 } : null;
  }

  /** Move to a place by the keyboard, and speak. @param {Place | null} place */
  go(place) {
    this.on = place;
    this.draw();
    const tip = this.told();
    if (tip) this.spoken.textContent = spoken(tip);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return; // keys of the browser
    const { on, player } = this;
    const [step, mark] = [STEPS[event.key], on && this.markOf(on.id)];
    const presses = event.key === "Enter" || event.key === " ";
    if (step) this.go(mark && on ? next(this.pen.marks, mark, on, step) : this.first());
    else if (event.key === "Escape") this.leave();
    else if (mark && on && mark.key?.(event.key, on.row, on.col)) this.go(on);
    else if (presses && mark?.press && on) {
      mark.press(on.row, on.col);
      this.go(on);
    } else if (player && event.key === " ") player.playing ? player.show(this.frame) : player.play();
    else if (player && event.key === "Home") player.show(0);
    else if (player && event.key === "End") player.show(this.last);
    else return;
    event.preventDefault();
  }

  // ---------------------------------------------------------------------------------------------------- layers, painting

  /** Add a checkbox that shows or hides a layer; its sign is the legend. @param {string} name @param {string} sign */
  addLayer(name, sign) {
    const label = append(this.head, "label", { class: "pmp-chip" });
    const box = /** @type {HTMLInputElement} */ (append(label, "input", { type: "checkbox" }));
    box.checked = this.shown.has(name);
    append(label, "span", { class: "pmp-sign", "aria-hidden": "true" }).innerHTML =
      `<svg viewBox="0 0 20 20">${sign}</svg>`;
    label.append(name);
    this.listen(box, "change", () => {
      this.shown[box.checked ? "add" : "delete"](name);
      this.later();
    });
  }

  /** A copy of what is painted; null where nothing can be painted. The page knows it first. */
  painted() {
    const sent = /** @type {DataView<ArrayBuffer> | null | undefined} */ (this.model.get("painted"));
    return sent ? new Uint8Array(sent.buffer.slice(sent.byteOffset, sent.byteOffset + sent.byteLength)) : null;
  }

  /** Paint. It is seen at once, and sent once for each frame of the screen. @param {Uint8Array<ArrayBuffer>} pixels */
  paint(pixels) {
    this.model.set("painted", new DataView(pixels.buffer));
    this.sending ||= requestAnimationFrame(() => {
      this.sending = 0;
      this.model.save_changes();
    });
    this.later();
  }
}
