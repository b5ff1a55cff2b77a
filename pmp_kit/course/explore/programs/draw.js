// @ts-check
// Relaxation scope: four answers to each draw of the noise in common rows, and the scores beside them.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { Box, Tip } from "../picture/marks.js" */
/** @typedef {[string, string][]} Rows */

const PANELS = ["LP", "MPLP", "max-product", "exact"];
const METHODS = ["LP", "MPLP", "PMP", "exact"]; // whose colours and signs the panels have
const SCORES = ["LP, a bound", "dual, a bound", "MPLP, found", "max-product, found"];
const [LEFT, GAP, LIMIT] = [16, 9, 120]; // CSS pixels beside the rows, and between them; nats where the axis ends

/** Where everything is: the scores are beside the rows, or below them where there is no room. @param {number} width @param {number} draws */
function plan(width, draws) {
  const wide = width >= 560;
  const [top, row] = wide ? [66, 34 + 0.02 * width] : [22, 40];
  const panel = ((wide ? 0.6 : 1) * width - LEFT) / PANELS.length - GAP;
  const below = { x: 20, y: top + draws * row + 96, w: width - 34, h: draws * 26 };
  const chart = wide ? { x: 0.64 * width, y: top, w: 0.35 * width, h: draws * row } : below;
  return { wide, top, row, panel, chart, height: chart.y + chart.h + 26 };
}

/** @param {Pen} pen @param {any} state */
function draw(pen, state) {
  const draws = Array.from(state.best, (_, k) => k);
  const { wide, top, row, panel, chart } = plan(pen.width, draws.length);
  const middle = /** @type {const} */ ({ size: 11, align: "right", base: "middle" });
  for (const k of draws) pen.text(`${k + 1}`, LEFT - 7, top + (k + 0.5) * row, middle);
  const exact = state.found.map((/** @type {number} */ found) => `${found} of ${draws.length} exact`);
  const words = [`${d.num(state.halves)} % halves`, ...exact, "all tried"];
  PANELS.forEach((name, p) => {
    const place = { x: LEFT + p * (panel + GAP), w: panel, h: row - GAP };
    const at = place.x + panel / 2;
    pen.text(name, at, top - 8, { align: "center", weight: 600, colour: pen.theme.method(METHODS[p]) });
    pen.text(words[p], at, top + draws.length * row + 12, { size: 11, align: "center" });
    for (const k of draws) drawSpins(pen, state, p, k, { ...place, y: top + k * row + GAP / 2 });
  });
  drawScores(pen, state, chart, draws, wide);
}

/** One answer to one draw: a cell for each spin, with a red tick where it is wrong. @param {Pen} pen @param {any} state @param {number} p the panel @param {number} k the draw @param {Box} place */
function drawSpins(pen, { answers }, p, k, { x, y, w, h }) {
  const [, draws, count] = answers.shape;
  const row = (/** @type {number} */ panel) => answers.subarray((panel * draws + k) * count).subarray(0, count);
  const [spins, exact] = [row(p), row(3)];
  const word = (/** @type {number} */ panel, /** @type {number} */ i) =>
    `${row(panel)[i] ? "+1" : "−1"}${row(panel)[i] === exact[i] ? "" : ", wrong"}`;
  const tip = (/** @type {number} */ _, /** @type {number} */ i) => ({
    title: `draw ${k + 1}, spin ${i + 1}`,
    rows: /** @type {Rows} */ ([
      [`LP, p_{${i + 1}}`, d.num(row(0)[i])],
      ...[1, 2, 3].map((panel) => [PANELS[panel], word(panel, i)]),
    ]),
  });
  const look = { id: `${PANELS[p]} ${k}`, tip, frame: pen.theme.quiet };
  const box = pen.bitmap(spins, [1, count], { x, y, cell: w / count, tall: h }, pen.theme.binary, look);
  for (let i = 0; i < count; i++) {
    const left = box.x + (i * box.w) / count;
    if (i) pen.shape(pen.poly([left, box.y, left, box.y + box.h]), { stroke: pen.theme.quiet, alpha: 0.5 });
    if (p === 0 || spins[i] === exact[i]) continue;
    const tick = pen.rect(left + box.w / count / 2 - 2.2, box.y + (exact[i] ? 0 : 0.55) * box.h, 4.4, 0.45 * box.h);
    pen.shape(tick, { fill: pen.theme.warn });
  }
}

/** Scores minus the best one. The tip of each has those of its whole draw. @param {Pen} pen @param {any} state @param {Box} box @param {number[]} draws @param {boolean} wide */
function drawScores(pen, { scores, best }, box, draws, wide) {
  const minus = (/** @type {number} */ score, /** @type {number} */ k) => scores[score * draws.length + k];
  const colours = ["LP", "MPLP", "MPLP", "PMP"].map(pen.theme.method);
  const signs = /** @type {const} */ (["down", "cross", "plus", "disk"]);
  const entry = (/** @type {number} */ k) => ({ words: SCORES[k].split(",")[0], colour: colours[k], sign: signs[k] });
  pen.text("bounds", box.x, box.y - 50, { base: "middle" });
  d.legend(pen, box.x + 48, box.y - 50, [entry(0), entry(1)]);
  pen.text("found", box.x, box.y - 31, { base: "middle" });
  d.legend(pen, box.x + 48, box.y - 31, [entry(2), entry(3)]);
  const scales = d.axes(
    pen,
    box,
    { range: [-LIMIT, LIMIT], kind: "root", ticks: [-100, -25, 0, 25, 100], title: "score minus best, nats" },
    { range: [draws.length - 0.5, -0.5], ticks: draws, write: (k) => (wide ? "" : `${k + 1}`) },
  );
  d.rule(pen, scales, { x: 0 }, { stroke: pen.theme.ink, width: 1.6, dash: [] });
  const tip = (/** @type {number} */ k) => ({
    title: `draw ${k + 1}: scores minus the best`,
    rows: /** @type {Rows} */ ([
      ...SCORES.map((name, score) => [name, `${d.signed(minus(score, k))} nats`]),
      ["best score", d.nats(best[k])],
    ]),
  });
  SCORES.forEach((name, score) => {
    const across = draws.map((k) => minus(score, k));
    const look = { fill: colours[score], sign: signs[score], radius: score ? 4.5 : 6.5, alpha: score ? 1 : 0.45 };
    d.dots(pen, scales, across, draws, look, { id: name, tip });
  });
}

export default d.widget({
  label: "Answers of four solvers to the same draws of noise",
  height: (width, state) => plan(width, state.best.length).height,
  draw,
});
