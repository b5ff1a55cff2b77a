// Shows one picture on a canvas. The bytes: height and width (4 bytes each), then the rows as `inflate` takes them, red,
// green and blue of every pixel: the first row, then of each what differs from the one above (exclusive or).
async function read(view) {
  const [height, width] = [view.getUint32(0, true), view.getUint32(4, true)];
  const bytes = await inflate(view, 8, 3 * height * width);
  const words = new Uint32Array(height * width); // one little-endian RGBA word a pixel
  let at = 0;
  for (let k = 0; k < width; k++, at += 3) {
    words[k] = 0xff000000 | (bytes[at + 2] << 16) | (bytes[at + 1] << 8) | bytes[at];
  }
  for (let k = width; k < words.length; k++, at += 3) {
    words[k] = words[k - width] ^ ((bytes[at + 2] << 16) | (bytes[at + 1] << 8) | bytes[at]);
  }
  return new ImageData(new Uint8ClampedArray(words.buffer), width, height);
}

function render({ model, el }) {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  el.classList.add("pmp-still");
  el.append(canvas);
  let picture = null;
  let arrived = 0;
  let shown = 0;

  function draw() {
    if (!picture) return;
    if (canvas.width !== picture.width || canvas.height !== picture.height) {
      canvas.width = picture.width;
      canvas.height = picture.height;
    }
    canvas.getContext("2d").putImageData(picture, 0, 0);
    canvas.dataset.drawn = shown;
  }

  // Reading takes a moment; a picture that is ready after a newer one is dropped.
  async function receive() {
    const view = model.get("image");
    if (!view.byteLength) return;
    const ticket = ++arrived;
    const ready = await read(view);
    if (ticket < shown) return;
    [picture, shown] = [ready, ticket];
    draw();
  }

  model.on("change:image", receive);
  const watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && draw());
  watcher.observe(canvas); // a page may drop what a canvas shows while it is scrolled away
  receive();
  return () => {
    watcher.disconnect();
    model.off("change:image", receive);
  };
}

export default { render };
