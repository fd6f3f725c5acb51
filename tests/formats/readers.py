"""The table that most golden files hold, readers that give a dictionary of lists, and the form of an
expected file. See make.py.
"""

import datetime as dt
import decimal
import json
import math
import pathlib
import random

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv

HERE = pathlib.Path(__file__).parent
FILES, EXPECTED = HERE / "files", HERE / "expected"
ROWS = 24
DUCK = duckdb.connect()
DUCK.execute("SET TimeZone = 'UTC'")


# The table that most files hold.

WORDS = [
    "bread", "milk, 1 l", 'the "best" tea', "сыр", "кофе; зёрна", "line\nbreak", "NA", "a\\b",
    "naïve café", "'quoted'", "tab\there", "😀", "x|y", "#5", " spaces ", "100%",
]


def base():
    """Shop receipts: every kind, missing values, text that needs quotes; in order of time."""
    rng = random.Random(7)
    start = dt.datetime(2024, 2, 28, 21, 30)
    rows = []
    for i in range(ROWS):
        moment = start + dt.timedelta(minutes=37 * i, seconds=i % 7)
        rows.append({
            "timestamp": moment,
            "day": moment.date(),
            "id": 9_007_199_254_740_993 + i,
            "n": None if i % 7 == 3 else rng.randint(-50, 50),
            "price": None if i % 5 == 4 else round(rng.uniform(-1000, 1000), rng.randint(1, 6)),
            "paid": None if i % 9 == 8 else i % 3 > 0,
            "item": None if i % 11 == 10 else WORDS[i % len(WORDS)],
            "shop": ["Вкусно", "Kuper"][i % 2],
        })
    return rows


BASE = base()
NAMES = list(BASE[0])


def frame(names=NAMES):
    df = pd.DataFrame(BASE)[list(names)]
    if "n" in df:
        df["n"] = df["n"].astype("Int64")
    if "paid" in df:
        df["paid"] = df["paid"].astype("boolean")
    return df


def arrow(names=NAMES):
    columns = {
        "timestamp": pa.timestamp("us"), "day": pa.date32(), "id": pa.int64(), "n": pa.int32(),
        "price": pa.float64(), "paid": pa.bool_(), "item": pa.string(), "shop": pa.string(),
    }
    return pa.Table.from_pylist(BASE, pa.schema([(n, columns[n]) for n in names]))


DUCK.register("base", arrow())


# Readers: each gives a dictionary of lists.

def by_duckdb(sql):
    relation = DUCK.sql(sql)
    rows = relation.fetchall()
    return {name: [row[i] for row in rows] for i, name in enumerate(relation.columns)}


def duckdb_csv(path, **options):
    given = "".join(f", {k} = {json_sql(v)}" for k, v in options.items())
    return by_duckdb(f"SELECT * FROM read_csv('{path}'{given})")


