"""Golden files of other programs, and what other readers see in them.

Writes `files/` with pandas, pyarrow, DuckDB, polars, numpy, R and LibreOffice, and for each file
`expected/<file>.txt`: the table as a reader of another make than the writer sees it, or the values
that R and LibreOffice were given; the same for Parquet in `parquet/`. A file is named after what made
it: no Excel was at hand, and the `script-*` files in the shapes of its exports are written by Python.

The tests need neither this script nor Python. Made with duckdb 2.0.0, numpy 2.4, openpyxl 3.1.5,
pandas 3.1.1, polars 2.1.0, pyarrow 26.0.1, zstandard 0.25.0, R 4.2.2, data.table 1.14.8, LibreOffice
7.4.7; run it as `python3 -B tests/formats/make.py` after
`pip install duckdb numpy openpyxl pandas polars pyarrow pytz zstandard` and
`apt-get install --no-install-recommends r-base-core r-cran-data.table libreoffice-calc-nogui`.

An expected file has lines of `// ` that say who wrote and who read, `//options ` with the options of
the load, one line of `name:kind` cells and a line for each row: cells are separated by tabs, `∅` is
null, text is a JSON string, floats are as Python writes them, moments are ISO without a zone, in UTC.

Where the rules of this package differ from the reader's, the case below says so and applies the rule.
"""

import csv
import decimal
import gzip
import io
import json
import math
import shutil
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.ipc
import pyarrow.json
import zstandard

from parquet import parquet_files
from r import r_files
from readers import (
    BASE, DUCK, EXPECTED, FILES, HERE, NAMES, ROWS, arrow, by_duckdb, by_pandas, by_polars,
    by_pyarrow, change, duckdb_csv, expect, frame, pandas_csv, put, pyarrow_csv, rename,
)
from scripted import script_files
from spreadsheet import libreoffice_files


# pandas

