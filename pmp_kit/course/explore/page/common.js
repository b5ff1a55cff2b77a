// @ts-check
// What several scripts use: elements with names, keys, and what arrives from the kernel.

/**
 * The traits that a widget shares with the kernel, as anywidget passes them to `render`.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, handler: () => void) => void} on
 * @property {(event: string, handler: () => void) => void} off
 */

/** @typedef {{ model: Model, el: HTMLElement }} View */

export const BLUE = "#0072b2"; // of PMP in all pictures

/**
 * Append a new element with attributes to a parent.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {HTMLElement} parent
 * @param {Tag} tag
 * @param {Record<string, string>} attributes
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function append(parent, tag, attributes = {}) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent.append(element);
  return element;
}

/**
 * Append a button that shows a text. A sign such as "▶" needs a name as well, see `nameButton`.
 * @param {HTMLElement} parent
 * @param {string} text
 * @param {() => void} action
 */
export function appendButton(parent, text, action) {
  const button = append(parent, "button", { type: "button" });
  button.textContent = text;
  button.addEventListener("click", action);
  return button;
}

/**
 * Set the name of a button in its tooltip and for screen readers: both always agree.
 * @param {HTMLButtonElement} button
 * @param {string} name
 */
export function nameButton(button, name) {
  button.title = name;
  button.setAttribute("aria-label", name);
}

/**
 * The pen of a canvas.
 * @param {HTMLCanvasElement} canvas
 */
export function penOf(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}

/**
 * Keep the keys that are pressed inside an element from the shortcuts of JupyterLab and the classic notebook.
 * @param {HTMLElement} el
 */
export function keepKeys(el) {
  el.setAttribute("data-lm-suppress-shortcuts", "true");
  for (const kind of ["keydown", "keyup", "keypress"]) {
    el.addEventListener(kind, (event) => event.stopPropagation());
  }
}

/**
 * Draw again whenever a canvas is scrolled into view, because a page may drop the pixels of a canvas that is out of
 * sight, and whenever its size changes, so that a curve below it is as wide.
 * @param {HTMLCanvasElement} canvas
 * @param {() => void} draw
 * @returns {() => void} ends the watch
 */
export function drawWhenSeen(canvas, draw) {
  const watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && draw());
  const sizes = new ResizeObserver(draw);
  watcher.observe(canvas);
  sizes.observe(canvas);
  return () => {
    watcher.disconnect();
    sizes.disconnect();
  };
}

/**
 * Call a handler whenever one of the traits changes. What it raises goes to the window: notebooks only log it.
 * @param {Model} model
 * @param {string[]} traits
 * @param {() => void} handler
 * @returns {() => void} ends the calls
 */
export function onChange(model, traits, handler) {
  const call = () => {
    try {
      return handler();
    } catch (error) {
      reportError(error);
    }
  };
  for (const trait of traits) model.on(`change:${trait}`, call);
  return () => traits.forEach((trait) => model.off(`change:${trait}`, call));
}

/**
 * An action that runs once for each frame of the screen, however often it is called.
 * @param {() => void} action
 */
export function oncePerFrame(action) {
  let pending = false;
  return () => {
    if (pending) return;
    pending = true;
    requestAnimationFrame(() => {
      pending = false;
      action();
    });
  };
}

/**
 * Read what arrives, then show it. Reading takes a moment: what is ready after something newer was shown is dropped.
 * @template Content
 * @param {() => Promise<Content | null>} read gives null where nothing has arrived yet
 * @param {(content: Content, arrival: number) => void} show
 */
export function showNewest(read, show) {
  let arrived = 0;
  let shown = 0;
  return async () => {
    const arrival = ++arrived;
    const content = await read().catch((error) => {
      throw new Error(`what arrived cannot be read: ${error}`); // the browser's own errors do not name this script
    });
    if (content === null || arrival < shown) return;
    shown = arrival;
    show(content, arrival);
  };
}

/**
 * One little-endian RGBA word of a colour; 0xff000000 is opaque black.
 * @param {Uint8Array} rgb
 * @param {number} start of the three bytes
 */
export function colourWord(rgb, start) {
  return 0xff000000 | (rgb[start + 2] << 16) | (rgb[start + 1] << 8) | rgb[start];
}
