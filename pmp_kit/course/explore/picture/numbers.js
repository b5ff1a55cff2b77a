// @ts-check
// Numbers: what the kernel packed (frame.py), and how a number is written in a tip.

/** @typedef {Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>} Numbers */
/** @typedef {Numbers & { shape: number[] }} Tensor an array in the order of its rows, with the shape that it had */

const KINDS = { f4: Float32Array, i4: Int32Array, u1: Uint8Array };
const POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const PLACES = "₀₁₂₃₄₅₆₇₈₉";

/**
 * Read a state that frame.py packed.
 * @param {DataView<ArrayBuffer>} sent
 * @returns {any} the fields of the state; arrays are `Tensor`s
 */
export function unpack(sent) {
  const bytes = sent.buffer.slice(sent.byteOffset, sent.byteOffset + sent.byteLength); // it arrives at odd addresses
  const start = 4 + new DataView(bytes).getUint32(0, true);
  const { arrays, ...state } = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, start - 4)));
  for (const [name, [kind, shape, offset]] of Object.entries(arrays)) {
    const count = shape.reduce((/** @type {number} */ product, /** @type {number} */ length) => product * length, 1);
    const values =
      kind === "b1"
        ? bitsOf(new Uint8Array(bytes, start + offset), count)
        : new KINDS[/** @type {keyof typeof KINDS} */ (kind)](bytes, start + offset, count);
    state[name] = Object.assign(values, { shape });
  }
  return state;
}

/** @param {Uint8Array} packed @param {number} count */
const bitsOf = (packed, count) => Uint8Array.from({ length: count }, (_, k) => (packed[k >> 3] >> (7 - (k & 7))) & 1);

/**
 * A number with so many digits, with a real minus sign.
 * @param {number} value
 */
export function num(value, digits = 3) {
  if (typeof value !== "number") throw new TypeError(`expected a number, got ${value}`);
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const scientific = size !== 0 && (size < 0.001 || size >= 1e6);
  const text = scientific ? value.toExponential(1) : Number(value.toPrecision(digits)).toString();
  return text
    .replace(/e([+-])(\d+)$/, (_, sign, power) => ` · 10${sign === "-" ? "⁻" : ""}${raised(power)}`)
    .replace(/^-/, "−");
}

/** @param {string} power */
const raised = (power) => [...power].map((digit) => POWERS[Number(digit)]).join("");

/** A number with its sign, also if that is a plus. @param {number} value */
export const signed = (value, digits = 3) => (value > 0 ? "+" : "") + num(value, digits);

/** A number with so many places after its point, for numbers below each other. @param {number} value */
export const fixed = (value, places = 2) =>
  value
    .toFixed(places)
    .replace(/^-(?=[\d.]*[1-9])/, "−")
    .replace(/^-/, "");

/** A whole number as a subscript: x₁₂ is "x" + sub(12). @param {number} value */
export const sub = (value) => [...String(value)].map((digit) => PLACES[Number(digit)]).join("");

/** A number and its unit. @param {number} value */
export const nats = (value, digits = 3) => `${num(value, digits)} nats`;

/** A time in the unit that suits it. @param {number} value in seconds */
export const time = (value, digits = 3) => (value < 1 ? `${num(1e3 * value, digits)} ms` : `${num(value, digits)} s`);

/** @param {number} value */
export const clamp = (value, low = 0, high = 1) => Math.min(high, Math.max(low, value));

/**
 * A value of an array (frames, count), between two frames where `at` is no whole number.
 * @param {Tensor} values
 * @param {number} at the frame
 * @param {number} k the place in the row
 */
export function between(values, at, k) {
  const [frames, count] = [values.shape[0], values.length / values.shape[0]];
  const first = clamp(Math.floor(at), 0, frames - 1);
  const [here, next] = [values[first * count + k], values[Math.min(first + 1, frames - 1) * count + k]];
  return here + (next - here) * clamp(at - first);
}

/** The parts of an array along its first axis. @param {Tensor} values */
export function rowsOf(values) {
  const [rows, length] = [values.shape[0], values.length / values.shape[0]];
  return Array.from({ length: rows }, (_, k) => values.subarray(k * length, (k + 1) * length));
}

/** The sum of an array over its first axis. @param {Tensor} values */
export function sum(values) {
  const total = new Float64Array(values.length / values.shape[0]);
  values.forEach((value, k) => (total[k % total.length] += value));
  return total;
}

/** How many: "1 sweep", "20 sweeps". @param {number} number @param {string} unit */
export const count = (number, unit) => `${number} ${unit}${number === 1 ? "" : "s"}`;