def pandas_files():
    path = FILES / "pandas-default.csv"
    frame().to_csv(path, index=False)
    expect(path.name, "pandas to_csv, read by DuckDB", duckdb_csv(path))

    path = FILES / "pandas-index.csv"
    frame(["n", "item"]).to_csv(path)
    # a column without a name is called by its number
    expect(path.name, "pandas to_csv with its index, read by pyarrow",
           rename(pyarrow_csv(path), **{"": "column_1"}))

    path = FILES / "pandas-decimal-comma.csv"
    frame().to_csv(path, index=False, sep=";", decimal=",", lineterminator="\r\n")
    expect(path.name, "pandas to_csv with decimal comma, read by pyarrow",
           pyarrow_csv(path, parse={"delimiter": ";"}, convert={"decimal_point": ","}))

    path = FILES / "pandas-na.tsv"
    frame().to_csv(path, index=False, sep="\t", na_rep="NA")
    columns = duckdb_csv(path, sep="\t", nullstr="NA")
    # `NA` is missing in all columns but those of text, where it is a text
    columns["item"] = ["NA" if v is None else v for v in columns["item"]]
    expect(path.name, "pandas to_csv with tabs and NA, read by DuckDB", columns)

    path = FILES / "pandas-nan-words.csv"
    df = pd.DataFrame({"x": [1.5, math.nan, math.inf, -math.inf, -0.0, 1e-300, 1e300, 0.1 + 0.2],
                       "i": [1, 2, 3, 4, 5, 6, 7, 8]})
    df.to_csv(path, index=False, na_rep="NaN")
    # what is infinite is missing
    expect(path.name, "pandas to_csv with NaN and inf, read by pyarrow",
           pyarrow_csv(path, convert={"null_values": ["NaN"]}))

    path = FILES / "pandas-quote-all.csv"
    frame().to_csv(path, index=False, quoting=csv.QUOTE_ALL)
    expect(path.name, "pandas to_csv with all quoted, read by pyarrow", pyarrow_csv(path))

    path = FILES / "pandas-float-format.csv"
    frame(["price", "shop"]).to_csv(path, index=False, float_format="%.3e")
    expect(path.name, "pandas to_csv with exponents, read by DuckDB", duckdb_csv(path))

    path = FILES / "pandas-utf16.csv"
    frame().to_csv(path, index=False, encoding="utf-16")
    copy = put("copy.csv", path.read_bytes().decode("utf-16"))
    expect(path.name, "pandas to_csv in UTF-16, decoded by Python and read by DuckDB",
           duckdb_csv(copy))
    copy.unlink()

    path = FILES / "pandas-utf16be.tsv"
    frame().to_csv(copy, index=False, sep="\t")
    put(path.name, b"\xfe\xff" + copy.read_bytes().decode().encode("utf-16-be"))
    expect(path.name, "pandas to_csv in UTF-16 with the high byte first, read by DuckDB",
           duckdb_csv(copy, sep="\t"))
    copy.unlink()

    path = FILES / "pandas-day-first.csv"
    frame(["timestamp", "n"]).to_csv(path, index=False, date_format="%d.%m.%Y %H:%M:%S")
    expect(path.name, "pandas to_csv with the day first, read by DuckDB",
           duckdb_csv(path, timestampformat="%d.%m.%Y %H:%M:%S"))

    path = FILES / "pandas-month-first.csv"
    frame(["timestamp", "n"]).to_csv(path, index=False, date_format="%m/%d/%Y %I:%M:%S %p")
    expect(path.name, "pandas to_csv with the month first, read by DuckDB",
           duckdb_csv(path, timestampformat="%m/%d/%Y %I:%M:%S %p"))

    path = FILES / "pandas-month-names.csv"
    df = frame(["timestamp", "n"])
    df["timestamp"] = df["timestamp"].dt.normalize()
    df.to_csv(path, index=False, date_format="%d %b %Y")
    expect(path.name, "pandas to_csv with names of months, read by DuckDB",
           duckdb_csv(path, dateformat="%d %b %Y"))

    path = FILES / "pandas-zone.csv"
    df = frame(["timestamp", "n"])
    df["timestamp"] = df["timestamp"].dt.tz_localize("Europe/Berlin")
    df.to_csv(path, index=False)
    expect(path.name, "pandas to_csv with a zone, read by DuckDB",
           duckdb_csv(path, types={"timestamp": "TIMESTAMPTZ"}))

    path = FILES / "pandas-nanoseconds.csv"
    df = pd.DataFrame({"ts": pd.date_range("2024-01-02 09:30", periods=5, freq="1500001ns"),
                       "x": range(5)})
    df.to_csv(path, index=False)
    columns = by_duckdb(f"SELECT ts::TIMESTAMP ts, x FROM read_csv('{path}', types = "
                        "{'ts': 'TIMESTAMP_NS'})")
    # cut to microseconds, not rounded
    expect(path.name, "pandas to_csv with nanoseconds, read by DuckDB", columns)

    path = FILES / "pandas-escape.csv"
    frame().to_csv(path, index=False, quoting=csv.QUOTE_NONNUMERIC, escapechar="\\",
                   doublequote=False)
    expect(path.name, "pandas to_csv with escaped quotes, read by DuckDB",
           duckdb_csv(path, escape="\\", header=True), {"csv": {"escape": "\\"}})

    path = FILES / "pandas-single-quotes.csv"
    frame().to_csv(path, index=False, quotechar="'")
    expect(path.name, "pandas to_csv with single quotes, read by pyarrow",
           pyarrow_csv(path, parse={"quote_char": "'"}), {"csv": {"quote": "'"}})

    path = FILES / "pandas-chosen.csv"
    frame().to_csv(path, index=False)
    expect(path.name, "pandas to_csv, three of its columns read by pyarrow",
           pyarrow_csv(path, convert={"include_columns": ["timestamp", "price", "shop"]}),
           {"columns": ["price", "shop", "timestamp"]})

    for ending, how in [("gz", "gzip"), ("zst", "zstd")]:
        path = FILES / f"pandas.csv.{ending}"
        frame().to_csv(path, index=False, compression=packing(how))
        expect(path.name, f"pandas to_csv with {how}, read by DuckDB",
               duckdb_csv(path, compression=how))

    path = FILES / "pandas-duplicate-names.csv"
    df = pd.DataFrame([[1, 2, 3], [4, 5, 6]], columns=["a", "a", "b"])
    df.to_csv(path, index=False)
    # the second `a` is called `a_2`
    columns = duckdb_csv(path)
    expect(path.name, "pandas to_csv with a name twice, read by DuckDB",
           dict(zip(["a", "a_2", "b"], columns.values(), strict=True)))

    path = FILES / "pandas-header-only.csv"
    frame(["n", "item"]).iloc[:0].to_csv(path, index=False)
    expect(path.name, "pandas to_csv of no rows, read by pyarrow", pyarrow_csv(path))


