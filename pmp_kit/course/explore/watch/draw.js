// @ts-check
// Watch: the factor graph of any model after one sweep, and the residual after every sweep below it.
import * as d from "../picture/draw.js";

/** @import { Pen } from "../picture/pen.js" */
/** @import { View } from "../picture/view.js" */
/** @typedef {[string, string][]} Rows */
/** @typedef {number[]} Point */

const [TOP, CURVE, EDGE] = [30, 138, 40]; // CSS pixels: of the colour key, of the curve, around the graph
const [STEP, MOST] = [105, 1.05]; // CSS pixels between two places at scale 1; the largest scale
const LISTED = 8; // members of a factor, and scores of a variable, that a tip lists
const LABELS = 0.5; // the smallest scale at which variables have names

/** Where the graph is, and how large its parts are. @param {any} state @param {number} width */
function plan({ size, nearest }, width) {
  const tall = Math.max(200, Math.min(0.8 * width, 520));
  const fits = (/** @type {number} */ room, /** @type {number} */ length) => (length > 0 ? room / length : Infinity);
  const pitch = Math.min(fits(width - 2 * EDGE, size[0]), fits(tall - 2 * EDGE, size[1]), 130 / nearest, 320);
  const scale = d.clamp((pitch * nearest) / STEP, 0.16, MOST);
  const height = Math.max(pitch * size[1] + 2 * EDGE, 120);
  const corner = [(width - pitch * size[0]) / 2, TOP + (height - pitch * size[1]) / 2];
  return { pitch, scale, height, corner, ring: 27 * scale, disk: 18.5 * scale, half: 7 * scale + 1.5 };
}

/** @param {Pen} pen @param {any} state @param {View} view */
function draw(pen, state, view) {
  const { theme, width } = pen;
  const sizes = plan(state, width);
  pen.key({ x: width - 164, y: 2, w: 160 }, (share) => theme.diverging(2 * share - 1), ["−3: to 0", "nats", "3: to 1"]);
  const model = read(state, view, sizes);
  drawLines(pen, model);
  if (view.shown.has("messages")) drawMessages(pen, model);
  drawFactors(pen, model);
  drawVariables(pen, model);
  const box = { x: 50, y: TOP + sizes.height + 34, w: width - 66, h: CURVE - 62 };
  d.residuals(pen, view, box, state.residuals, (k) => [["score of the decoded states", scoreOf(state.scores[k])]]);
}

/** The state with names, places and numbers of the sweep that is shown. @param {any} state @param {View} view @param {ReturnType<typeof plan>} sizes */
function read(state, view, sizes) {
  const { frame, at } = view;
  const [count, links, planes] = [state.sizes.length, state.to.length, state.messages.shape[2]];
  const place = (/** @type {Float32Array} */ points, /** @type {number} */ k) =>
    [0, 1].map((axis) => sizes.corner[axis] + sizes.pitch * points[2 * k + axis]);
  const numbers = (/** @type {any} */ values, /** @type {number} */ row, /** @type {number} */ k, total = count) =>
    Array.from({ length: planes }, (_, plane) => values[(row * total + k) * planes + plane]);
  const message = (/** @type {number} */ link, sweep = frame) => numbers(state.messages, sweep, link, links);
  const belief = (/** @type {number} */ k, sweep = frame) => numbers(state.beliefs, sweep, k);
  const moving = (/** @type {(sweep: number) => number} */ value) => {
    const [low, high] = [Math.floor(at), Math.ceil(at)].map((sweep) =>
      d.clamp(value(sweep), -2 * d.LIMIT, 2 * d.LIMIT),
    );
    return low + (high - low) * (at - Math.floor(at));
  };
  const owned = /** @type {number[][]} */ (Array.from(state.names, () => []));
  state.of.forEach((/** @type {number} */ factor, /** @type {number} */ link) => owned[factor].push(link));
  return {
    state,
    view,
    sizes,
    count,
    owned,
    message,
    belief,
    moving,
    links: Array.from({ length: links }, (_, link) => link),
    binary: (/** @type {number} */ k) => state.sizes[k] === 2,
    name: (/** @type {number} */ k) => nameOf(state.blocks, k),
    variable: (/** @type {number} */ k) => place(state.places, k),
    square: (/** @type {number} */ factor) => place(state.places, count + factor),
    image: (/** @type {number} */ link) => place(state.images, link),
    neutral: (/** @type {number} */ link) => numbers(state.neutral, 0, link, links),
    noise: (/** @type {number} */ k) => numbers(state.noise, 0, k)[0],
    bias: (/** @type {number} */ k) => numbers(state.bias, 0, k)[0],
  };
}
/** @typedef {ReturnType<typeof read>} Model */

