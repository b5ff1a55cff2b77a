// @ts-check
// Energy table: the factor graph, and one row for each configuration with its energy and its probability.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { Box } from "../picture/marks.js" */

const HEAD = 56; // CSS pixels above the rows
const ROW = /** @type {Record<number, number>} */ ({ 2: 34, 3: 25, 4: 20 }); // number of variables -> height of a row
const SCALES = [1, 2, 4, 8, 16, 32]; // nats: ends of the axis of scores
const [STRONGEST, CLEAR] = [2, 3]; // nats: strengths and log-odds whose colours are the darkest
const CENTRED = /** @type {const} */ ({ align: "center", base: "middle" });
/** The places of 2, 3 or 4 variables, x, y, x, y, ... from -1 to 1. @type {Record<number, number[]>} */
const PLACES = {
  2: [-0.55, 0, 0.55, 0],
  3: [0, -0.4, -0.65, 0.6, 0.65, 0.6],
  4: [-0.6, -0.6, 0.6, -0.6, -0.6, 0.6, 0.6, 0.6],
};
const OUTWARDS = 0.37; // from a variable to the factor of its bias
/** Where the factor of a pair of four variables is on its edge, so that no label meets an edge. @type {Record<string, number>} */
const ALONG = { "0,2": 0.62, "1,3": 0.62, "0,3": 0.34, "1,2": 0.34 };

/** The factors in the order of their strengths; `aside` is the direction of their labels. @param {number} count of variables */
function factorsOf(count) {
  const place = (/** @type {number} */ i) => PLACES[count].slice(2 * i, 2 * i + 2);
  const single = (/** @type {number} */ i) => {
    const [x, y] = place(i).map((value) => value * (1 + OUTWARDS / Math.hypot(...place(i))));
    return { ends: [i], name: `b_{${i + 1}}`, x, y, aside: [0, y > 0 ? 1 : -1] };
  };
  const pair = (/** @type {number} */ i, /** @type {number} */ j) => {
    const share = (count === 4 && ALONG[`${i},${j}`]) || 0.5;
    const [x, y] = place(i).map((value, axis) => value + share * (place(j)[axis] - value));
    const level = place(i)[1] === place(j)[1]; // its label is below or above, else at the side
    const aside = level ? [0, y < 0 ? -1 : 1] : [x < 0 ? -1 : 1, 0];
    return { ends: [i, j], name: `J_{${i + 1}${j + 1}}`, x, y, aside };
  };
  const all = [...Array(count).keys()];
  return [...all.map(single), ...all.flatMap((i) => all.slice(i + 1).map((j) => pair(i, j)))];
}

/** Where the graph and the table are: beside each other, or below each other on a narrow page. @param {Pen} pen @param {any} state */
function plan({ width }, state) {
  const [narrow, rows] = [width < 540, state.scores.length * ROW[state.up.length]];
  const side = Math.min(narrow ? width : 0.4 * width, 310);
  const [low, high] = [Math.max(0, (HEAD + rows - side) / 2), Math.max(0, (side - HEAD - rows) / 2)];
  const graph = { x: narrow ? (width - side) / 2 : 0, y: narrow ? 0 : low, w: side, h: side };
  const left = narrow ? 3 : side + 28;
  const table = { x: left, y: (narrow ? side + 8 : high) + HEAD, w: width - left - 3, h: rows };
  return { graph, table, narrow, height: Math.max(table.y + rows, graph.y + side) + 6 };
}

/** @param {Pen} pen @param {any} state */
function draw(pen, state) {
  const { graph, table, narrow } = plan(pen, state);
  const values = state.kind.includes("−") ? ["−1", "+1"] : ["0", "1"];
  drawGraph(pen, state, graph, values[1]);
  drawTable(pen, state, table, values, narrow ? [0, -1] : [-1, 0]);
}

/** @param {Pen} pen @param {any} state @param {Box} box @param {string} upper the upper value of a variable */
function drawGraph(pen, state, box, upper) {
  const { theme } = pen;
  const [count, half] = [state.up.length, box.w / 2.75];
  const [right, down] = [box.x + box.w / 2, box.y + box.h / 2];
  const at = (/** @type {number} */ x, /** @type {number} */ y) => [right + half * x, down + half * y];
  const [factors, places] = [factorsOf(count), PLACES[count]];
  const variables = Array.from(state.up, (_, i) => at(places[2 * i], places[2 * i + 1]));
  for (const { ends, x, y } of factors)
    for (const end of ends) pen.shape(pen.poly([...at(x, y), ...variables[end]]), { stroke: theme.quiet, alpha: 0.5 });

  factors.forEach(({ ends, name, aside, ...place }, k) => {
    const [x, y] = at(place.x, place.y);
    const [strength, mean, width] = [state.strengths[k], state.means[k], k === state.chosen ? 3.5 : 1];
    const square = pen.rect(x - 8, y - 8, 16, 16, 2);
    pen.shape(square, { fill: theme.diverging(strength, STRONGEST), stroke: theme.ink, width });
    const [left, top, subscript] = [x + 33 * aside[0], y + 27 * aside[1], d.sub(Number(name.slice(3, -1)))];
    pen.text(name[0] + subscript, left, top - 7, { ...CENTRED, size: 14, italic: true, colour: theme.ink, halo: true });
    pen.text(d.fixed(strength), left, top + 8, { ...CENTRED, halo: true });
    const factor = ends.map((i) => `x_{${i + 1}}`);
    const tip = () => ({
      title: `factor of ${factor.join(" and ")}`,
      rows: /** @type {[string, string][]} */ ([
        [`strength ${name}`, d.nats(strength)],
        ["adds to the score", `${name} ${factor.join(" ")}`],
        [`mean of ${factor.join(" ")}`, d.num(mean)],
        [`slope of log Z along ${name}`, d.num(mean / state.temperature)],
      ]),
    });
    pen.mark({ id: `factor ${k}`, box: d.around(x, y, 10), tip });
  });
  variables.forEach(([x, y], i) => {
    const [p, path, name] = [state.up[i], pen.disk(x, y, 18), `x_{${i + 1}}`];
    const odds = Math.log(Math.max(p, 1e-6) / Math.max(1 - p, 1e-6));
    pen.shape(path, { fill: theme.diverging(odds, CLEAR), stroke: theme.ink });
    const colour = Math.abs(odds) > 0.55 * CLEAR ? theme.paper : theme.ink;
    pen.text(`x${d.sub(i + 1)}`, x, y, { ...CENTRED, size: 15, italic: true, colour });
    const tip = () => ({
      title: `variable ${name}`,
      rows: /** @type {[string, string][]} */ ([
        [`p(${name} = ${upper})`, d.num(p)],
        [`mean of ${name}`, d.num(state.means[i])],
      ]),
    });
    pen.mark({ id: `variable ${i}`, box: d.around(x, y, 18), path, tip });
  });
}

