// The engine's module with other limits, so that tests can have it trap as it would on a machine that
// has less: what it does until then and afterwards is its own.

/**
 * The module with at most `pages` of memory, or with its stack beginning at `stack` (it grows downwards
 * to 0). Stands on nothing around it: pages take its text.
 */
export function limited(bytes, { pages, stack }) {
  // A module is a head of 8 bytes, then sections: a kind, a length and that many bytes. Numbers have
  // seven bits a byte, the lowest first.
  const number = (at) => {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      shift += 7;
    } while (byte & 128);
    return [value, at];
  };
  /** The last byte of a signed number is below 64. */
  const written = (n, last = 127) => {
    const out = [];
    for (; n > last; n = Math.floor(n / 128)) out.push((n % 128) | 128);
    return [...out, n];
  };
  const [MEMORY, GLOBALS] = [5, 6];
  const parts = [bytes.subarray(0, 8)];
  let found = 0;
  for (let at = 8; at < bytes.length;) {
    const kind = bytes[at];
    const [size, start] = number(at + 1);
    let body = bytes.subarray(start, start + size);
    if (kind === MEMORY && pages) {
      // One memory, without an end.
      if (body[0] !== 1 || body[1] !== 0) throw new Error("the memory has another shape");
      const [least] = number(start + 2);
      body = Uint8Array.from([1, 1, ...written(least), ...written(pages)]);
      found += 1;
    }
    if (kind === GLOBALS && stack) {
      // The first is where the stack begins: i32, mutable, i32.const.
      const head = number(start)[1];
      if (bytes[head] !== 0x7f || bytes[head + 1] !== 1 || bytes[head + 2] !== 0x41) {
        throw new Error("the first global has another shape");
      }
      const rest = bytes.subarray(number(head + 3)[1], start + size);
      body = Uint8Array.from([...bytes.subarray(start, head + 3), ...written(stack, 63), ...rest]);
      found += 1;
    }
    parts.push(Uint8Array.from([kind, ...written(body.length)]), body);
    at = start + size;
  }
  if (found !== 1) throw new Error("the module has another shape");
  return new Blob(parts).arrayBuffer();
}