/** The name of a variable as in code: its block, and its place in it. @param {[string, number[]][]} blocks @param {number} k */
function nameOf(blocks, k) {
  for (const [name, shape] of blocks) {
    const size = shape.reduce((product, length) => product * length, 1);
    if (k >= size) {
      k -= size;
      continue;
    }
    const index = [];
    for (const length of [...shape].reverse()) {
      index.unshift(k % length);
      k = Math.floor(k / length);
    }
    return index.length ? `${name}[${index.join(", ")}]` : name;
  }
  return "";
}

const scoreOf = (/** @type {number} */ score) => (score === -Infinity ? "−∞: they are forbidden" : d.nats(score));
/** A cavity belief: infinite beliefs stay infinite. @param {number} belief @param {number} message */
const without = (belief, message) => (Number.isFinite(belief) ? belief - message : belief);

// ---------------------------------------------------------------------------------------------------- lines and arrows

/** The point from which an arrow starts or ends so that it keeps clear of a square as of a circle. @param {Point} square @param {Point} variable @param {Model["sizes"]} sizes */
function clear([x, y], [ax, ay], { ring, half }) {
  const [far, back] = [Math.hypot(x - ax, y - ay) || 1, ring - half];
  return [x + ((x - ax) / far) * back, y + ((y - ay) / far) * back];
}

/** @param {Pen} pen @param {Model} model */
function drawLines(pen, { state, owned, links, variable, square, image, name, message }) {
  for (const link of links) {
    if (state.other[link] < 0)
      pen.shape(pen.poly([...variable(state.to[link]), ...square(state.of[link])]), {
        stroke: pen.theme.faint,
        width: 1.5,
      });
  }
  owned.forEach(([first, second], factor) => {
    if (state.other[first] < 0) return;
    const [j, i] = [state.to[first], state.other[first]];
    const weight = state.weights[factor];
    const rows = () =>
      /** @type {Rows} */ ([
        ...(Number.isNaN(weight) ? [] : [["weight W", d.nats(weight)]]),
        [`m to ${name(j)}`, d.nats(message(first)[0])],
        [`m to ${name(i)}`, d.nats(message(second)[0])],
      ]);
    const told = {
      id: `factor ${factor}`,
      tip: () => ({ title: `${state.names[factor]}: ${name(i)}, ${name(j)}`, rows: rows() }),
    };
    d.edge(pen, variable(j), image(first), told);
    const wraps = Math.hypot(...image(first).map((x, axis) => x - variable(i)[axis])) > 1;
    if (wraps) d.edge(pen, variable(i), image(second), { ...told, id: `${told.id} again` });
  });
}

/** @param {Pen} pen @param {Model} model */
function drawMessages(pen, model) {
  const { state, sizes, links, variable, square, image, message, moving, neutral, binary } = model;
  const look = { ...sizes, ring: sizes.ring + 4 * sizes.scale - 5 }; // `message` leaves 5 pixels free
  for (const link of links) {
    const to = state.to[link];
    const place = variable(to);
    const pair = state.other[link] >= 0;
    const from = pair ? image(link) : clear(square(state.of[link]), place, sizes);
    const push = binary(to)
      ? moving((sweep) => message(link, sweep)[0] - neutral(link)[0])
      : moving((sweep) => spread(message(link, sweep)));
    const fill = binary(to) ? undefined : pen.theme.quiet;
    d.message(pen, from, place, look, push, { id: `message ${link}`, fill, tip: () => tipOfMessage(model, link) });
    if (pair) continue;
    const back = (/** @type {number} */ sweep) =>
      model.belief(to, sweep).map((value, plane) => without(value, message(link, sweep)[plane]));
    const strength = binary(to) ? moving((sweep) => back(sweep)[0]) : moving((sweep) => spread(back(sweep)));
    d.message(pen, place, from, look, strength, {
      id: `reply ${link}`,
      fill,
      tip: () => tipOfReply(model, link, back),
    });
  }
}

/** How much better the best state is than the second one. @param {number[]} scores */
function spread(scores) {
  const [best, second] = scores.filter((score) => !Number.isNaN(score)).sort((a, b) => b - a);
  return best === second ? 0 : best - second;
}

