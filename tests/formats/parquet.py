"""Parquet files of other programs, and what other readers see in them; see make.py, which calls this.

They have a folder of their own: the reader is a module of its own, and the whole way through it is
tested in Chromium.
"""

import decimal
import math
import pathlib
import random

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import readers
from readers import BASE, DUCK, ROWS, arrow, by_duckdb, by_polars, by_pyarrow, frame

HERE = pathlib.Path(__file__).parent / "parquet"


def parquet_files():
    files, expected = HERE / "files", HERE / "expected"
    for folder in [files, expected]:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()

    def expect(path, note, columns, kinds=None):
        readers.expect(path.name, note, columns, kinds=kinds, folder=expected)

    def duck(path):
        return by_duckdb(f"SELECT * FROM read_parquet('{path}')")

    for codec in ["none", "snappy", "gzip", "zstd", "lz4", "brotli"]:
        path = files / f"pyarrow-{codec}.parquet"
        pq.write_table(arrow(), path, compression=codec, row_group_size=10)
        expect(path, f"pyarrow write_table {codec}, read by DuckDB", duck(path))

    path = files / "pyarrow-v2-pages.parquet"
    pq.write_table(arrow(), path, version="2.6", data_page_version="2.0", data_page_size=64,
                   compression="snappy", write_page_index=True, write_page_checksum=True)
    expect(path, "pyarrow write_table with pages of version 2, read by DuckDB", duck(path))

    path = files / "pyarrow-encodings.parquet"
    pq.write_table(arrow(), path, version="2.6", use_dictionary=False, column_encoding={
        "timestamp": "DELTA_BINARY_PACKED", "id": "DELTA_BINARY_PACKED", "n": "DELTA_BINARY_PACKED",
        "price": "BYTE_STREAM_SPLIT", "item": "DELTA_BYTE_ARRAY", "shop": "DELTA_LENGTH_BYTE_ARRAY",
        "paid": "RLE", "day": "PLAIN",
    })
    expect(path, "pyarrow write_table with all encodings, read by DuckDB", duck(path))

    path = files / "pyarrow-int96.parquet"
    pq.write_table(arrow(["timestamp", "n"]), path, use_deprecated_int96_timestamps=True)
    expect(path, "pyarrow write_table with moments of 96 bits, read by DuckDB", duck(path))

    exact = [decimal.Decimal(i * 12345) / 100 if i % 4 else None for i in range(ROWS)]
    numbers = pa.table({
        "i8": pa.array([i - 12 for i in range(ROWS)], pa.int8()),
        "i16": pa.array([i * 1000 for i in range(ROWS)], pa.int16()),
        "u8": pa.array([i * 10 for i in range(ROWS)], pa.uint8()),
        "u32": pa.array([i * 170_000_000 for i in range(ROWS)], pa.uint32()),
        "u64": pa.array([i * 10**15 for i in range(ROWS)], pa.uint64()),
        "f16": pa.array([i / 4 for i in range(ROWS)], pa.float16()),
        "f32": pa.array([i / 4 for i in range(ROWS)], pa.float32()),
        "f64": pa.array([None if i == 3 else math.inf if i == 4 else -i / 3 for i in range(ROWS)]),
        "d9": pa.array(exact, pa.decimal128(9, 2)),
        "d18": pa.array(exact, pa.decimal128(18, 2)),
        "d38": pa.array(exact, pa.decimal128(38, 2)),
        "nothing": pa.nulls(ROWS),
    })
    path = files / "pyarrow-numbers.parquet"
    pq.write_table(numbers, path, store_decimal_as_integer=True)
    expect(path, "pyarrow write_table of all widths, read by polars", by_polars(pl.read_parquet(path)))

    moments = [v["timestamp"].replace(microsecond=v["id"] % 1000) for v in BASE]
    times = pa.table({
        "timestamp": pa.array([v["timestamp"] for v in BASE], pa.timestamp("ms")),
        "us": pa.array([None, *moments[1:]], pa.timestamp("us")),
        "ns": pa.array(moments, pa.timestamp("ns")),
        "utc": pa.array(moments, pa.timestamp("us", "UTC")),
        "berlin": pa.array(moments, pa.timestamp("us", "Europe/Berlin")),
        "date": pa.array([v["day"] for v in BASE], pa.date32()),
    })
    path = files / "pyarrow-times.parquet"
    pq.write_table(times, path, version="2.6")
    expect(path, "pyarrow write_table of all units of time, read by polars",
           by_polars(pl.read_parquet(path)))

    nested = pa.Table.from_pylist([
        {
            "id": i,
            "place": None if i == 2 else {"city": ["Rome", "Минск"][i % 2], "at": {"x": i / 2, "y": -i}},
            "tags": None if i == 3 else ["a", "b", "c"][: i % 4],
            "xs": [1.5 * i, None],
        }
        for i in range(8)
    ])
    path = files / "pyarrow-nested.parquet"
    pq.write_table(nested, path)
    expect(path, "pyarrow write_table of structs and lists, read by polars",
           by_polars(pl.read_parquet(path)))

    path = files / "pyarrow-no-rows.parquet"
    pq.write_table(arrow().slice(0, 0), path)
    expect(path, "pyarrow write_table of no rows, read by pyarrow", by_pyarrow(pq.read_table(path)),
           kinds={"timestamp": "timestamp", "day": "date", "id": "int", "n": "int",
                  "price": "float", "paid": "bool"})

    # a text column by codes in the first group alone: its values are too many for a dictionary later
    table = pa.table({"k": [f"{'x' * 40}{i}" if i > 300 else "abc"[i % 3] for i in range(1200)]})
    path = files / "pyarrow-half-dictionary.parquet"
    pq.write_table(table, path, row_group_size=300, dictionary_pagesize_limit=400,
                   data_page_size=400, compression="zstd")
    expect(path, "pyarrow write_table with some dictionaries, read by DuckDB", duck(path))

    path = files / "pandas.parquet"
    frame().set_index("timestamp").to_parquet(path)
    expect(path, "pandas to_parquet with an index, read by DuckDB", duck(path))

    path = files / "pandas-categories.parquet"
    df = frame(["n", "item", "shop"])
    df[["item", "shop"]] = df[["item", "shop"]].astype("category")
    df.to_parquet(path)
    expect(path, "pandas to_parquet of categories, read by polars", by_polars(pl.read_parquet(path)))

    for codec in ["zstd", "uncompressed", "lz4"]:
        path = files / f"polars-{codec}.parquet"
        pl.from_arrow(arrow()).write_parquet(path, compression=codec, row_group_size=7)
        expect(path, f"polars write_parquet {codec}, read by DuckDB", duck(path))

    for codec in ["snappy", "zstd", "gzip", "lz4_raw", "brotli", "uncompressed"]:
        path = files / f"duckdb-{codec}.parquet"
        DUCK.execute(f"COPY base TO '{path}' (FORMAT parquet, COMPRESSION {codec})")
        expect(path, f"DuckDB COPY {codec}, read by pyarrow", by_pyarrow(pq.read_table(path)))

    path = files / "duckdb-v2.parquet"
    DUCK.execute(f"""COPY (SELECT id, n, price, item, n::DECIMAL(9,3) AS exact, n::HUGEINT AS huge,
        [n, n + 1] AS pair, {{'shop': shop, 'paid': paid}} AS at FROM base)
        TO '{path}' (FORMAT parquet, PARQUET_VERSION v2)""")
    columns = by_pyarrow(pq.read_table(path))
    expect(path, "DuckDB COPY of version 2, read by pyarrow", columns)

    # one that is much longer than its end, of several groups
    rng = random.Random(3)
    long = pa.table({"n": range(20_000), "noise": [rng.random() for _ in range(20_000)]})
    pq.write_table(long, HERE / "long.parquet", row_group_size=5000, use_dictionary=False,
                   compression="none", column_encoding={"n": "DELTA_BINARY_PACKED"})

    sizes = {p.name: p.stat().st_size for p in files.iterdir()}
    assert max(sizes.values()) < 20_000, sizes
    assert {f"{n}.txt" for n in sizes} == {p.name for p in expected.iterdir()}
    print(len(sizes), "Parquet files,", sum(sizes.values()), "bytes")
