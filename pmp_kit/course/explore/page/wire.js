// What differs from one image or row to the next, as `squeeze` in wire.py packed it into the bytes of a view from `start`
// on: one bit a block of 48 bytes, in words of 32, then, of the blocks whose bit is set, the bytes; all of it deflated.
const BLOCK = 48 / 4; // words

async function inflate(view, start, length) {
  const { writable, readable } = new DecompressionStream("deflate");
  const writer = writable.getWriter(); // a Blob's stream would go through another process
  writer.write(new Uint8Array(view.buffer, view.byteOffset + start, view.byteLength - start));
  writer.close();
  const count = Math.ceil(length / BLOCK / 4);
  const bits = Math.ceil(count / 32);
  const sent = new Uint8Array(4 * (bits + count * BLOCK)); // at most
  const reader = readable.getReader(); // `for await` would be shorter, and Safari has learned it late
  for (let filled = 0, part; !(part = await reader.read()).done; filled += part.value.length) {
    sent.set(part.value, filled);
  }
  const told = new Uint32Array(sent.buffer);
  const words = new Uint32Array(count * BLOCK);
  for (let block = 0, from = bits; block < count; block++) {
    if ((told[block >> 5] >>> (block & 31)) & 1) {
      for (let k = block * BLOCK; k < (block + 1) * BLOCK; k++) words[k] = told[from++];
    }
  }
  return new Uint8Array(words.buffer, 0, length);
}
