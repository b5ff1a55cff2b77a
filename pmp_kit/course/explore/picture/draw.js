// @ts-check
// What a draw.js of an explorer imports: `import * as d from "../picture/draw.js"`. README.md shows how it is used.
import { View } from "./view.js";

/** @import { Model, Picture } from "./view.js" */

export { around } from "./marks.js";
export {
  axes,
  band,
  bars,
  curve,
  curves,
  dots,
  ends,
  heat,
  legend,
  outline,
  pointOn,
  region,
  rule,
  series,
  signOf,
} from "./plots.js";
export { addBrushes, board, FREE, NAMES, pixelsOf } from "./paint.js";
export { between, clamp, count, fixed, nats, num, rowsOf, signed, sub, sum, time, unpack } from "./numbers.js";
export { edge, fitted, LAYERS, LIMIT, message, residuals, sizesOf, variable } from "./graph.js";
export { append } from "./page.js";
export { mix, themeOf } from "./theme.js";
export { Pen } from "./pen.js";

/** What anywidget calls, and an exported page. @param {Picture} picture */
export function widget(picture) {
  return {
    picture, // for tests
    /** @param {{ model: Model, el: HTMLElement }} place */
    render(place) {
      const view = new View(place, picture);
      view.hear("change:frame", () => view.receive());
      view.hear("change:error", () => view.complain(view.model.get("error")));
      view.hear("change:painted", () => view.later());
      view.hear("change:lit", () => {
        view.lit = new Set(view.model.get("lit").split(" ").filter(Boolean));
        view.later();
      });
      view.guarded(() => view.receive())();
      return () => view.ends.abort();
    },
  };
}
