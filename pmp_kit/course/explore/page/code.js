// @ts-check
// A button that asks for the code of a view, shows the code and copies it.
import { append, appendButton, keepKeys, onChange } from "./common.js";

/** @import { View } from "./common.js" */

/**
 * Select the code, and copy it where the page allows that.
 * @param {HTMLElement} code
 * @returns {Promise<string>} what happened, in words
 */
async function copy(code) {
  window.getSelection()?.selectAllChildren(code);
  try {
    await navigator.clipboard.writeText(code.textContent ?? "");
    return "copied";
  } catch {
    return "selected: copy it with Ctrl+C"; // the page does not allow more
  }
}

/** @param {View} view */
export function render({ model, el }) {
  let asked = false; // whether the code is to be copied when it arrives
  el.classList.add("pmp-code");
  keepKeys(el);
  const button = appendButton(el, "", () => {
    asked = !model.get("shown");
    model.set("shown", asked);
    model.save_changes();
  });
  const outcome = append(el, "output");
  const code = append(el, "pre", { tabindex: "0", "aria-label": "code of this view" });

  async function draw() {
    const shown = model.get("shown");
    button.textContent = shown ? "hide code" : "copy as code";
    button.setAttribute("aria-expanded", String(shown));
    code.hidden = !shown;
    code.textContent = model.get("code");
    outcome.textContent = "";
    if (asked && shown && code.textContent) {
      asked = false;
      outcome.textContent = await copy(code);
    }
  }

  draw();
  return onChange(model, ["shown", "code"], draw);
}