def json_sql(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"'{k}': '{v}'" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(json_sql(v) for v in value) + "]"
    return str(value).lower() if isinstance(value, bool) else "'" + str(value).replace("'", "''") + "'"


def by_pandas(df, dates=()):
    """`dates` are columns whose moments are dates."""
    out = {}
    for name in df.columns:
        values = [None if pd.isna(v) else v for v in df[name].astype(object)]
        values = [v.to_pydatetime() if isinstance(v, pd.Timestamp) else v for v in values]
        out[str(name)] = [v.date() if v is not None and name in dates else v for v in values]
    return out


def pandas_csv(path, dates=(), moments=(), **options):
    """Only an empty field is missing; text stays as it is."""
    options = {"keep_default_na": False, "na_values": [""], **options}
    df = pd.read_csv(path, **options)
    order = options.get("dayfirst", False)
    for name in [*dates, *moments]:
        df[name] = pd.to_datetime(df[name], dayfirst=order)
    whole = [n for n in df.columns if pd.api.types.is_float_dtype(df[n])]
    # whole numbers with a missing one among them are floats to pandas
    for name in whole:
        values = df[name].dropna()
        if len(values) and (values % 1 == 0).all():
            df[name] = df[name].astype("Int64")
    return by_pandas(df, dates)


def by_pyarrow(table):
    return {name: table.column(name).to_pylist() for name in table.column_names}


def pyarrow_csv(path, read=None, parse=None, convert=None):
    convert = {"null_values": [""], "strings_can_be_null": True, **(convert or {})}
    return by_pyarrow(pyarrow.csv.read_csv(
        path,
        pyarrow.csv.ReadOptions(**(read or {})),
        pyarrow.csv.ParseOptions(newlines_in_values=True, **(parse or {})),
        pyarrow.csv.ConvertOptions(**convert),
    ))


def by_polars(df):
    return df.to_dict(as_series=False)


# Expected files.

def flat(columns):
    """Our rules for what is nested: fields of structs are columns with dotted names, lists of texts,
    numbers or truth values are lists and others JSON text. Moments with a zone are in UTC, what is
    not finite is missing, and there is no negative zero."""
    out = {}
    for name, values in columns.items():
        structs = [v for v in values if isinstance(v, dict)]
        if structs:
            keys = dict.fromkeys(k for v in structs for k in v)
            inner = {f"{name}.{k}": [None if v is None else v.get(k) for v in values] for k in keys}
            out.update(flat(inner))
        else:
            lists = member(values) is not None
            out[name] = [members(v) if lists else plain(v) for v in values]
    return out


def member(values):
    """The kind of all members where every value is a list of such; none for anything else."""
    lists = [v for v in values if v is not None]
    if not lists or not all(isinstance(v, list) for v in lists):
        return None
    of = {next((k for t, k in KINDS if isinstance(m, t)), None) for v in lists for m in v if m is not None}
    if of == {"int", "float"}:
        of = {"float"}
    return of.pop() if len(of) == 1 and of <= {"bool", "int", "float", "text"} else None


def members(v):
    """A list as JSON can write it: other than a cell, a member may be an empty text."""
    if isinstance(v, list):
        return [members(m) for m in v]
    return v if v == "" else plain(v)


def plain(v):
    if isinstance(v, np.generic):
        v = v.item()
    if isinstance(v, list):
        return json.dumps(members(v), ensure_ascii=False, separators=(",", ":"))
    if isinstance(v, float):
        return v + 0.0 if math.isfinite(v) else None
    if isinstance(v, dt.datetime) and v.tzinfo is not None:
        return v.astimezone(dt.timezone.utc).replace(tzinfo=None)
    if isinstance(v, str) and v == "":
        return None
    return v


KINDS = [(bool, "bool"), (int, "int"), (float, "float"), (str, "text"),
         (dt.datetime, "timestamp"), (dt.date, "date")]


def kind(values):
    if member(values):
        return f"list({member(values)})"
    exact = [v for v in values if isinstance(v, decimal.Decimal)]
    if exact:
        # readers give as many digits behind the point as the column has
        scales = {-v.as_tuple().exponent for v in exact}
        assert len(scales) == 1, scales
        return f"decimal({scales.pop()})"
    kinds = {next(k for t, k in KINDS if isinstance(v, t)) for v in values if v is not None}
    if kinds == {"int", "float"}:
        return "float"
    assert len(kinds) <= 1, kinds
    return kinds.pop() if kinds else "text"


def cell(v, of):
    if v is None:
        return "∅"
    if of == "text":
        return json.dumps(v, ensure_ascii=False)
    if of.startswith("list("):
        floats = [float(m) if m is not None else None for m in v] if of == "list(float)" else v
        return json.dumps(floats, ensure_ascii=False, separators=(",", ":"))
    if of == "bool":
        return "true" if v else "false"
    if of == "float":
        return repr(float(v))
    return v.isoformat() if of in ("date", "timestamp") else str(v)


def expect(file, note, columns, options=None, kinds=None, folder=EXPECTED):
    """`kinds` overrides the kind where the values of the reader do not show it."""
    columns = flat(columns)
    lines = ["// " + note]
    if options:
        lines.append("//options " + json.dumps(options, ensure_ascii=False))
    kinds = {name: (kinds or {}).get(name) or kind(values) for name, values in columns.items()}
    lines.append("\t".join(f"{name}:{kinds[name]}" for name in columns))
    for row in zip(*columns.values(), strict=True):
        lines.append("\t".join(cell(v, kinds[n]) for n, v in zip(columns, row)))
    (folder / (file + ".txt")).write_text("\n".join(lines) + "\n")


def put(file, content, encoding="utf-8"):
    data = content if isinstance(content, bytes) else content.encode(encoding)
    (FILES / file).write_bytes(data)
    return FILES / file


def rename(columns, **names):
    return {names.get(n, n): v for n, v in columns.items()}


def change(columns, **functions):
    return {n: [functions[n](v) for v in vs] if n in functions else vs for n, vs in columns.items()}
