// Plays frames that were sent once. Nothing goes back to the kernel: the position belongs to the page.
// A frame is an image of palette entries and a palette; either may be shared by all frames.
const RATES = [1, 2, 4, 6, 15, 30];

// The images: the first, then of each what differs from the one before (exclusive or).
async function readImages(view, [count, height, width]) {
  const images = await inflate(view, 0, count * height * width);
  const Unit = (height * width) % 4 ? Uint8Array : Uint32Array; // four bytes at a time where images end there
  const units = new Unit(images.buffer, 0, images.length / Unit.BYTES_PER_ELEMENT);
  const step = units.length / count;
  for (let i = step; i < units.length; i++) units[i] ^= units[i - step];
  return images;
}

// Layout of the bytes: length of the header (4 bytes), header in JSON, palettes, heights of the curve.
function readClip(view) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const length = view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const [palettes, colours] = header.palettes;
  const start = 4 + length;
  const end = start + palettes * colours * 3;
  const rgb = bytes.subarray(start, end);
  const entries = new Uint32Array(palettes * colours); // one little-endian RGBA word a colour
  for (let i = 0; i < entries.length; i++) {
    entries[i] = 0xff000000 | (rgb[3 * i + 2] << 16) | (rgb[3 * i + 1] << 8) | rgb[3 * i];
  }
  const curve = new Float32Array(bytes.slice(end).buffer);
  return { ...header, entries, curve, length: Math.max(header.images[0], palettes, curve.length) };
}

function button(parent, text, name, action) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.title = name;
  made.setAttribute("aria-label", name);
  made.addEventListener("click", action);
  parent.append(made);
  return made;
}

function drawCurve(canvas, clip, position) {
  const width = (canvas.width = Math.round(canvas.clientWidth * 2) || 800);
  const height = (canvas.height = 168);
  const pen = canvas.getContext("2d");
  const x = (index) => 20 + ((width - 40) * index) / Math.max(1, clip.length - 1);
  const y = (value) => height - 34 - (height - 68) * value;
  pen.fillStyle = "#ffffff";
  pen.fillRect(0, 0, width, height);
  pen.font = "22px system-ui, sans-serif";
  pen.fillStyle = "#555555";
  pen.fillText(clip.curve_top, 20, 24);
  pen.fillText(clip.curve_bottom, 20, height - 8);
  pen.strokeStyle = "#bbbbbb";
  pen.beginPath();
  pen.moveTo(x(0), y(0));
  pen.lineTo(x(clip.length - 1), y(0));
  pen.stroke();
  if (clip.best) {
    pen.strokeStyle = "#555555";
    pen.lineWidth = 2;
    pen.setLineDash([8, 6]);
    pen.beginPath();
    let best = 0;
    clip.curve.forEach((value, index) => {
      best = Math.max(best, value || 0);
      pen.lineTo(x(index), y(best));
    });
    pen.stroke();
    pen.setLineDash([]);
  }
  pen.strokeStyle = "#0072b2";
  pen.lineWidth = 3;
  pen.beginPath();
  let open = false;
  clip.curve.forEach((value, index) => {
    if (Number.isNaN(value)) return;
    if (open) pen.lineTo(x(index), y(value));
    else pen.moveTo(x(index), y(value));
    open = true;
  });
  pen.stroke();
  pen.strokeStyle = "#333333";
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(x(position), 30);
  pen.lineTo(x(position), height - 28);
  pen.stroke();
  const here = clip.curve[position];
  if (!Number.isNaN(here)) {
    pen.fillStyle = "#0072b2";
    pen.beginPath();
    pen.arc(x(position), y(here), 8, 0, 7);
    pen.fill();
  }
}

