// @ts-check
// Equation and code light each other up by their style sheet alone. This adds arrow keys and Escape, and says in the
// trait `lit` which parts of a picture the lit term stands for.
import { keepKeys } from "./common.js";

/** @import { View } from "./common.js" */

/** @typedef {EventTarget | null} Target */

/**
 * The term or the line of code that holds an element.
 * @param {Target} target
 * @returns {HTMLElement | null}
 */
function partOf(target) {
  return target instanceof Element ? target.closest("[data-term]") : null;
}

/** @param {View} view */
export function render({ model, el }) {
  el.innerHTML = model.get("html");
  keepKeys(el);
  const root = /** @type {HTMLElement} */ (el.firstElementChild);
  /** @type {HTMLElement | null} */
  let pointed = null;
  /** @type {HTMLElement | null} */
  let focused = null;

  /** @param {boolean} live whether anything may be lit */
  function light(live) {
    root.classList.toggle("pmp-live", live);
    const lit = live ? ((pointed ?? focused)?.dataset.lights ?? "") : "";
    if (lit !== model.get("lit")) model.set("lit", lit); // not saved: a link in the page passes it on
  }

  /** @param {PointerEvent} event */
  function point(event) {
    pointed = partOf(event.target);
    light(true);
  }

  /** @param {PointerEvent} event */
  function leave(event) {
    if (event.pointerType === "touch") return; // a finger leaves whenever it is lifted
    pointed = null;
    light(true);
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const parts = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-term]")]);
    const at = parts.findIndex((part) => part === event.target);
    if (event.key === "Escape") light(false);
    else if (step && at >= 0) parts[at + step]?.focus();
    else return;
    event.preventDefault();
  }

  el.addEventListener("pointerover", point);
  el.addEventListener("pointerleave", leave);
  el.addEventListener("focusin", ({ target }) => {
    focused = target instanceof Element && target.matches(":focus-visible") ? partOf(target) : null;
    light(true);
  });
  el.addEventListener("focusout", () => {
    focused = null;
    light(true);
  });
  el.addEventListener("keydown", press);
  return () => light(false);
}
