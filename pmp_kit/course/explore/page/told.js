// @ts-check
// A picture with a grid of blocks: a sentence says what the block is that the mouse, a finger or the keys point at.
import { BLUE, append, keepKeys, onChange } from "./common.js";
import { STEPS, outlineBox, placeAt, within } from "./grid.js";
import { showPicture } from "./picture.js";

/** @import { View } from "./common.js" */
/** @import { Place } from "./grid.js" */

/** @param {View} view */
export function render({ model, el }) {
  el.classList.add("pmp-still", "pmp-told");
  keepKeys(el);
  const canvas = append(el, "canvas", { role: "application", tabindex: "0" }); // labels.js names it
  const says = append(el, "output", { "aria-live": "polite" });
  /** @type {Place | null} */
  let pointed = null;
  /** @type {Place} */
  let cursor = [0, 0]; // where the keys are
  let keys = false; // whether the keys point

  /** The block that is pointed at: by the mouse first. */
  const place = () => pointed ?? (keys ? cursor : null);

  function mark() {
    const at = place();
    if (at) outlineBox(canvas, model.get("grid"), at, BLUE, 0);
  }

  const picture = showPicture(model, canvas, mark);

  function tell() {
    const at = place();
    const { columns } = model.get("grid");
    says.textContent = at ? model.get("words")[at[0] * columns + at[1]] : model.get("hint");
    picture.draw();
  }

  /** @param {MouseEvent} event */
  function point(event) {
    pointed = placeAt(canvas, model.get("grid"), event);
    tell();
  }

  canvas.addEventListener("pointermove", point);
  canvas.addEventListener("pointerdown", point); // a finger does not move before
  canvas.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "touch") return; // a finger leaves whenever it is lifted
    pointed = null;
    tell();
  });
  canvas.addEventListener("focus", () => {
    keys = canvas.matches(":focus-visible");
    tell();
  });
  canvas.addEventListener("blur", () => {
    keys = false;
    tell();
  });
  canvas.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    [keys, pointed] = [true, null];
    cursor = within(model.get("grid"), [cursor[0] + step[0], cursor[1] + step[1]]);
    tell();
  });
  tell();
  const end = onChange(model, ["words", "grid"], tell);
  return () => {
    end();
    picture.end();
  };
}
