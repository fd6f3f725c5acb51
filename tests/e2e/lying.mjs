// Parquet files of four whole numbers that say of their sizes whatever they are told to.

/** Numbers in zigzag, seven bits a byte. */
function number(n) {
  let rest = BigInt(n) >= 0n ? BigInt(n) * 2n : -BigInt(n) * 2n - 1n;
  const bytes = [];
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

// Thrift's compact form: a value is `[type, bytes]`, a structure its fields by number.
const int = (n) => [5, number(n)];
const long = (n) => [6, number(n)];
const text = (t) => [8, [t.length, ...Buffer.from(t)]];
const list = (items) => [9, [(items.length << 4) | items[0][0], ...items.flatMap(([, of]) => of)]];
function struct(fields) {
  const bytes = [];
  let before = 0;
  for (const [id, [type, value]] of Object.entries(fields)) {
    bytes.push(((id - before) << 4) | type, ...value);
    before = Number(id);
  }
  return [12, [...bytes, 0]];
}

const CODECS = { none: 0, snappy: 1, gzip: 2, zstd: 6, lz4: 7 };
const INT32 = int(1);
const PLAIN = int(0);
const LEVELS = int(3);

/**
 * A file of one column and one page. `data` is the page as it is packed by `codec`; `said` has
 * `page` and `packed` (bytes of the page, unpacked and not), `values` (of the page), `all` (values of
 * the column's part), `bytes` and `part` (its bytes, unpacked and not), `rows`.
 */
export function lying(codec, data, said = {}) {
  const page = struct({
    1: int(0),
    2: int(said.page ?? 16),
    3: int(said.packed ?? data.length),
    5: struct({ 1: int(said.values ?? 4), 2: PLAIN, 3: LEVELS, 4: LEVELS }),
  })[1];
  const part = struct({
    1: INT32,
    2: list([PLAIN]),
    3: list([text("a")]),
    4: int(CODECS[codec]),
    5: long(said.all ?? 4),
    6: long(said.bytes ?? 64),
    7: long(said.part ?? page.length + data.length),
    9: long(4),
  });
  const rows = long(said.rows ?? 4);
  const column = struct({ 2: long(4), 3: part });
  const footer = struct({
    1: int(1),
    2: list([
      struct({ 4: text("schema"), 5: int(1) }),
      struct({ 1: INT32, 3: int(0), 4: text("a") }),
    ]),
    3: rows,
    4: list([struct({ 1: list([column]), 2: long(said.bytes ?? 64), 3: rows })]),
  })[1];
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  const mark = Buffer.from("PAR1");
  return Buffer.concat([mark, Buffer.from(page), data, Buffer.from(footer), length, mark]);
}