def pandas_json():
    df = frame(["id", "n", "price", "paid", "item", "shop"])

    path = FILES / "pandas-records.json"
    df.to_json(path, orient="records", force_ascii=False, double_precision=15)
    expect(path.name, "pandas to_json of records, read by DuckDB",
           by_duckdb(f"SELECT * FROM read_json('{path}')"))

    for ending, how in [("", None), (".gz", "gzip"), (".zst", "zstd")]:
        path = FILES / f"pandas-lines.ndjson{ending}"
        df.to_json(path, orient="records", lines=True, compression=packing(how),
                   double_precision=15)
        unpacked = io.BytesIO(unpack(path))
        expect(path.name, f"pandas to_json of lines, {how}, read by pyarrow",
               by_pyarrow(pyarrow.json.read_json(
                   unpacked, parse_options=pyarrow.json.ParseOptions(newlines_in_values=False))))

    path = FILES / "pandas-iso-dates.json"
    df = frame(["timestamp", "n"])
    df.to_json(path, orient="records", date_format="iso", date_unit="ms")
    expect(path.name, "pandas to_json with ISO moments, read by DuckDB",
           by_duckdb(f"SELECT timestamp::TIMESTAMP AS timestamp, n FROM read_json('{path}')"))

    path = FILES / "pandas-epoch.json"
    with warnings.catch_warnings(action="ignore"):
        df.to_json(path, orient="records", date_format="epoch", date_unit="ms")
    # whole numbers in a column called `timestamp` are moments
    expect(path.name, "pandas to_json with milliseconds since 1970, read by DuckDB",
           by_duckdb(f"SELECT epoch_ms(timestamp::BIGINT) AS timestamp, n FROM read_json('{path}')"))


def packing(how):
    """Without the time of writing, so that the same table makes the same file."""
    return {"method": "gzip", "mtime": 1} if how == "gzip" else how


def unpack(path):
    data = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(data)
    if path.suffix == ".zst":
        return zstandard.ZstdDecompressor().decompressobj().decompress(data)
    return data


# pyarrow

def pyarrow_files():
    dates = {"dates": ["day"], "moments": ["timestamp"]}

    path = FILES / "pyarrow-default.csv"
    pyarrow.csv.write_csv(arrow(), path)
    expect(path.name, "pyarrow write_csv, read by pandas", pandas_csv(path, **dates))

    path = FILES / "pyarrow-pipe.csv"
    options = pyarrow.csv.WriteOptions(delimiter="|", quoting_style="all_valid")
    pyarrow.csv.write_csv(arrow(), path, options)
    expect(path.name, "pyarrow write_csv with | and all quoted, read by pandas",
           pandas_csv(path, sep="|", **dates))

    path = FILES / "pyarrow-no-header.csv"
    options = pyarrow.csv.WriteOptions(include_header=False)
    pyarrow.csv.write_csv(arrow(["id", "n", "price", "shop"]), path, options)
    # columns without names are called by their numbers, from 1 on
    columns = pandas_csv(path, header=None)
    expect(path.name, "pyarrow write_csv without header, read by pandas",
           {f"column_{int(n) + 1}": v for n, v in columns.items()})


