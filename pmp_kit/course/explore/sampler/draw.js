// @ts-check
// One sample of PMP: the graph after one sweep, and the score of the decoded states after every sweep below it.
import * as d from "../picture/draw.js";
import { placed, sweepGraph } from "../picture/sweep.js";

/** @import { Sizes } from "../picture/graph.js" */
/** @import { Box } from "../picture/marks.js" */
/** @import { Pen } from "../picture/pen.js" */
/** @import { View } from "../picture/view.js" */
/** @typedef {[string, string][]} Rows */

const [TOP, CURVE, ASIDE] = [30, 166, [1, -1]]; // CSS pixels: of the row of the colour key, and of the curve

/** Where the graphs are: the reader's, if there is one, at the left or above. @param {Pen} pen @param {any} state */
function plan({ width, tall }, state) {
  const [graphs, columns] = state.own ? [2, width < 560 ? 1 : 2] : [1, 1];
  const [room, head] = [width / columns, graphs > 1 ? 18 : 0];
  const most = Math.min(0.42 * tall, 420); // of a projector the curve, too, shall be in view
  const h = d.clamp(0.62 * room, Math.min(350, most), most);
  const w = Math.min(room, 1.5 * h);
  const [right, down] = columns > 1 ? [room, 0] : [0, h + head];
  const boxes = Array.from({ length: graphs }, (_, k) => ({
    x: k * right + (room - w) / 2,
    y: TOP + head + k * down,
    w,
    h,
  }));
  const curve = boxes[graphs - 1].y + h;
  return { boxes, curve, height: curve + CURVE };
}

/** @param {Pen} pen @param {any} state @param {View} view */
function draw(pen, state, view) {
  const { theme, width } = pen;
  const { boxes, curve } = plan(pen, state);
  pen.key({ x: width - 164, y: 2, w: 160 }, (share) => theme.diverging(2 * share - 1), ["−3: to 0", "nats", "3: to 1"]);
  const kit = boxes[boxes.length - 1];
  const sizes = d.sizesOf(1.2 * Math.min(kit.w, kit.h));
  if (state.own) {
    const said = [
      `${state.name}, ${view.frame} sweeps${view.frame < state.own.shape[0] ? "" : ": no result"}`,
      "the kit",
    ];
    said.forEach((words, k) => pen.text(words, boxes[k].x + 4, boxes[k].y - 4, { colour: theme.ink, weight: 600 }));
    drawGiven(pen, state, view, boxes[0], sizes);
  }
  sweepGraph(pen, state, view, kit, { sizes, dashed: true, aside: ASIDE });
  drawScores(pen, state, view, { x: 50, y: curve + 34, w: width - 66, h: CURVE - 82 });
}

/** The states of the reader's sampler; its messages are unknown. @param {Pen} pen @param {any} state @param {View} view @param {Box} box @param {Sizes} sizes */
function drawGiven(pen, state, { frame, shown }, box, sizes) {
  const [place, count, x] = [
    placed(state, box, sizes),
    state.noise.length,
    (/** @type {number} */ k) => `x_{${k + 1}}`,
  ];
  for (let k = 0; k < state.weights.length; k += 2) {
    const [i, j] = [state.ends[2 * k], state.ends[2 * k + 1]];
    const tip = () => ({
      title: `edge of ${x(i)} and ${x(j)}`,
      rows: /** @type {Rows} */ ([["weight", d.nats(state.weights[k])]]),
    });
    d.edge(pen, place(i), place(j), { id: `given edge ${k / 2}`, tip, dashed: state.weights[k] < 0 });
  }
  const there = frame < state.own.shape[0];
  for (let k = 0; k < count; k++) {
    const [decoded, best] = [state.own[frame * count + k], state.own_truth[frame * count + k]];
    const tip = () => ({
      title: `variable ${x(k)} of ${state.name}`,
      rows: /** @type {Rows} */ ([
        ["unary θ, bias + noise", d.nats(state.bias[k] + state.noise[k])],
        [`state after ${frame} sweeps`, there ? `${decoded}${decoded === best ? "" : `, best ${best}`}` : "no result"],
      ]),
    });
    const shows = {
      noise: shown.has("noise") ? state.noise[k] : undefined,
      state: there && shown.has("states") ? decoded : undefined,
      truth: there && shown.has("truth") ? best : undefined,
      wrong: decoded !== best,
    };
    d.variable(pen, k, place(k), sizes, shows, { id: `given variable ${k}`, tip, outwards: ASIDE });
  }
}

/** @param {Pen} pen @param {any} state @param {View} view @param {Box} box */
function drawScores(pen, state, view, box) {
  const { theme } = pen;
  const { scores, top } = state;
  const last = scores.length - 1;
  const given = state.own ? Array.from(scores, (_, k) => state.own_scores[k] ?? Number.NaN) : null; // none yet: NaN
  const [main, named] = given ? [given, state.name] : [scores, "the decoded states"];
  const low = Math.min(top - 1e-3, ...scores, ...(given ?? []).filter((value) => !Number.isNaN(value)));
  const write = (/** @type {number} */ value) => value.toFixed(1).replace("-", "−");
  const best = (/** @type {ArrayLike<number>} */ values) => {
    let most = -Infinity;
    return Array.from(values, (value) => (Number.isNaN(value) ? value : (most = Math.max(most, value))));
  };
  const so = best(main);
  const scales = d.axes(
    pen,
    box,
    { range: [0, last], ticks: [0, 16, 32, 48, last], title: "sweeps" },
    { range: [low, top], ticks: [low, top], title: `score of ${named}, nats`, write },
  );
  d.rule(pen, scales, { x: view.at });
  d.rule(pen, scales, { y: top }, { stroke: theme.ink, width: 1.5, dash: [] });
  if (given) d.curve(pen, scales, scores, { stroke: theme.quiet, width: 1.2 });
  d.curve(pen, scales, so, { stroke: theme.ink, width: 1.2, dash: [4, 3] });
  const tip = (/** @type {number} */ k) => ({
    title: `after sweep ${k}`,
    rows: /** @type {Rows} */ ([
      [given ? `score of ${named}` : "score", d.nats(main[k], 4)],
      ["best so far", d.nats(so[k], 4)],
      ...(given ? [["score of the kit", d.nats(scores[k], 4)]] : []),
      ["best possible", d.nats(top, 4)],
      [given ? "the kit below the best" : "below the best", d.nats(state.gaps[k])],
      ["states that differ from it", `${differs(state, k)} of ${state.noise.length}`],
    ]),
  });
  d.curve(pen, scales, main, {}, { id: "score", tip, press: (k) => view.player?.show(k) });
  d.pointOn(pen, scales, main, view.at);
  d.legend(pen, 4, box.y + box.h + 36, [
    { words: given ? named : "score", colour: theme.accent },
    ...(given ? [{ words: "the kit", colour: theme.quiet }] : []),
    { words: "best so far", colour: theme.ink, dash: [4, 3] },
    { words: "best possible", colour: theme.ink },
  ]);
}

/** How many states of the kit differ from the best configuration. @param {any} state @param {number} frame */
function differs({ states, truth, noise }, frame) {
  let number = 0;
  for (let k = frame * noise.length; k < (frame + 1) * noise.length; k++) number += Number(states[k] !== truth[k]);
  return number;
}

export default d.widget({
  label: "One sample of PMP, sweep by sweep",
  unit: "sweep",
  layers: d.LAYERS,
  frames: (state) => state?.scores.length ?? 1,
  height: (_, state, pen) => plan(pen, state).height,
  draw,
});
