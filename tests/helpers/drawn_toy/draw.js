// @ts-check
import * as d from "../picture/draw.js";

const scales = (pen) =>
  d.axes(pen, { x: 40, y: 30, w: pen.width - 60, h: 60 }, { range: [-1, 2] }, { range: [0, 110], title: "values" });

export default d.widget({
  label: "Two bars",
  height: () => 160,
  frames: (state) => state?.values.shape[0] ?? 1,
  unit: "step",
  layers: { bars: '<rect x="4" y="4" width="12" height="12"/>', names: "<path/>" },
  draw(pen, state, view) {
    if (state.kind === "a" && state.number === 13) throw new Error("planted in draw");
    const axes = scales(pen);
    const values = [0, 1].map((k) => d.between(state.values, view.at, k));
    if (view.shown.has("bars"))
      d.bars(pen, axes, values, { fill: () => pen.theme.accent }, {
        id: "bar",
        tip: (k) => ({ title: `bar b_{${k}}`, rows: [["value", d.nats(state.values[2 * view.frame + k])]] }),
        parts: "bars",
      });
    pen.mark({
      id: "pad",
      box: { x: 40, y: 110, w: 100, h: 40 },
      rows: 2,
      cols: 5,
      tip: (row, col) => ({ title: `cell ${row} ${col}` }),
      press: (row, col) => (window.pressed ??= []).push([row, col]),
    });
    pen.shape(pen.rect(40, 110, 100, 40), { stroke: pen.theme.quiet });
  },
});