/** Log-odds in one row, or a row for each state of a variable with more. @param {string} name @param {number[]} values @param {boolean} binary @returns {Rows} */
function rowsOf(name, values, binary) {
  if (binary) return [[name, d.nats(values[0])]];
  const top = Math.max(...values.filter((value) => !Number.isNaN(value)));
  const states = values.map(
    (value, state) => /** @type {[string, string]} */ ([`${name}, state ${state}`, d.nats(value - top)]),
  );
  return states.filter((_, state) => !Number.isNaN(values[state]));
}

/** @param {Model} model @param {number} link */
function tipOfMessage({ state, view, name, message, neutral, belief, binary, owned }, link) {
  const [to, other, two] = [state.to[link], state.other[link], binary(state.to[link])];
  const from = other < 0 ? state.names[state.of[link]] : name(other);
  const now = message(link);
  const title = `message ${from} → ${name(to)}`;
  if (!two) return { title, rows: rowsOf("m", now, false) };
  const push = now[0] - neutral(link)[0];
  const reply = owned[state.of[link]].find((one) => one !== link) ?? link;
  const before = view.frame - 1;
  const rows = /** @type {Rows} */ ([
    ["m", d.nats(now[0])],
    ["neutral value", d.nats(neutral(link)[0])],
    [
      Math.abs(push) < 5e-4 ? "favours no state" : `favours ${name(to)} = ${push > 0 ? 1 : 0} by`,
      d.nats(Math.abs(push)),
    ],
    ...(other < 0
      ? []
      : [
          [
            "cavity, before this sweep",
            before < 0 ? "–" : d.nats(without(belief(other, before)[0], message(reply, before)[0])),
          ],
        ]),
    ["change in this sweep", before < 0 ? "–" : `${d.signed(changeOf(now[0], message(link, before)[0]))} nats`],
  ]);
  return { title, rows };
}

const changeOf = (/** @type {number} */ now, /** @type {number} */ before) => (now === before ? 0 : now - before);

/** @param {Model} model @param {number} link @param {(sweep: number) => number[]} back */
function tipOfReply({ state, view, name, message, belief, binary }, link, back) {
  const to = state.to[link];
  const title = `message ${name(to)} → ${state.names[state.of[link]]}`;
  if (!binary(to)) return { title, rows: rowsOf("m", back(view.frame), false) };
  const rows = /** @type {Rows} */ ([
    ["m, the belief without the reply", d.nats(back(view.frame)[0])],
    ["belief", d.nats(belief(to)[0])],
    ["reply of the factor", d.nats(message(link)[0])],
  ]);
  return { title, rows };
}

// ---------------------------------------------------------------------------------------------- factors and variables

/** @param {Pen} pen @param {Model} model */
function drawFactors(pen, { state, sizes, owned, square, name, message, binary }) {
  const { half } = sizes;
  owned.forEach((links, factor) => {
    if (state.other[links[0]] >= 0) return;
    const [x, y] = square(factor);
    pen.shape(pen.rect(x - half, y - half, 2 * half, 2 * half, 1), {
      fill: pen.theme.paper,
      stroke: pen.theme.ink,
      width: 1.5,
    });
    const rows = () => {
      const told = links.slice(0, LISTED).map((link) => {
        const [to, now] = [state.to[link], message(link)];
        const best = binary(to) ? d.nats(now[0]) : `${d.nats(spread(now))} for state ${now.indexOf(0)}`;
        return /** @type {[string, string]} */ ([`m to ${name(to)}`, best]);
      });
      const more = links.length - told.length;
      return more ? [...told, /** @type {[string, string]} */ (["further variables", `${more}`])] : told;
    };
    pen.mark({
      id: `factor ${factor}`,
      box: d.around(x, y, half + 2),
      tip: () => ({ title: state.names[factor], rows: rows() }),
    });
  });
}

