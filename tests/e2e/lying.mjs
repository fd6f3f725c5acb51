// Parquet files of four whole numbers that say of their sizes whatever they are told to, those that
// have any columns, and what a table without columns is in Arrow.

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
/** Items of one type; more than fourteen are counted after the head, seven bits a byte. */
function list(items, type = items[0]?.[0]) {
  const many = [
    15 << 4,
    (items.length & 127) | 128,
    ((items.length >> 7) & 127) | 128,
    items.length >> 14,
  ];
  const [head, ...count] = items.length < 15 ? [items.length << 4] : many;
  return [9, [head | type, ...count, ...items.flatMap(([, of]) => of)]];
}
function struct(fields) {
  const bytes = [];
  let before = 0;
  for (const [id, [type, value]] of Object.entries(fields)) {
    bytes.push(((id - before) << 4) | type);
    for (const byte of value) bytes.push(byte);
    before = Number(id);
  }
  return [12, [...bytes, 0]];
}

const CODECS = { none: 0, snappy: 1, gzip: 2, zstd: 6, lz4: 7 };
const INT32 = int(1);
const PLAIN = int(0);
const LEVELS = int(3);

const MARK = Buffer.from("PAR1");
const STRUCT = 12;

/** The end of a file: its columns by name, `rows`, and the parts of its only group. */
function ending(names, rows, parts, bytes) {
  const footer = struct({
    1: int(1),
    2: list([
      struct({ 4: text("schema"), 5: int(names.length) }),
      ...names.map((name) => struct({ 1: INT32, 3: int(0), 4: text(name) })),
    ]),
    3: long(rows),
    4: list([struct({ 1: list(parts, STRUCT), 2: long(bytes), 3: long(rows) })]),
  })[1];
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from(footer), length, MARK]);
}

/** The head of a page, and the part of a column that begins `at` a place and has that page alone. */
function column(name, at, codec, data, said = {}) {
  const page = struct({
    1: int(0),
    2: int(said.page ?? 16),
    3: int(said.packed ?? data.length),
    5: struct({ 1: int(said.values ?? 4), 2: PLAIN, 3: LEVELS, 4: LEVELS }),
  })[1];
  const part = struct({
    1: INT32,
    2: list([PLAIN]),
    3: list([text(name)]),
    4: int(CODECS[codec]),
    5: long(said.all ?? 4),
    6: long(said.bytes ?? 64),
    7: long(said.part ?? page.length + data.length),
    9: long(at),
  });
  return { page: Buffer.from(page), part: struct({ 2: long(at), 3: part }) };
}

/**
 * A file of one column and one page. `data` is the page as it is packed by `codec`; `said` has
 * `page` and `packed` (bytes of the page, unpacked and not), `values` (of the page), `all` (values of
 * the column's part), `bytes` and `part` (its bytes, unpacked and not), `rows`.
 */
export function lying(codec, data, said = {}) {
  const { page, part } = column("a", MARK.length, codec, data, said);
  return Buffer.concat([MARK, page, data, ending(["a"], said.rows ?? 4, [part], said.bytes ?? 64)]);
}

/** A sound file of columns with these names, each of them 0, 1, 2, 3. */
export function columns(names) {
  const data = Buffer.from(Int32Array.of(0, 1, 2, 3).buffer);
  const parts = [];
  const pieces = [MARK];
  let at = MARK.length;
  for (const name of names) {
    const { page, part } = column(name, at, "none", data);
    parts.push(part);
    pieces.push(page, data);
    at += page.length + data.length;
  }
  return Buffer.concat([...pieces, ending(names, 4, parts, 64 * names.length)]);
}

/** An Arrow stream without columns: of so many rows, or with no batch at all. */
export function bare(rows) {
  const message = (kind, length, fill) => {
    const bytes = Buffer.alloc(8 + length);
    bytes.writeUInt32LE(0xffffffff, 0);
    bytes.writeUInt32LE(length, 4);
    const at = bytes.subarray(8);
    // Where the message is, which fields it has and where: version, kind, content.
    at.writeUInt32LE(16, 0);
    [10, 12, 4, 6, 8].forEach((n, i) => at.writeUInt16LE(n, 4 + 2 * i));
    at.writeInt32LE(12, 16);
    at.writeInt16LE(4, 20);
    at.writeUInt8(kind, 22);
    fill(at);
    return bytes;
  };
  // A schema with a list of fields that has none.
  const schema = message(1, 48, (at) => {
    at.writeUInt32LE(12, 24);
    [8, 8, 0, 4].forEach((n, i) => at.writeUInt16LE(n, 28 + 2 * i));
    at.writeInt32LE(8, 36);
    at.writeUInt32LE(4, 40);
  });
  // A batch with a length, no nodes and no buffers.
  const batch = message(3, 72, (at) => {
    at.writeUInt32LE(16, 24);
    [10, 20, 8, 4, 16].forEach((n, i) => at.writeUInt16LE(n, 28 + 2 * i));
    at.writeInt32LE(12, 40);
    at.writeUInt32LE(16, 44);
    at.writeBigInt64LE(BigInt(rows ?? 0), 48);
    at.writeUInt32LE(12, 56);
  });
  const end = Buffer.of(255, 255, 255, 255, 0, 0, 0, 0);
  return Buffer.concat(rows === undefined ? [schema, end] : [schema, batch, end]);
}
