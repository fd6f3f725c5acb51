// Whether a module was built for SIMD, by what its functions hold.

const [CODE, V128] = [10, 0x7b];

/** Numbers, vectors, functions and other references: the types that the compiler writes in a byte. */
const TYPES = [0x7f, 0x7e, 0x7d, 0x7c, V128, 0x70, 0x6f];

/** How many functions a module has, and how many of them have a variable of 128 bits. */
export function vectors(bytes) {
  // The layout is told in wasm-limits.mjs; a body is its length, then its variables as pairs of how
  // many and of which type.
  let at = 8;
  const number = () => {
    let [value, scale, byte] = [0, 1, 0];
    do {
      byte = bytes[at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte & 128);
    return value;
  };
  const found = { functions: 0, wide: 0 };
  while (at < bytes.length) {
    const kind = bytes[at++];
    const next = number() + at;
    if (kind === CODE) {
      found.functions = number();
      for (let i = 0; i < found.functions; i += 1) {
        const end = number() + at;
        let wide = false;
        for (let groups = number(); groups > 0; groups -= 1) {
          number();
          const type = bytes[at++];
          if (!TYPES.includes(type)) throw new Error(`a variable of type ${type}`);
          wide ||= type === V128;
        }
        if (wide) found.wide += 1;
        at = end;
      }
      if (at !== next) throw new Error("the functions have another shape");
    }
    at = next;
  }
  return found;
}