/** @param {Pen} pen @param {Model} model */
function drawVariables(pen, model) {
  const { state, view, sizes, count, variable, name, belief, moving, binary, noise } = model;
  const { shown, at, frame } = view;
  for (let k = 0; k < count; k++) {
    const [x, y] = variable(k);
    const told = { id: `variable ${k}`, tip: () => tipOfVariable(model, k), outwards: [0, 1], name: "" };
    if (binary(k)) {
      const shows = {
        noise: shown.has("noise") ? noise(k) : undefined,
        belief: shown.has("beliefs") ? moving((sweep) => belief(k, sweep)[0]) : undefined,
        state: shown.has("states") ? d.between(state.states, at, k) : undefined,
      };
      d.variable(pen, k, [x, y], sizes, shows, told);
    } else {
      const sure = d.clamp(moving((sweep) => spread(belief(k, sweep))) / d.LIMIT);
      const fill = shown.has("beliefs") ? d.mix(pen.theme.paper, pen.theme.accent, 0.55 * sure) : pen.theme.paper;
      pen.shape(pen.disk(x, y, sizes.ring), { fill, stroke: pen.theme.quiet });
      if (shown.has("states"))
        pen.text(`${state.states[frame * count + k]}`, x, y + 1, {
          size: Math.max(9, 24 * sizes.scale),
          align: "center",
          base: "middle",
          colour: pen.theme.ink,
          weight: 600,
        });
      pen.mark({ id: told.id, box: d.around(x, y, sizes.ring), path: pen.disk(x, y, sizes.ring), tip: told.tip });
    }
    if (state.evidence[k] >= 0) pen.shape(pen.disk(x, y, sizes.ring + 1), { stroke: pen.theme.accent, width: 2.5 });
    if (sizes.scale >= LABELS) drawName(pen, name(k), [x, y], sizes.ring + 3, freeAngle(model, k));
  }
}

/** Write a name beside a circle, or below it where it has no room. @param {Pen} pen @param {string} name @param {Point} place @param {number} away @param {number} angle */
function drawName(pen, name, [x, y], away, angle) {
  const half = 3.3 * name.length; // about half of its width
  const wish = x + (away + half) * Math.cos(angle);
  const fits = wish >= half && wish <= pen.width - half;
  const [across, down] = fits ? [wish, (away + 8) * Math.sin(angle)] : [d.clamp(x, half, pen.width - half), away + 9];
  const look = /** @type {const} */ ({ align: "center", base: "middle", size: 11.5, halo: true });
  pen.text(name, across, y + down, { ...look, colour: pen.theme.ink });
}

/** The middle of the widest gap between the lines of a variable; of equal ones that at the lower right. @param {Model} model @param {number} k */
function freeAngle({ state, variable, square, image, links }, k) {
  const [x, y] = variable(k);
  const mine = links.filter((link) => state.to[link] === k);
  const angles = mine
    .map((link) => (state.other[link] < 0 ? square(state.of[link]) : image(link)))
    .map(([px, py]) => Math.atan2(py - y, px - x))
    .sort((a, b) => a - b);
  let [best, widest] = [Math.PI / 2, 0];
  angles.forEach((angle, number) => {
    const gap = (angles[number + 1] ?? angles[0] + 2 * Math.PI) - angle;
    const middle = angle + gap / 2;
    const liked = gap + 0.1 * Math.cos(middle - Math.PI / 4);
    if (liked > widest) [best, widest] = [middle, liked];
  });
  return best;
}

/** @param {Model} model @param {number} k */
function tipOfVariable({ state, view, count, name, belief, binary, bias, noise }, k) {
  const decoded = `${state.states[view.frame * count + k]}`;
  const known = /** @type {Rows} */ (state.evidence[k] < 0 ? [] : [["evidence", `state ${state.evidence[k]}`]]);
  const last = /** @type {Rows} */ ([["decoded state", decoded], ...known]);
  const now = belief(k);
  if (!binary(k))
    return { title: `variable ${name(k)}`, rows: [...rowsOf("belief", now, false).slice(0, 3 * LISTED), ...last] };
  const unary = bias(k) + noise(k);
  const sum = Number.isFinite(now[0] - unary) ? d.nats(now[0] - unary) : "–";
  const rows = /** @type {Rows} */ ([
    ["unary b", d.nats(bias(k))],
    ["noise ε(1) − ε(0)", d.nats(noise(k))],
    ["messages to it, sum", sum],
    ["belief", d.nats(now[0])],
    ...last,
  ]);
  return { title: `variable ${name(k)}`, rows };
}

export default d.widget({
  label: "Messages of max-product on a factor graph",
  unit: "sweep",
  layers: Object.fromEntries(
    ["states", "noise", "beliefs", "messages"].map((name) => [
      name,
      d.LAYERS[/** @type {keyof typeof d.LAYERS} */ (name)],
    ]),
  ),
  frames: (state) => state?.residuals.length ?? 1,
  height: (width, state) => TOP + plan(state, width).height + CURVE,
  draw,
});
