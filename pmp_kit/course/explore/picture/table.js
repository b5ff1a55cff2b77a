// @ts-check
// A picture without a kernel: a table of states takes its place.

/** @typedef {{ name: string, values: string[], first: number, listed: boolean }} Control */
/** @typedef {{ controls: Control[], starts: number[], states: string, layers: string[] }} Table */

/**
 * Show a picture with the controls that a table has states for.
 * @param {{ render: (place: any) => void }} picture
 * @param {Element} root
 * @param {Table} table
 */
async function openTable(picture, root, { controls, starts, states, layers }) {
  const given = /** @type {Element} */ (root.querySelector(".pmp-given"));
  const packed = Uint8Array.from(atob(states), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  const inputs = controls.map((control) => addControl(given, control, () => hear("change:frame")));
  const acts = /** @type {Record<string, (() => void)[]>} */ ({});
  const hear = (/** @type {string} */ event) => acts[event]?.forEach((act) => act());
  const chosen = () => inputs.reduce((place, input, k) => place * controls[k].values.length + Number(input.value), 0);
  const values = /** @type {Record<string, any>} */ ({
    layers,
    get frame() {
      return new DataView(bytes, starts[chosen()], starts[chosen() + 1] - starts[chosen()]);
    },
  });
  const model = {
    get: (/** @type {string} */ name) => values[name],
    set() {},
    save_changes() {},
    on: (/** @type {string} */ event, /** @type {() => void} */ act) => (acts[event] ??= []).push(act),
    off() {},
  };
  picture.render({ model, el: root.querySelector(".pmp-picture") });
}

/** Add a slider, or a list of words. @param {Element} parent @param {Control} control @param {() => void} moved */
function addControl(parent, { name, values, first, listed }, moved) {
  const label = parent.appendChild(document.createElement("label"));
  label.append(name);
  const input = /** @type {HTMLInputElement | HTMLSelectElement} */ (
    document.createElement(listed ? "select" : "input")
  );
  const output = document.createElement("output");
  if (input instanceof HTMLSelectElement) values.forEach((value, k) => input.add(new Option(value, `${k}`)));
  else Object.assign(input, { type: "range", min: "0", max: `${values.length - 1}` });
  input.value = `${first}`;
  label.append(input);
  if (!listed) label.append(output);
  const say = () => {
    output.textContent = values[Number(input.value)];
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.addEventListener("input", () => {
    say();
    moved();
  });
  say();
  return input;
}
