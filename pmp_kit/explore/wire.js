// The bytes of a view from `start` on, inflated to so many.
async function inflate(view, start, length) {
  const { writable, readable } = new DecompressionStream("deflate");
  const writer = writable.getWriter(); // a Blob's stream would go through another process
  writer.write(new Uint8Array(view.buffer, view.byteOffset + start, view.byteLength - start));
  writer.close();
  const bytes = new Uint8Array(length);
  const reader = readable.getReader(); // `for await` would be shorter, and Safari has learned it late
  for (let filled = 0, part; !(part = await reader.read()).done; filled += part.value.length) {
    bytes.set(part.value, filled);
  }
  return bytes;
}

