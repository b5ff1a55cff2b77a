// @ts-check
// Elements of the page that all parts of a view use.

/**
 * Make an element inside another one.
 * @param {Element} parent
 * @param {string} tag
 * @param {Record<string, string>} attributes
 */
export function append(parent, tag, attributes = {}, text = "") {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  parent.append(element);
  return element;
}

/** Keep keys from the shortcuts of the notebook. @param {Element} el */
export function keepKeys(el) {
  el.setAttribute("data-lm-suppress-shortcuts", "true");
  for (const kind of ["keydown", "keyup", "keypress"]) el.addEventListener(kind, (event) => event.stopPropagation());
}

/**
 * Tell the kernel of an error of a script, once: `guard.check` raises it there.
 * @param {{ send?: (content: object) => void }} model
 * @param {unknown} error
 * @param {Set<string>} reported
 */
export function report(model, error, reported) {
  const text = error instanceof Error ? String(error.stack ?? error) : String(error);
  if (reported.has(text)) return;
  reported.add(text);
  console.error(error);
  model.send?.({ pmp_kit_failure: text });
}

/**
 * A function that wraps functions, whatever calls them: what they raise is reported.
 * @param {{ send?: (content: object) => void }} model
 */
export function guard(model) {
  const reported = /** @type {Set<string>} */ (new Set());
  return (/** @type {(...given: any[]) => void} */ act) =>
    (/** @type {any[]} */ ...given) => {
      try {
        act(...given);
      } catch (error) {
        report(model, error, reported);
      }
    };
}

/** Whether the reader prefers that nothing moves by itself. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const ICONS = { "fa-play": "play or pause", "fa-pause": "play or pause", "fa-stop": "stop" };

/** Give names to parts of ipywidgets that have none: those of a control have the word beside or above it. @param {Element} root */
export function nameControls(root) {
  for (const row of root.querySelectorAll(".pmp-control, .pmp-upright")) {
    const labels = [...row.querySelectorAll("label, .widget-label")].map((label) => label.textContent ?? "");
    const name = labels.map((text) => text.replaceAll("\u200b", "").trim()).find(Boolean); // a checkbox has an empty one
    const parts = row.querySelectorAll(".noUi-handle, .ui-slider-handle, select, input, [contenteditable]");
    if (name) for (const part of parts) part.setAttribute("aria-label", name);
  }
  for (const [icon, name] of Object.entries(ICONS))
    for (const sign of root.querySelectorAll(`button .${icon}`))
      sign.closest("button")?.setAttribute("aria-label", name);
}

const READ = 150; // CSS pixels that are left for the instructions

/**
 * Keep an explorer in view while the instructions above it are read: in a wide window it sticks to the lower end, see
 * look.css. On a page without a kernel its section ends that; in JupyterLab the cell above must be in view.
 * @param {Element} el
 * @param {AbortSignal} end
 */
export function stayInView(el, end) {
  const cell = /** @type {HTMLElement | null} */ (el.closest(".jp-Cell, .cell"));
  const above = cell?.previousElementSibling;
  if (!cell || !above) return;
  const scroller = cell.closest(".jp-WindowedPanel-outer") ?? document.documentElement;
  const stay = (/** @type {boolean} */ read) =>
    cell.classList.toggle("pmp-stays", read && cell.offsetHeight + READ < scroller.clientHeight);
  if (cell.matches(".cell")) return stay(true);
  if (!above.matches(".jp-MarkdownCell")) return;
  const covered = scroller.clientHeight - READ; // by the explorer: above it, the instructions are in view
  const options = { root: scroller, rootMargin: `0px 0px -${covered}px 0px` };
  const watcher = new IntersectionObserver(([{ isIntersecting }]) => stay(isIntersecting), options);
  watcher.observe(above);
  end.addEventListener("abort", () => watcher.disconnect());
}
