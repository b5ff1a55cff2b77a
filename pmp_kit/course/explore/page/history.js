// @ts-check
// The last views of an explorer as small pictures in a row; a click returns to one.
import { append, keepKeys, nameButton, onChange } from "./common.js";

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

  /** @param {number} serial */
  function ask(serial) {
    const count = (model.get("asked")[1] ?? 0) + 1; // a second click on one picture is a change, too
    model.set("asked", [serial, count]);
    model.save_changes();
  }

  function draw() {
    const focused = el.querySelector("button:focus")?.getAttribute("data-serial");
    forget();
    el.replaceChildren();
    const words = model.get("words");
    if (!words.length) return;
    append(el, "span").textContent = "last views";
    const serials = model.get("serials");
    model.get("pictures").forEach((/** @type {DataView<ArrayBuffer>} */ picture, /** @type {number} */ place) => {
      const button = append(el, "button", { type: "button", "data-serial": serials[place] });
      nameButton(button, `return to: ${words[place]}`);
      button.addEventListener("click", () => ask(serials[place]));
      addresses.push(URL.createObjectURL(new Blob([picture], { type: "image/png" })));
      append(button, "img", { src: addresses[place], alt: "" });
      if (button.dataset.serial === focused) button.focus();
    });
  }

  draw();
  const end = onChange(model, ["serials"], draw); // whatever changes in the strip, these change, and all arrive together
  return () => {
    end();
    forget();
  };
}
