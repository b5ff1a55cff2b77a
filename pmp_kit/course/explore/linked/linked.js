// @ts-check
// Lights up the terms of an equation with their lines of code, and says in the trait `lit` which parts of a picture
// they stand for.
import { guard, keepKeys } from "../picture/page.js";

/** @import { Model } from "../picture/view.js" */

const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });
const namesOf = (/** @type {HTMLElement | null} */ part) => part?.dataset.term?.split(" ") ?? [];
/** The term or the line of code that holds an element. @param {EventTarget | null} target */
const partOf = (target) =>
  target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("[data-term]")) : null;

export default {
  /** @param {{ model: Model, el: HTMLElement }} place */
  render({ model, el }) {
    el.innerHTML = model.get("html");
    el.classList.add("pmp-view", "pmp-linked");
    keepKeys(el);
    const guarded = guard(model);
    const [parts, sentences] = ["[data-term]", "[data-says]"].map(
      (wanted) => /** @type {HTMLElement[]} */ ([...el.querySelectorAll(wanted)]),
    );
    let [pointed, focused] = [partOf(null), partOf(null)];

    const light = () => {
      const part = pointed ?? focused;
      const names = namesOf(part);
      for (const one of parts)
        one.classList.toggle(
          "pmp-lit",
          namesOf(one).some((name) => names.includes(name)),
        );
      for (const one of sentences) one.hidden = !(part ? names : [""]).includes(one.dataset.says ?? "");
      const lights = part?.dataset.lights ?? "";
      if (lights !== model.get("lit")) model.set("lit", lights); // not saved: a link in the page passes it on
    };
    /** @param {string} event @param {(event: any) => void} act */
    const listen = (event, act) =>
      el.addEventListener(
        event,
        guarded((given) => {
          act(given);
          light();
        }),
      );

    listen("pointerover", ({ target }) => (pointed = partOf(target)));
    listen("pointerleave", ({ pointerType }) => {
      if (pointerType !== "touch") pointed = null; // a finger leaves whenever it is lifted
    });
    listen("focusin", ({ target }) => (focused = target.matches(":focus-visible") ? partOf(target) : null));
    listen("focusout", () => (focused = null));
    listen("keydown", (event) => {
      const at = parts.indexOf(event.target);
      if (event.key === "Escape") pointed = focused = null;
      else if (event.key in STEPS && at >= 0) parts[at + STEPS[event.key]]?.focus();
      else return;
      event.preventDefault();
    });
    light();
    return () => {
      pointed = focused = null;
      light();
    };
  },
};
