// @ts-check
// Sixty-second PMP: evidence to paint, its completions, and the share of them in which each pixel is on.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { View } from "../picture/view.js" */
/** @typedef {[string, string][]} Rows */

const [TOP, GAP, COLUMNS] = [24, 9, 5];

/** Where everything is: the board above the shares, and beside them one or two sheets of completions. @param {Pen} pen @param {any} state */
function plan(pen, state) {
  const { width } = pen;
  const [side, narrow] = [state.truth.shape[0], width < 520];
  const sheets = state.own ? 2 : 1;
  const cell = pen.snap((narrow ? (width - 20) / 2 : width * (sheets > 1 ? 0.24 : 0.295)) / side);
  const large = side * cell;
  const left = narrow ? 1 : large + 28;
  const wide = (width - left - (sheets - 1) * 26 - 1) / sheets;
  const small = (wide - (COLUMNS - 1) * GAP) / COLUMNS / side;
  const share = narrow ? { x: large + 20, y: TOP } : { x: 1, y: TOP + large + 38 };
  const top = narrow ? TOP + large + 66 : TOP;
  const count = state.completions.shape[0];
  const sheet = Math.ceil(count / COLUMNS) * (side * small + GAP);
  const height = Math.max(share.y + large + 30, top + sheet - GAP + 2);
  return { side, cell, large, small, share, height, at: [left, left + wide + 26], top };
}

/** @param {Pen} pen @param {any} state @param {View} view */
function draw(pen, state, view) {
  const { theme } = pen;
  const { side, cell, small, share, at, top } = plan(pen, state);
  const [shape, size, count] = [[side, side], side * side, state.completions.shape[0]];
  const pixels = d.pixelsOf(view, state.evidence);
  const k = (/** @type {number} */ row, /** @type {number} */ col) => row * side + col;
  const place = (/** @type {number} */ row, /** @type {number} */ col) => `row ${row + 1}, column ${col + 1}`;
  const given = (/** @type {number} */ row, /** @type {number} */ col) => state.evidence[k(row, col)] !== d.FREE;
  const title = (/** @type {string} */ words, /** @type {number} */ x, /** @type {number} */ y) =>
    pen.text(words, x, y - 9, { colour: theme.ink, weight: 600 });
  const on = new Int32Array(size);
  state.completions.forEach((/** @type {number} */ value, /** @type {number} */ pixel) => (on[pixel % size] += value));
  const rows = (/** @type {number} */ row, /** @type {number} */ col, first = /** @type {Rows} */ ([])) =>
    /** @type {Rows} */ ([
      ...first,
      ["on in", `${on[k(row, col)]} of ${count} completions`],
      ["the real digit", d.NAMES[state.truth[k(row, col)]]],
    ]);

  title(view.painted() ? "paint here" : "given", 1, TOP);
  d.board(pen, view, pixels, shape, { x: 1, y: TOP, cell }, (row, col) => ({
    title: place(row, col),
    rows: rows(row, col, [["given", d.NAMES[pixels[k(row, col)]]]]),
  }));

  title("share that is on", share.x, share.y);
  const map = pen.bitmap(on, shape, { ...share, cell }, (sum) => theme.cividis(sum / count), {
    id: "share",
    tip: (row, col) => ({
      title: place(row, col),
      rows: rows(row, col, [["this pixel is", given(row, col) ? "given" : "filled in"]]),
    }),
  });
  const real = (/** @type {number} */ row, /** @type {number} */ col) => state.truth[k(row, col)] === 1;
  pen.border([map], shape, real, { stroke: [0, 0, 0], width: 3.5 });
  pen.border([map], shape, real, { stroke: [255, 255, 255], width: 1.5 });
  pen.key({ x: map.x, y: map.y + map.h + 9, w: map.w }, theme.cividis, ["0", "line: real digit", "1"]);

  const sheet = (
    /** @type {any} */ some,
    /** @type {number} */ x,
    /** @type {string} */ id,
    /** @type {(n: number) => Rows} */ more,
  ) => {
    const boxes = pen.mosaic(some, { x, y: top, cell: small, columns: COLUMNS, gap: GAP }, theme.binary, (n) => ({
      id: `${id} ${n}`,
      frame: theme.faint,
      tip: (row, col) => ({
        title: `${id} ${n + 1}`,
        rows: rows(row, col, [
          [place(row, col), `${d.NAMES[some[n * size + k(row, col)]]}${given(row, col) ? ", given" : ""}`],
          ...more(n),
        ]),
      }),
    }));
    pen.border(boxes, shape, given, { stroke: theme.accent, width: 1 });
  };
  const settled = (/** @type {number} */ n) =>
    /** @type {Rows} */ ([["sweeps", `${state.sweeps[n]}, ${state.settled[n] ? "settled" : "still moving"}`]]);
  if (state.own) {
    title(`${state.own.shape[0]} of ${count} completions of ${state.name}`, at[0], top);
    sheet(state.own, at[0], `completion of ${state.name}`, () => []);
  }
  title(`${count} completions${state.own ? " of the kit" : ""}`, at[state.own ? 1 : 0], top);
  sheet(state.completions, at[state.own ? 1 : 0], "completion", settled);
}

export default d.widget({
  label: "Completions of a partly painted digit",
  start: d.addBrushes,
  height: (_, state, pen) => plan(pen, state).height,
  draw,
});
