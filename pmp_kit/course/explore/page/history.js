// @ts-check
// The last views of an explorer as small pictures in a row; a click returns to one.
import { append, keepKeys, nameButton, onChange, oncePerFrame } from "./common.js";

/** @import { View } from "./common.js" */

/** @param {View} view */
export function render({ model, el }) {
  el.classList.add("pmp-history");
  keepKeys(el);
  /** @type {string[]} */
  let addresses = []; // of the pictures, until the next ones arrive

  function forget() {
    addresses.forEach((address) => URL.revokeObjectURL(address));
    addresses = [];
  }

  /** @param {number} number */
  function ask(number) {
    const count = (model.get("asked")[1] ?? 0) + 1; // a second click on one picture is a change, too
    model.set("asked", [number, count]);
    model.save_changes();
  }

  function draw() {
    const focused = [...el.querySelectorAll("button")].indexOf(
      /** @type {HTMLButtonElement} */ (document.activeElement),
    );
    forget();
    el.replaceChildren();
    const words = model.get("words");
    if (!words.length) return;
    append(el, "span").textContent = "last views";
    model.get("pictures").forEach((/** @type {DataView<ArrayBuffer>} */ picture, /** @type {number} */ number) => {
      const button = append(el, "button", { type: "button" });
      nameButton(button, `return to: ${words[number]}`);
      button.addEventListener("click", () => ask(number));
      addresses.push(URL.createObjectURL(new Blob([picture], { type: "image/png" })));
      append(button, "img", { src: addresses[number], alt: "" });
    });
    el.querySelectorAll("button")[focused]?.focus();
  }

  draw();
  const end = onChange(model, ["pictures", "words"], oncePerFrame(draw)); // both arrive together
  return () => {
    end();
    forget();
  };
}
