// @ts-check
// Reads what `squeeze` in wire.py packed: one bit for each block of 48 bytes, in words of 32 bits, then the bytes of the
// blocks whose bit is set; all of it deflated.
const BLOCK = 48; // bytes

/**
 * Inflate the bytes of a view from `start` on.
 * @param {DataView<ArrayBuffer>} view
 * @param {number} start
 * @param {number} most bytes that can come out
 */
async function inflate(view, start, most) {
  const { writable, readable } = new DecompressionStream("deflate");
  const writer = writable.getWriter(); // a Blob's stream would go through another process
  writer.write(new Uint8Array(view.buffer, view.byteOffset + start, view.byteLength - start));
  writer.close();
  const bytes = new Uint8Array(most);
  const reader = readable.getReader(); // `for await` would be shorter, but older Safari lacks it
  for (let filled = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return bytes;
    bytes.set(value, filled);
    filled += value.length;
  }
}

/**
 * The images or rows, from their differences: each is a copy of the one before, in which the kept blocks change.
 * @param {DataView<ArrayBuffer>} view
 * @param {number} start
 * @param {number} count of images or rows
 * @param {number} size of each, in bytes
 */
export async function expand(view, start, count, size) {
  const Unit = size % 4 ? Uint8Array : Uint32Array; // four bytes at a time where images end there
  const [perBlock, step] = [BLOCK / Unit.BYTES_PER_ELEMENT, size / Unit.BYTES_PER_ELEMENT];
  const blocks = Math.ceil((count * size) / BLOCK);
  const bitBytes = 4 * Math.ceil(blocks / 32);
  const sent = (await inflate(view, start, bitBytes + blocks * BLOCK)).buffer;
  const [bits, changes] = [new Uint32Array(sent, 0, bitBytes / 4), new Unit(sent, bitBytes)];
  const units = new Unit(blocks * perBlock);
  let next = step; // where the first image starts that is not yet a copy
  const copyUntil = (/** @type {number} */ end) => {
    for (; next < end; next += step) units.copyWithin(next, next - step, next);
  };
  for (let block = 0, from = 0; block < blocks; block++) {
    if (!((bits[block >> 5] >>> (block & 31)) & 1)) continue;
    for (let k = block * perBlock; k < (block + 1) * perBlock; k++) {
      if (k >= next) copyUntil(k + 1);
      units[k] ^= changes[from++];
    }
  }
  copyUntil(count * step);
  return new Uint8Array(units.buffer, 0, count * size);
}