def arrow_files():
    def expect_arrow(path, note, columns=None):
        read = pl.read_ipc_stream if path.suffix == ".arrows" else pl.read_ipc
        columns = by_polars(read(path)) if columns is None else columns
        expect(path.name, note, columns)

    def write(name, table, stream=False, batches=1, **options):
        path = FILES / name
        new = pa.ipc.new_stream if stream else pa.ipc.new_file
        with new(path, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
            for batch in table.to_batches(max_chunksize=max(1, -(-table.num_rows // batches))):
                writer.write_batch(batch)
        return path

    for how in ["uncompressed", "lz4", "zstd"]:
        path = FILES / f"pyarrow-{how}.feather"
        pyarrow.feather.write_feather(arrow(), path, compression=how, chunksize=10)
        expect_arrow(path, f"pyarrow write_feather {how}, read by polars")

    path = write("pyarrow-stream.arrows", arrow(), stream=True, batches=3)
    expect_arrow(path, "pyarrow IPC stream, read by polars")

    path = write("pyarrow-stream-zstd.arrows", arrow(), stream=True, compression="zstd")
    expect_arrow(path, "pyarrow IPC stream zstd, read by polars")

    table = arrow(["n", "item", "shop"])
    encoded = pa.table({
        "n": table["n"],
        "item": table["item"].dictionary_encode(),
        "shop": table["shop"].cast(pa.dictionary(pa.int8(), pa.string())),
    }).combine_chunks()
    path = write("pyarrow-dictionary.arrow", encoded, batches=2)
    expect_arrow(path, "pyarrow IPC file with dictionaries, read by polars")

    path = write("pyarrow-dictionary.arrows", encoded, stream=True, batches=2)
    expect_arrow(path, "pyarrow IPC stream with dictionaries, read by polars")

    def delta(last):
        values = pa.array(["a", "b", "c", "d"][:last])
        keys = pa.array([0, 1, None, last - 1], pa.int32())
        return pa.record_batch({"k": pa.DictionaryArray.from_arrays(keys, values)})

    path = FILES / "pyarrow-delta-dictionary.arrows"
    batches = [delta(2), delta(3), delta(4)]
    options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
    with pa.ipc.new_stream(path, batches[0].schema, options=options) as writer:
        for batch in batches:
            writer.write_batch(batch)
    # polars does not read deltas; the values are those above
    expect_arrow(path, "pyarrow IPC stream with growing dictionaries, read by Python",
                 {"k": [v for b in batches for v in b.column(0).to_pylist()]})

    texts = arrow(["item"])["item"]
    table = pa.table({
        "large": texts.cast(pa.large_string()),
        "view": texts.cast(pa.string_view()),
        "n": arrow(["n"])["n"],
    })
    path = write("pyarrow-texts.arrow", table)
    expect_arrow(path, "pyarrow IPC file of large_string and string_view, read by polars")

    exact = [decimal.Decimal(i * 12345) / 100 if i % 4 else None for i in range(ROWS)]
    numbers = pa.table({
        "i8": pa.array([i - 12 for i in range(ROWS)], pa.int8()),
        "i16": pa.array([i * 1000 for i in range(ROWS)], pa.int16()),
        "u8": pa.array([i * 10 for i in range(ROWS)], pa.uint8()),
        "u32": pa.array([i * 170_000_000 for i in range(ROWS)], pa.uint32()),
        "u64": pa.array([i * 10**15 for i in range(ROWS)], pa.uint64()),
        "f32": pa.array([i / 4 for i in range(ROWS)], pa.float32()),
        "f64": pa.array([None if i == 3 else math.inf if i == 4 else -i / 3 for i in range(ROWS)]),
        "decimal": pa.array(exact, pa.decimal128(12, 2)),
        "nothing": pa.nulls(ROWS),
    })
    path = write("pyarrow-numbers.arrow", numbers, compression="lz4")
    # what is infinite is missing
    columns = by_polars(pl.read_ipc(path))
    expect(path.name, "pyarrow IPC file of all widths, read by polars", columns)

    moments = [v["timestamp"].replace(microsecond=v["id"] % 1000) for v in BASE]
    seconds = [v["timestamp"] for v in BASE]
    times = pa.table({
        "timestamp": pa.array(seconds, pa.timestamp("s")),
        "ms": pa.array([None, *seconds[1:]], pa.timestamp("ms")),
        "us": pa.array(moments, pa.timestamp("us")),
        "ns": pa.array(moments, pa.timestamp("ns")),
        "utc": pa.array(moments, pa.timestamp("us", "UTC")),
        "berlin": pa.array(seconds, pa.timestamp("ns", "Europe/Berlin")),
        "offset": pa.array(seconds, pa.timestamp("ms", "+03:00")),
        "date32": pa.array([v["day"] for v in BASE], pa.date32()),
        "date64": pa.array([v["day"] for v in BASE], pa.date64()),
    })
    path = write("pyarrow-times.arrow", times)
    # polars reads a day of milliseconds as a moment; it is a date
    columns = by_polars(pl.read_ipc(path))
    columns["date64"] = [v.date() for v in columns["date64"]]
    expect(path.name, "pyarrow IPC file of all units of time, read by polars", columns)

    nested = pa.Table.from_pylist([
        {
            "id": i,
            "place": None if i == 2 else {"city": ["Rome", "Минск"][i % 2], "at": {"x": i / 2, "y": -i}},
            "tags": None if i == 3 else ["a", "b", "c"][: i % 4],
            "xs": [1.5 * i, None],
        }
        for i in range(8)
    ])
    path = write("pyarrow-nested.arrow", nested)
    expect_arrow(path, "pyarrow IPC file of structs and lists, read by polars")

    path = write("pyarrow-no-rows.arrow", arrow().slice(0, 0))
    expect(path.name, "pyarrow IPC file of no rows, read by polars", by_polars(pl.read_ipc(path)),
           kinds={"timestamp": "timestamp", "day": "date", "id": "int", "n": "int",
                  "price": "float", "paid": "bool"})

    df = pl.from_arrow(arrow())
    for how in ["uncompressed", "lz4", "zstd"]:
        path = FILES / f"polars-{how}.arrow"
        df.write_ipc(path, compression=how, compat_level=pl.CompatLevel.newest())
        expect(path.name, f"polars write_ipc {how}, read by pyarrow",
               by_pyarrow(pyarrow.feather.read_table(path)))

    path = FILES / "polars-categories.arrows"
    df.select("n", pl.col("shop").cast(pl.Categorical), pl.col("item").cast(pl.Categorical)) \
        .write_ipc_stream(path, compat_level=pl.CompatLevel.newest())
    expect(path.name, "polars write_ipc_stream of categories, read by pyarrow",
           by_pyarrow(pa.ipc.open_stream(path).read_all()))

    path = write("duckdb.arrow", DUCK.sql(
        "SELECT id, n, price, item, n::DECIMAL(9,3) AS exact, [n, n + 1] AS pair, "
        "{'shop': shop, 'paid': paid} AS at FROM base").to_arrow_table())
    expect(path.name, "DuckDB to Arrow by pyarrow, read by polars", by_polars(pl.read_ipc(path)))


# DuckDB

def duckdb_files():
    dates = {"dates": ["day"], "moments": ["timestamp"]}

    def copy(name, options, sql="SELECT * FROM base"):
        DUCK.execute(f"COPY ({sql}) TO '{FILES / name}' ({options})")
        return FILES / name

    path = copy("duckdb-default.csv", "FORMAT csv")
    expect(path.name, "DuckDB COPY, read by pandas", pandas_csv(path, **dates))

    path = copy("duckdb-options.csv", "FORMAT csv, DELIMITER '|', NULLSTR 'NULL', "
                "DATEFORMAT '%d/%m/%Y', TIMESTAMPFORMAT '%d/%m/%Y %H:%M:%S', FORCE_QUOTE (shop)")
    # `NULL` is missing in all columns but those of text, where it is a text
    columns = pandas_csv(path, sep="|", na_values={n: ["NULL"] for n in NAMES if n != "item"},
                         dayfirst=True, **dates)
    expect(path.name, "DuckDB COPY with its options, read by pandas", columns)

    path = copy("duckdb-no-header.csv", "FORMAT csv, HEADER false",
                "SELECT id, n, price, shop FROM base")
    columns = pyarrow_csv(path, read={"autogenerate_column_names": True})
    expect(path.name, "DuckDB COPY without header, read by pyarrow",
           {f"column_{i + 1}": v for i, v in enumerate(columns.values())})

    path = copy("duckdb-quote-escape.csv", "FORMAT csv, QUOTE '''', ESCAPE '\\', HEADER true")
    expect(path.name, "DuckDB COPY with its own quotes and escapes, read by pandas",
           pandas_csv(path, quotechar="'", escapechar="\\", doublequote=False, **dates),
           {"csv": {"quote": "'", "escape": "\\"}})

    path = copy("duckdb-huge.csv", "FORMAT csv", "SELECT i, i::HUGEINT * 1000000000000000000 AS huge, "
                "lpad(i::VARCHAR, 3, '0') AS code FROM range(1, 15) t(i)")
    # whole numbers beyond 64 bits are decimals, numbers with zeros in front are text
    expect(path.name, "DuckDB COPY of numbers beyond 64 bits and of codes, read by pandas",
           change(pandas_csv(path, dtype={"huge": str, "code": str}), huge=decimal.Decimal))

    path = copy("duckdb-nested.csv", "FORMAT csv",
                "SELECT i, [i, i + 1] AS list, {'a': i} AS struct FROM range(5) t(i)")
    expect(path.name, "DuckDB COPY of lists and structs, which are text in CSV, read by pandas",
           pandas_csv(path))

    for ending, how in [("gz", "gzip"), ("zst", "zstd")]:
        path = copy(f"duckdb.csv.{ending}", f"FORMAT csv, COMPRESSION {how}")
        expect(path.name, f"DuckDB COPY with {how}, read by pandas", pandas_csv(path, **dates))

    path = copy("duckdb-lines.json", "FORMAT json", "SELECT id, n, price, paid, item FROM base")
    expect(path.name, "DuckDB COPY of lines of JSON, read by pyarrow",
           by_pyarrow(pyarrow.json.read_json(path)))

    path = copy("duckdb-array.json", "FORMAT json, ARRAY true")
    df = pd.DataFrame(json.loads(path.read_text()))
    df["timestamp"] = pd.to_datetime(df["timestamp"])
    df["day"] = pd.to_datetime(df["day"])
    df["n"] = df["n"].astype("Int64")
    expect(path.name, "DuckDB COPY of an array of JSON, read by Python and pandas",
           by_pandas(df, ["day"]))

    path = copy("duckdb-nested.ndjson", "FORMAT json",
                "SELECT id, {'city': shop, 'at': {'x': price, 'y': n}} AS place, "
                "[n, id % 7] AS tags FROM base")
    expect(path.name, "DuckDB COPY of structs and lists, read by pyarrow",
           by_pyarrow(pyarrow.json.read_json(path)))

    path = copy("duckdb-lines.ndjson.gz", "FORMAT json, COMPRESSION gzip",
                "SELECT id, n, price, paid, item FROM base")
    expect(path.name, "DuckDB COPY of lines of JSON with gzip, read by pyarrow",
           by_pyarrow(pyarrow.json.read_json(io.BytesIO(unpack(path)))))


# polars and numpy

def polars_files():
    df = pl.from_arrow(arrow())
    path = FILES / "polars.csv"
    df.write_csv(path)
    expect(path.name, "polars write_csv, read by DuckDB", duckdb_csv(path))

    path = FILES / "polars-bom.csv"
    df.write_csv(path, include_bom=True, separator=";", line_terminator="\r\n",
                 quote_style="non_numeric")
    expect(path.name, "polars write_csv with a byte-order mark, read by pyarrow",
           pyarrow_csv(path, parse={"delimiter": ";"}))

    path = FILES / "polars-lines.ndjson"
    df.select("id", "n", "price", "paid", "item").write_ndjson(path)
    expect(path.name, "polars write_ndjson, read by DuckDB",
           by_duckdb(f"SELECT * FROM read_json('{path}')"))

    path = FILES / "numpy-savetxt.csv"
    numbers = np.array([[i, i / 3, i * i] for i in range(12)])
    np.savetxt(path, numbers, delimiter=",", header="made by numpy\nx,y,z", comments="# ")
    # the header is in the comment: `# x`
    columns = pandas_csv(path, skiprows=1)
    columns = {n: [float(v) for v in vs] for n, vs in columns.items()}
    expect(path.name, "numpy savetxt, read by pandas", columns)


def main():
    for folder in [FILES, EXPECTED]:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    for make in [pandas_files, pandas_json, pyarrow_files, arrow_files, duckdb_files, polars_files,
                 script_files, libreoffice_files, r_files, parquet_files]:
        make()
    names = sorted(p.name for p in FILES.iterdir())
    assert names == sorted(p.name.removesuffix(".txt") for p in EXPECTED.iterdir())
    sizes = {n: (FILES / n).stat().st_size for n in names}
    assert max(sizes.values()) < 20_000, sizes
    lines = [f'    file!("{name}"),' for name in names]
    (HERE / "list.rs").write_text(
        "//! Written by make.py: every file with what another reader sees in it.\n\n"
        "use super::File;\n\n/// By name.\npub const FILES: &[File] = &[\n"
        + "\n".join(lines) + "\n];\n")
    print(len(names), "files,", sum(sizes.values()), "bytes")


main()