function render({ model, el }) {
  let clip = null;
  let images = null;
  let packed = null;
  let position = 0;
  let moved = false;
  let timer = null;
  let latest = 0;

  el.classList.add("pmp-player");
  el.setAttribute("data-lm-suppress-shortcuts", "true");
  const canvas = document.createElement("canvas");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  const curve = document.createElement("canvas");
  curve.className = "pmp-player-curve";
  curve.setAttribute("aria-hidden", "true");
  const tools = document.createElement("div");
  tools.className = "pmp-player-tools";
  const scrub = document.createElement("input");
  scrub.type = "range";
  scrub.min = 0;
  scrub.setAttribute("aria-label", model.get("unit"));
  const readout = document.createElement("output");
  const rate = document.createElement("select");
  rate.setAttribute("aria-label", `${model.get("unit")}s per second`);
  for (const value of RATES) rate.add(new Option(`${value} / s`, value, value === model.get("rate"), value === model.get("rate")));
  button(tools, "«", "first", () => go(0));
  button(tools, "‹", "step back", () => go(position - 1));
  const play = button(tools, "▶", "play", () => (timer ? pause() : start()));
  button(tools, "›", "step forward", () => go(position + 1));
  button(tools, "»", "last", () => go(clip.length - 1));
  tools.append(scrub, readout, rate);
  el.append(canvas, curve, tools);

  function draw() {
    if (!clip || !images) return;
    const [count, height, width] = clip.images;
    const [palettes, colours] = clip.palettes;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
      canvas.style.width = curve.style.maxWidth = tools.style.maxWidth = `${clip.width}px`;
    }
    const size = width * height;
    const first = Math.min(position, count - 1) * size;
    const table = clip.entries.subarray(Math.min(position, palettes - 1) * colours);
    const words = new Uint32Array(size);
    for (let i = 0; i < size; i++) words[i] = table[images[first + i]];
    canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(words.buffer), width, height), 0, 0);
    curve.style.display = clip.curve.length ? "block" : "none";
    if (clip.curve.length) drawCurve(curve, clip, position);
    scrub.max = clip.length - 1;
    scrub.value = position;
    readout.textContent = `${model.get("unit")} ${position} of ${clip.length - 1}`;
    canvas.setAttribute("aria-label", `${model.get("label")}, ${readout.textContent}`);
    canvas.dataset.drawn = Number(canvas.dataset.drawn ?? 0) + 1;
  }

  function go(target) {
    pause();
    moved = true;
    position = Math.min(clip.length - 1, Math.max(0, target));
    draw();
  }

  function start() {
    if (position >= clip.length - 1) position = 0;
    moved = true;
    draw();
    play.textContent = "❚❚";
    play.setAttribute("aria-label", "pause");
    const started = performance.now();
    const from = position;
    const next = (now) => {
      const wanted = Math.min(clip.length - 1, from + Math.floor(((now - started) / 1000) * Number(rate.value)));
      if (wanted !== position) {
        position = wanted;
        draw();
      }
      if (position >= clip.length - 1) pause();
      else timer = requestAnimationFrame(next);
    };
    timer = requestAnimationFrame(next);
  }

  function pause() {
    cancelAnimationFrame(timer);
    timer = null;
    play.textContent = "▶";
    play.setAttribute("aria-label", "play");
  }

  // Both parts arrive in one message. Unpacking new images takes a moment; only the newest clip is shown.
  async function receive() {
    const ticket = ++latest;
    if (!model.get("clip").byteLength) return;
    const source = model.get("images");
    const next = readClip(model.get("clip"));
    const fresh = source === packed ? images : await readImages(source, next.images);
    if (ticket !== latest) return;
    [clip, images, packed] = [next, fresh, source];
    position = moved ? Math.min(position, clip.length - 1) : clip.first;
    draw();
  }

  rate.addEventListener("change", () => timer && (pause(), start()));
  scrub.addEventListener("input", () => go(Number(scrub.value)));
  canvas.addEventListener("keydown", (event) => {
    const target = { ArrowLeft: position - 1, ArrowRight: position + 1, Home: 0, End: clip.length - 1 }[event.key];
    if (target !== undefined) go(target);
    else if (event.key === " ") play.click();
    else return;
    event.preventDefault();
  });
  let dragging = false;
  const seek = (event) => {
    const box = curve.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left - 10) / (box.width - 20)) * (clip.length - 1)));
  };
  curve.addEventListener("pointerdown", (event) => {
    curve.setPointerCapture(event.pointerId);
    dragging = true;
    seek(event);
  });
  curve.addEventListener("pointermove", (event) => dragging && seek(event));
  for (const end of ["pointerup", "pointercancel"]) curve.addEventListener(end, () => (dragging = false));
  for (const kind of ["keydown", "keyup", "keypress"]) {
    el.addEventListener(kind, (event) => event.stopPropagation());
  }

  model.on("change:clip", receive);
  const watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && draw());
  watcher.observe(canvas); // a page may drop what a canvas shows while it is scrolled away
  receive();
  return () => {
    pause();
    watcher.disconnect();
    model.off("change:clip", receive);
  };
}

export default { render };
