// @ts-check
// Plays, steps and scrubs through the frames of a picture. All of it happens in the page.
import { append, calm } from "./page.js";
import { clamp } from "./numbers.js";

/** @import { View } from "./view.js" */

const RATES = [1, 2, 4, 6, 15, 30]; // frames a second
const FIRST_RATE = 4; // a picture that alternates flashes twice a second
const [REST, GLIDE] = [0.35, 160]; // share of a frame without motion while it plays; milliseconds of a single step

export class Player {
  /** @param {View} view @param {string} unit what a frame is, for example "sweep" @param {number} every units from frame to frame */
  constructor(view, unit, every) {
    this.view = view;
    this.unit = unit;
    this.every = every;
    /** @type {number | undefined} the frame that the last state opened at, if it has one of its own */
    this.opened = undefined;
    this.timer = 0; // of the animation that runs, if any
    this.playing = false;
    this.chosen = false; // whether the reader has chosen a frame: a new state then shows the same one
    view.el.classList.add("pmp-player");
    this.button("«", "first", () => this.show(0));
    this.button("‹", "step back", () => this.show(view.frame - 1));
    this.toggle = this.button("▶", "play", () => (this.playing ? this.show(view.frame) : this.play()));
    this.button("›", "step forward", () => this.show(view.frame + 1));
    this.scrub = /** @type {HTMLInputElement} */ (
      append(view.bar, "input", { type: "range", min: "0", "aria-label": unit })
    );
    view.listen(this.scrub, "input", () => this.show(Number(this.scrub.value)));
    this.readout = append(view.bar, "output");
    this.rate = /** @type {HTMLSelectElement} */ (append(view.bar, "select", { "aria-label": `${unit}s per second` }));
    for (const rate of RATES)
      this.rate.add(new Option(`${rate} / s`, `${rate}`, rate === FIRST_RATE, rate === FIRST_RATE));
  }

  /** @param {string} sign @param {string} name @param {() => void} act */
  button(sign, name, act) {
    const made = append(this.view.bar, "button", { type: "button", title: name, "aria-label": name }, sign);
    this.view.listen(made, "click", act);
    return made;
  }

  /**
   * A new state has arrived: keep the frame that the reader has chosen, unless the state's own is another one than
   * before, because a control has moved there.
   * @param {number} [opens] the state's own frame, if it has one
   */
  arrive(opens) {
    const moved = this.opened !== undefined && opens !== this.opened;
    this.opened = opens;
    if (this.chosen && !moved && this.view.frame <= this.view.last) return;
    this.stop();
    this.view.at = this.view.frame = opens ?? this.view.last;
  }

  stop() {
    cancelAnimationFrame(this.timer);
    this.playing = false;
  }

  /** Stop at a frame. A single step is a short glide. @param {number} frame */
  show(frame) {
    const { view } = this;
    this.stop();
    this.chosen = true;
    const [from, start] = [view.at, performance.now()];
    view.frame = clamp(frame, 0, view.last);
    const glides = !calm() && Math.abs(view.frame - from) <= 1;
    const glide = (/** @type {number} */ now) => {
      const part = glides ? clamp((now - start) / GLIDE) : 1;
      view.at = from + (view.frame - from) * part;
      view.changed();
      if (part < 1) this.timer = requestAnimationFrame(view.guarded(glide));
    };
    glide(start);
    this.update();
  }

  /** Play from the frame that is shown, or from the first one. Values rest at each frame, then move to the next. */
  play() {
    const { view } = this;
    this.stop();
    this.playing = true;
    let [place, before] = [view.frame >= view.last || !this.chosen ? 0 : view.frame, performance.now()];
    this.chosen = true;
    const step = (/** @type {number} */ now) => {
      place += (Math.max(0, now - before) / 1000) * Number(this.rate.value);
      before = now;
      if (place >= view.last) return this.show(view.last);
      const whole = Math.floor(place);
      const part = calm() ? 0 : clamp((place - whole - REST) / (1 - REST));
      view.at = whole + part * part * (3 - 2 * part);
      view.frame = Math.round(view.at);
      view.changed();
      this.update();
      this.timer = requestAnimationFrame(view.guarded(step));
    };
    this.timer = requestAnimationFrame(view.guarded(step));
    this.update();
  }

  /** Write where the picture is. */
  update() {
    const { view, scrub, toggle, readout, every } = this;
    scrub.max = `${view.last}`;
    scrub.value = `${view.frame}`;
    readout.textContent = `${this.unit} ${every * view.frame} of ${every * view.last}`;
    scrub.setAttribute("aria-valuetext", readout.textContent);
    const name = this.playing ? "pause" : "play";
    toggle.textContent = this.playing ? "❚❚" : "▶";
    toggle.title = name;
    toggle.setAttribute("aria-label", name);
  }
}
