// @ts-check
// Names for the parts that the notebook's own widgets leave without one: slider handles, fields, players, pictures.
// It also scrolls to the picture when the kernel asks for it.
import { oncePerFrame, onChange } from "./common.js";

/** @import { View } from "./common.js" */

/** @type {Record<string, string>} */
const ICONS = { "fa-play": "play or pause", "fa-pause": "play or pause", "fa-stop": "stop", "fa-retweet": "repeat" };
const ROWS = ".pmp-control, .pmp-upright";
const PARTS = ".noUi-handle, .ui-slider-handle, select, input, [contenteditable]";
const BUTTONS = ".widget-play button, .jupyter-widget-play button";

/**
 * Name the parts of a control by the word beside it. A checkbox has an empty label before the word.
 * @param {Element} row
 */
function nameControl(row) {
  const texts = [...row.querySelectorAll("label, .widget-label")].map((label) => label.textContent ?? "");
  const name = texts.map((text) => text.replaceAll("\u200b", "").trim()).find(Boolean);
  if (name) row.querySelectorAll(PARTS).forEach((part) => part.setAttribute("aria-label", name));
}

/** @param {Element} button */
function nameIcon(button) {
  const icon = Object.keys(ICONS).find((name) => button.querySelector(`.${name}`));
  if (icon) button.setAttribute("aria-label", ICONS[icon]);
}

/**
 * Name everything in an explorer.
 * @param {Element} root
 * @param {string} words that describe its picture
 */
function nameParts(root, words) {
  root.querySelectorAll(ROWS).forEach(nameControl);
  root.querySelectorAll(BUTTONS).forEach(nameIcon);
  for (const picture of root.querySelectorAll(".pmp-still canvas")) {
    const pinned = picture.closest(".pmp-pin");
    picture.setAttribute("aria-label", pinned ? (pinned.textContent ?? "").trim() : words);
  }
}

/** @param {View} view */
export function render({ model, el }) {
  /** @type {Element | null} */
  let root = null;
  const watcher = new MutationObserver(watch);
  const update = oncePerFrame(() => root && nameParts(root, model.get("picture")));

  // The parts of an explorer appear one by one, and this one may be made before it is on the page. Until then the
  // watcher looks at the whole page, afterwards at this explorer alone.
  function watch() {
    const found = el.closest(".pmp-explorer");
    if (found !== root) {
      root = found;
      watcher.disconnect();
      observe();
    }
    update();
  }

  function observe() {
    const options = { childList: true, subtree: true };
    if (root) watcher.observe(root, { ...options, attributeFilter: ["class"] });
    else watcher.observe(document, options);
  }

  observe();
  watch();
  const ends = [
    onChange(model, ["picture"], update),
    onChange(model, ["calls"], () => root?.querySelector(".pmp-picture")?.scrollIntoView({ block: "nearest" })),
  ];
  return () => {
    watcher.disconnect();
    ends.forEach((end) => end());
  };
}