/** @param {Pen} pen @param {any} state @param {Box} box @param {string[]} values the two values @param {[number, number]} aside */
function drawTable(pen, state, box, [lower, upper], aside) {
  const { theme } = pen;
  const [count, rows, ink] = [state.up.length, state.scores.length, { colour: theme.ink }];
  const [tall, step] = [box.h / rows, Math.min(19, 0.055 * box.w + 4)]; // of a row; from a variable to the next
  const room = box.w - count * step;
  const [energy, middle, start] = [0.2, 0.38, 0.53].map((share) => box.x + box.w - room * (1 - share));
  const [half, long, thick, side] = [0.11 * room, box.x + box.w - start - 46, 0.6 * tall, Math.min(12, 0.62 * tall)];
  const reach = SCALES.find((scale) => Math.max(...state.scores.map(Math.abs)) <= scale) ?? SCALES[5];
  const is = (/** @type {number} */ row, /** @type {number} */ i) => (row >> (count - 1 - i)) & 1;
  const head = (/** @type {string} */ words, /** @type {number} */ x, /** @type {number} */ line, look = {}) =>
    pen.text(words, x, box.y - 9 - 17 * line, look);

  head(`filled ${upper}`, box.x, 2);
  head(`empty ${lower}`, box.x, 1);
  for (let i = 0; i < count; i++)
    head(`x${d.sub(i + 1)}`, box.x + (i + 0.5) * step, 0, { ...ink, align: "center", italic: true, size: 13 });
  head("E(x)", energy, 1, { ...ink, align: "right" });
  head("nats", energy, 0, { align: "right" });
  head("score", middle, 1, { ...ink, align: "center" });
  head(`to ±${reach}`, middle, 0, { align: "center" });
  head(`log Z = ${d.fixed(state.log_partition, 3)} nats`, box.x + box.w, 2, { ...ink, align: "right" });
  head("p(x)", start, 0, ink);
  for (const x of [middle, start]) pen.shape(pen.poly([x, box.y, x, box.y + box.h]), { stroke: theme.faint });
  for (let row = 0; row < rows; row++) {
    const [score, p, mode] = [state.scores[row], state.probabilities[row], state.modes[row]];
    const y = box.y + (row + 0.5) * tall;
    if (mode)
      pen.shape(pen.rect(box.x - 2, y - tall / 2 + 1, box.w + 4, tall - 2, 4), { fill: theme.accent, alpha: 0.16 });
    for (let i = 0; i < count; i++) {
      const square = pen.rect(box.x + (i + 0.5) * step - side / 2, y - side / 2, side, side, 1.5);
      pen.shape(square, { fill: theme.binary(is(row, i)), stroke: theme.quiet });
    }
    const end = middle + (half * score) / reach;
    pen.text(d.fixed(-score), energy, y, { ...ink, align: "right", base: "middle" });
    pen.shape(pen.rect(Math.min(middle, end), y - thick / 2, Math.abs(end - middle), thick), { fill: theme.quiet });
    pen.shape(pen.rect(start, y - thick / 2, long * p + 0.75, thick), { fill: mode ? theme.accent : theme.quiet });
    pen.text(d.fixed(p, 3), start + long * p + 7, y, { ...ink, base: "middle" });
  }

  const configuration = (/** @type {number} */ row) => {
    const x = Array.from({ length: count }, (_, i) => (is(row, i) ? upper : lower));
    const near = x.map((_, i) => state.probabilities[row ^ (1 << i)]);
    return {
      title: `x = (${x.join(", ")})`,
      rows: /** @type {[string, string][]} */ ([
        ["score(x)", d.nats(state.scores[row])],
        ["E(x) = −score(x)", d.nats(0 - state.scores[row])],
        ["exp(−E(x) / T)", d.num(Math.exp(state.scores[row] / state.temperature))],
        ["Z, their sum", d.num(Math.exp(state.log_partition))],
        ["p(x), divided by Z", d.num(state.probabilities[row])],
        ["highest p(x) after one change", d.num(Math.max(...near))],
        ["a mode", state.modes[row] ? "yes" : "no"],
      ]),
    };
  };
  pen.mark({ id: "configuration", box: { ...box, x: box.x - 2, w: box.w + 4 }, rows, tip: configuration, aside });
}

export default d.widget({
  label: "A factor graph, and all configurations of its variables",
  height: (_, state, pen) => plan(pen, state).height,
  draw,
});
