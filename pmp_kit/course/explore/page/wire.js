// @ts-check
// Reads what `squeeze` in wire.py packed: one bit for each block of 48 bytes, in words of 32 bits, then the bytes of the
// blocks whose bit is set; all of it deflated.
const BLOCK_WORDS = 48 / 4;

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
 * The differences from one image or row to the next, with the blocks of zeros in their places.
 * @param {DataView<ArrayBuffer>} view
 * @param {number} start
 * @param {number} length in bytes
 */
export async function readChanges(view, start, length) {
  const blocks = Math.ceil(length / BLOCK_WORDS / 4);
  const bitWords = Math.ceil(blocks / 32);
  const sent = new Uint32Array((await inflate(view, start, 4 * (bitWords + blocks * BLOCK_WORDS))).buffer);
  const words = new Uint32Array(blocks * BLOCK_WORDS);
  for (let block = 0, from = bitWords; block < blocks; block++) {
    if ((sent[block >> 5] >>> (block & 31)) & 1) {
      for (let k = block * BLOCK_WORDS; k < (block + 1) * BLOCK_WORDS; k++) words[k] = sent[from++];
    }
  }
  return new Uint8Array(words.buffer, 0, length);
}
