// @ts-check
// Shows one picture on a canvas.
import { append } from "./common.js";
import { showPicture } from "./picture.js";

/** @import { View } from "./common.js" */

/** @param {View} view */
export function render({ model, el }) {
  el.classList.add("pmp-still");
  return showPicture(model, append(el, "canvas", { role: "img" })).end;
}
