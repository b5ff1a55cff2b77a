// A grid of pixels to paint with mouse, finger or keys. One byte a pixel: 0 off, 1 on, 2 free.
const BRUSHES = [
  { value: 1, name: "on", key: "1" },
  { value: 0, name: "off", key: "0" },
  { value: 2, name: "free", key: "f" },
];
const NAMES = ["off", "on", "free"];
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function readPixels(model) {
  const view = model.get("pixels");
  return new Uint8Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

// Free pixels carry stripes, so that they differ from grey on any screen and in print.
function stripes(context, cell) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = cell / 2;
  const pen = tile.getContext("2d");
  pen.fillStyle = "#ececec";
  pen.fillRect(0, 0, tile.width, tile.height);
  pen.strokeStyle = "#adadad";
  pen.lineWidth = cell / 9;
  pen.beginPath();
  for (const shift of [-1, 0, 1]) {
    pen.moveTo((shift - 0.1) * tile.width, 1.1 * tile.height);
    pen.lineTo((shift + 1.1) * tile.width, -0.1 * tile.height);
  }
  pen.stroke();
  return context.createPattern(tile, "repeat");
}

function render({ model, el }) {
  const [rows, columns] = model.get("shape");
  const cell = model.get("cell") * 2; // two canvas pixels for a page pixel: sharp on dense screens
  let brush = 1;
  let cursor = [0, 0];
  let stroke = null;
  let pending = false;
  let pixels = readPixels(model);

  el.classList.add("pmp-painter");
  const canvas = document.createElement("canvas");
  canvas.width = columns * cell;
  canvas.height = rows * cell;
  canvas.style.width = `${(columns * cell) / 2}px`;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  const context = canvas.getContext("2d");
  const free = stripes(context, cell);
  const tools = document.createElement("div");
  tools.className = "pmp-painter-tools";
  tools.setAttribute("role", "group");
  tools.setAttribute("aria-label", "brush");
  el.append(canvas, tools);
  // JupyterLab and the classic notebook must not take these keys for their own shortcuts.
  el.setAttribute("data-lm-suppress-shortcuts", "true");

  function describe() {
    const [row, column] = cursor;
    const state = NAMES[pixels[row * columns + column]];
    canvas.setAttribute(
      "aria-label",
      `${model.get("label")}: row ${row + 1}, column ${column + 1} is ${state}. Arrows move, 1 paints on, 0 off, f free.`,
    );
  }

  function draw() {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        context.fillStyle = ["#ffffff", "#000000", free][pixels[row * columns + column]];
        context.fillRect(column * cell, row * cell, cell, cell);
      }
    }
    context.strokeStyle = "#c8c8c8";
    context.lineWidth = 1;
    context.beginPath();
    for (let row = 0; row <= rows; row++) {
      context.moveTo(0, row * cell);
      context.lineTo(columns * cell, row * cell);
    }
    for (let column = 0; column <= columns; column++) {
      context.moveTo(column * cell, 0);
      context.lineTo(column * cell, rows * cell);
    }
    context.stroke();
    if (document.activeElement === canvas && canvas.matches(":focus-visible")) {
      context.strokeStyle = "#0072b2";
      context.lineWidth = cell / 8;
      const [row, column] = cursor;
      context.strokeRect(column * cell + cell / 16, row * cell + cell / 16, cell * 0.875, cell * 0.875);
    }
    canvas.dataset.drawn = Number(canvas.dataset.drawn ?? 0) + 1;
    describe();
  }

  // One message per frame of the screen at most: a fast stroke is many pixels, one change.
  function send() {
    if (pending) return;
    pending = true;
    requestAnimationFrame(() => {
      pending = false;
      model.set("pixels", new DataView(pixels.slice().buffer));
      model.save_changes();
    });
  }

  function paint(row, column, value) {
    if (row < 0 || column < 0 || row >= rows || column >= columns) return;
    if (pixels[row * columns + column] === value) return;
    pixels[row * columns + column] = value;
    draw();
    send();
  }

  function at(event) {
    const box = canvas.getBoundingClientRect();
    return [
      Math.floor(((event.clientY - box.top) / box.height) * rows),
      Math.floor(((event.clientX - box.left) / box.width) * columns),
    ];
  }

  // The pointer may skip pixels: paint the whole way from where it was.
  function strokeTo(target) {
    const steps = Math.max(Math.abs(target[0] - stroke[0]), Math.abs(target[1] - stroke[1]), 1);
    for (let step = 0; step <= steps; step++) {
      const way = (from, to) => Math.round(from + ((to - from) * step) / steps);
      paint(way(stroke[0], target[0]), way(stroke[1], target[1]), brush);
    }
    stroke = target;
  }

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    stroke = at(event);
    strokeTo(stroke);
    event.preventDefault();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (stroke) strokeTo(at(event));
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (stroke = null));

  canvas.addEventListener("keydown", (event) => {
    const move = MOVES[event.key];
    const chosen = BRUSHES.find((one) => one.key === event.key);
    if (move) {
      cursor = [
        Math.min(rows - 1, Math.max(0, cursor[0] + move[0])),
        Math.min(columns - 1, Math.max(0, cursor[1] + move[1])),
      ];
      draw();
    } else if (chosen) {
      paint(...cursor, chosen.value);
    } else if (event.key === " " || event.key === "Enter") {
      paint(...cursor, brush);
    } else {
      return;
    }
    event.preventDefault();
  });
  for (const kind of ["keydown", "keyup", "keypress"]) {
    el.addEventListener(kind, (event) => event.stopPropagation());
  }
  canvas.addEventListener("focus", draw);
  canvas.addEventListener("blur", draw);

  const buttons = BRUSHES.map((one) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = one.name;
    button.className = `pmp-brush pmp-brush-${one.name}`;
    button.addEventListener("click", () => choose(one.value));
    return button;
  });
  const clear = document.createElement("button");
  clear.type = "button";
  clear.textContent = "all free";
  clear.addEventListener("click", () => {
    pixels.fill(2);
    draw();
    send();
  });
  tools.append(...buttons, clear);

  function choose(value) {
    brush = value;
    buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(BRUSHES[index].value === value)));
  }

  function fromKernel() {
    const received = readPixels(model);
    if (stroke || received.every((value, index) => value === pixels[index])) return;
    pixels = received;
    draw();
  }

  model.on("change:pixels", fromKernel);
  const watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && draw());
  watcher.observe(canvas); // a page may drop what a canvas shows while it is scrolled away
  choose(1);
  draw();
  return () => {
    watcher.disconnect();
    model.off("change:pixels", fromKernel);
  };
}

export default { render };
