"""Reference values for the golden cases from independent engines.

Writes tests/golden/reference.txt: a table of minute bars of two instruments, made by a fixed
generator, and questions whose answers DuckDB (and pandas, where it has another definition to offer)
computed. Run it as `python3 tests/reference/make.py`; it needs `pip install duckdb pandas`.
"""

import json
import math
import pathlib
import re

import duckdb
import pandas as pd

OUT = pathlib.Path(__file__).parent.parent / "golden" / "reference.txt"


def generate():
    """Six days of sparse minute bars of two instruments, with gaps and missing values."""
    state = 12345

    def rand():
        nonlocal state
        state = (state * 1103515245 + 12345) % 2**31
        return state / 2**31

    rows = []
    price = {"ES": 4700.0, "NQ": 16800.0}
    start = pd.Timestamp("2024-01-04")
    for day in range(6):
        for minute in range(570, 582):
            for symbol in ("ES", "NQ"):
                if rand() < 0.15:
                    continue
                jump = (rand() - 0.5) * 60 if minute == 570 else (rand() - 0.5) * 8
                open_ = round(price[symbol] + jump, 2)
                close = round(open_ + (rand() - 0.5) * 10, 2)
                high = round(max(open_, close) + rand() * 4, 2)
                low = round(min(open_, close) - rand() * 4, 2)
                volume = None if rand() < 0.05 else int(rand() * 1000)
                delay = None if rand() < 0.2 else round(rand() * 100, 3)
                price[symbol] = close
                time = start + pd.Timedelta(days=day, minutes=minute)
                rows.append((time, symbol, open_, high, low, close, volume, delay))
    columns = ["time", "symbol", "open", "high", "low", "close", "volume", "delay"]
    frame = pd.DataFrame(rows, columns=columns)
    frame["volume"] = frame["volume"].astype("Int64")
    return frame


def cell(value):
    if value is None or value is pd.NaT or value is pd.NA:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isnan(value):
            return "null"
        return number(float(f"{value:.9e}"))
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return str(value)


def number(x):
    """As Rust prints a double for debugging."""
    if x == 0:
        return "0.0"
    if 1e-5 <= abs(x) < 1e16:
        text = format(x, "f") if "e" in repr(x) else repr(x)
        return text if "." in text else text + ".0"
    mantissa, exponent = f"{x:e}".split("e") if "e" not in repr(x) else repr(x).split("e")
    return f"{float(mantissa):g}e{int(exponent)}"


ROW_NUMBER = "row_number() over () - 1 as n"
BARS = """
    with bars as (
        select time::date as time, symbol, first(open order by n) as open, max(high) as high,
               min(low) as low, last(close order by n) as close, sum(volume)::bigint as volume,
               min(n) as n
        from t group by 1, 2)
"""
DAYNAME = "left(dayname(time), 3)"
SERIES = "over (partition by symbol order by n)"


def full(expr, n, x="close", by="partition by symbol order by n"):
    """A trailing window that is null unless all n values are there."""
    frame = f"over ({by} rows {n - 1} preceding)"
    return f"case when count({x}) {frame} = {n} then {expr} {frame} end"


CASES = [
    (
        "aggregates of the whole table",
        {"select": {"n": "count()", "v": "count(volume)", "mean": "mean(close)", "sum": "sum(volume)",
                    "std": "std(delay)", "var": "var(delay)", "med": "median(delay)",
                    "medv": "median(volume)", "r": "correlation(close, volume)",
                    "share": "pct(close > open)", "first": "first(delay)", "last": "last(delay)"}},
        """select count(*) as n, count(volume) as v, avg(close) as mean, sum(volume)::bigint as sum,
                  stddev_samp(delay) as std, var_samp(delay) as var, median(delay) as med,
                  median(volume)::double as medv, corr(close, volume) as r,
                  avg((close > open)::int) * 100 as share, first(delay order by n) as first,
                  last(delay order by n) as last from t""",
        "true",
    ),
    (
        "aggregates by instrument and weekday",
        {"map": {"dow": "dayname()"}, "where": "delay > 10", "group_by": ["symbol", "dow"],
         "select": {"n": "count()", "mean": "mean(close)", "sum": "sum(volume)", "std": "std(close)",
                    "med": "median(volume)", "r": "correlation(open, delay)", "hi": "max(high)"}},
        f"""select symbol, {DAYNAME} as dow, count(*) as n, avg(close) as mean,
                   sum(volume)::bigint as sum, stddev_samp(close) as std,
                   median(volume)::double as med, corr(open, delay) as r, max(high) as hi
            from t where delay > 10 group by 1, 2, isodow(time) order by symbol, isodow(time)""",
        "delay > 10",
    ),
    (
        "neighbours and trailing windows",
        {"map": {"p": "prev(close)", "nx": "next(volume)", "mean": "rolling_mean(close, 5)",
                 "sum": "rolling_sum(volume, 3)", "lo": "rolling_min(low, 4)",
                 "hi": "rolling_max(delay, 3)"},
         "columns": ["time", "symbol", "p", "nx", "mean", "sum", "lo", "hi"]},
        f"""select time, symbol, lag(close) {SERIES} as p, lead(volume) {SERIES} as nx,
                   {full("avg(close)", 5)} as mean,
                   {full("sum(volume)", 3, "volume")}::bigint as sum,
                   {full("min(low)", 4, "low")} as lo, {full("max(delay)", 3, "delay")} as hi
            from t order by n""",
        "true",
    ),
    (
        "daily bars",
        {"from": "daily"},
        f"{BARS} select time, symbol, open, high, low, close, volume from bars order by time, n",
        None,
    ),
    (
        "gaps of daily bars by weekday",
        {"from": "daily", "map": {"gap": "gap()", "dow": "dayname()"}, "where": "gap > 0",
         "group_by": "dow", "select": {"mean_gap": "mean(gap)", "n": "count()"}},
        f"""{BARS}, gaps as (select *, open - lag(close) over (partition by symbol order by time) as gap
                            from bars)
            select {DAYNAME} as dow, avg(gap) as mean_gap, count(*) as n from gaps where gap > 0
            group by 1, isodow(time) order by isodow(time)""",
        f"""{BARS}, gaps as (select *, open - lag(close) over (partition by symbol order by time) as gap
                            from bars)
            select count(*), count(*) filter (where gap > 0) from gaps""",
    ),
    (
        "arithmetic",
        {"map": {"ratio": "close / volume", "floors": "volume // 7", "rest": "volume % 7",
                 "minus": "-volume % 7", "power": "delay ** 0.5", "r": "round(delay, 1)",
                 "ln": "log(close)", "h": "hour()", "mi": "minute()"},
         "where": "volume < 400", "sort": ["volume desc", "symbol"], "limit": 25,
         "columns": ["symbol", "volume", "ratio", "floors", "rest", "minus", "power", "r", "ln",
                     "h", "mi"]},
        """select symbol, volume, case when volume <> 0 then close / volume end as ratio,
                  floor(volume / 7)::bigint as floors, ((volume % 7) + 7) % 7 as rest,
                  ((-volume % 7) + 7) % 7 as minus, delay ** 0.5 as power,
                  round(delay, 1) as r, ln(close) as ln,
                  hour(time) as h, minute(time) as mi
           from t where volume < 400 order by volume desc, symbol, n limit 25""",
        "volume < 400",
    ),
    (
        "aggregates that all rows of a series share",
        {"map": {"m": "mean(close)", "share": "volume / sum(volume) * 100", "d": "first(open)",
                 "med": "median(delay)", "k": "count(volume)"},
         "where": "close > max(close) - 5",
         "columns": ["time", "symbol", "m", "share", "d", "med", "k"]},
        """select time, symbol, m, share, d, med, k from (
             select *, avg(close) over s as m, volume / sum(volume) over s * 100 as share,
                    first_value(open) over (partition by symbol order by n) as d,
                    median(delay) over s as med, count(volume) over s as k,
                    max(close) over s as top
             from t window s as (partition by symbol)) where close > top - 5 order by n""",
        "close > (select max(u.close) from t u where u.symbol = t.symbol) - 5",
    ),
    (
        "percentiles, extremes and weights by instrument",
        {"group_by": "symbol", "select": {
            "p10": "percentile(close, 0.1)", "p90": "percentile(volume, 0.9)",
            "a": "argmin(close, low)", "b": "argmax(volume, high)", "w": "wavg(close, volume)"}},
        """select symbol, quantile_cont(close, 0.1) as p10,
                  quantile_cont(volume, 0.9)::double as p90, arg_min(close, low) as a,
                  arg_max_null(volume, high) as b,
                  sum(close * volume) / sum(volume) as w from t group by 1 order by 1""",
        "true",
    ),
    (
        "groups of groups",
        {"map": {"day": "date()"}, "group_by": ["symbol", "day"], "select": {"v": "sum(volume)",
         "c": "last(close)"}, "steps": [{"map": {"change": "c - prev(c)"}, "where": "change != 0"},
         {"group_by": "symbol", "select": {"days": "count()", "best": "max(change)",
          "mean_v": "mean(v)"}}]},
        """with days as (select symbol, time::date as day, sum(volume) as v, last(close order by n) as c
                         from t group by 1, 2),
                changes as (select *, c - lag(c) over (partition by symbol order by day) as change
                            from days)
           select symbol, count(*) as days, max(change) as best, avg(v) as mean_v from changes
           where change <> 0 group by 1 order by 1""",
        """with days as (select symbol, time::date as day, last(close order by n) as c
                         from t group by 1, 2),
                changes as (select c - lag(c) over (partition by symbol order by day) as change
                            from days)
           select count(*) filter (where change <> 0), count(*) filter (where change <> 0)
           from changes""",
    ),
    (
        "change of the mean from hour to hour",
        {"group_by": ["symbol", "minute()"], "select": {"m": "mean(close)", "n": "count()"},
         "steps": [{"map": {"d": "m - prev(m)"}, "where": "n > 2", "sort": "d desc", "limit": 5}]},
        """with g as (select symbol, minute(time) as "minute()", avg(close) as m, count(*) as n
                      from t group by 1, 2)
           select * from (select *, m - lag(m) over (partition by symbol order by "minute()") as d from g)
           where n > 2 order by d desc nulls last limit 5""",
        """select count(*), count(*) filter (where n > 2) from
           (select count(*) as n from t group by symbol, minute(time))""",
    ),
]

KINDS = {"BIGINT": "int", "INTEGER": "int", "DOUBLE": "float", "VARCHAR": "text", "DATE": "date",
         "TIMESTAMP": "timestamp", "BOOLEAN": "bool"}


def main():
    frame = generate()
    check_with_pandas(frame)
    db = duckdb.connect()
    db.register("frame", frame)
    db.execute(f"create table t as select time::timestamp as time, symbol, open, high, low, close, "
               f"volume::bigint as volume, delay, {ROW_NUMBER} from frame")
    lines = [
        "Answers of DuckDB and pandas; written by tests/reference/make.py, never by the engine.",
        "",
        "## table t time=time series=symbol",
        "time:timestamp | symbol:text | open:float | high:float | low:float | close:float | "
        "volume:int | delay:float",
    ]
    for row in frame.itertuples(index=False):
        cells = ["" if pd.isna(v) else cell(v) for v in row]
        lines.append(" | ".join(cells))
    lines.append("")
    kinds = {1: "scalar"}
    for name, query, sql, counts in CASES:
        rows = db.execute(sql).fetchall()
        description = db.description
        if counts is None:
            total = matched = len(rows)
        elif counts.strip().startswith(("with", "select")):
            total, matched = db.execute(counts).fetchone()
        else:
            total, matched = db.execute(
                f"select count(*), count(*) filter (where {counts}) from t").fetchone()
        kind = "table"
        last = query.get("steps", [query])[-1]
        if "select" in last:
            kind = "grouped" if "group_by" in last else kinds.get(len(last["select"]), "dict")
        status = f"{kind}, {matched} of {total} rows"
        if last.get("limit", matched) < matched:
            status += f", {last['limit']} of {matched}"
        # bars keep prices, volume and series: `delay` has no rule
        warnings = ["warning columns_dropped"] * ("from" in query)
        warnings += ["warning nulls_left_out"] * left_out(db, query, counts)
        header = [f"{d[0]}:{KINDS[str(d[1])]}" for d in description]
        lines += [f"## {name}", "> " + json.dumps(query), status, *warnings, " | ".join(header)]
        lines += [" | ".join(cell(v) for v in row) for row in rows]
        lines.append("")
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


def left_out(db, query, counts):
    """How many columns the aggregates of the first step read that have missing values in the rows
    that pass its filter. `count` says itself what it counts; `first` and `last` take what is there."""
    if "from" in query or "group_by" not in query and "select" not in query:
        return 0
    passes = "true" if counts is None or counts.startswith(("with", "select")) else counts
    names = set()
    for member in query["select"].values():
        for function, arguments in re.findall(r"(\w+)\((\w+(?:, \w+)*)[^()]*\)", member):
            if function not in ("count", "first", "last"):
                picks = function in ("argmin", "argmax")
                names |= set(arguments.split(", ")[picks:])
    columns = [d[0] for d in db.execute("describe t").fetchall()]
    missing = "select count(*) from t where ({}) and {} is null"
    return sum(
        db.execute(missing.format(passes, name)).fetchone()[0] > 0
        for name in sorted(names) if name in columns
    )


def check_with_pandas(frame):
    """Where pandas defines the same thing, DuckDB's daily bars and windows must agree with it."""
    db = duckdb.connect()
    db.register("frame", frame)
    db.execute(f"create table t as select *, {ROW_NUMBER} from frame")
    bars = db.execute(f"{BARS} select * exclude n from bars order by symbol, time").df()
    grouped = frame.set_index("time").groupby("symbol").resample("D")
    other = grouped.agg(open=("open", "first"), high=("high", "max"), low=("low", "min"),
                        close=("close", "last")).dropna().reset_index()
    for column in ("open", "high", "low", "close"):
        assert (bars[column].to_numpy() == other[column].to_numpy()).all(), column
    windows = db.execute(f"select {full('avg(close)', 5)} as mean from t order by n").df()
    rolling = frame.groupby("symbol")["close"].transform(lambda x: x.rolling(5).mean())
    assert (windows["mean"] - rolling).abs().max() < 1e-9
    assert (windows["mean"].isna() == rolling.isna()).all()
    db_median = db.execute("select median(delay), stddev_samp(delay) from t").fetchone()
    assert abs(db_median[0] - frame["delay"].median()) < 1e-12
    assert abs(db_median[1] - frame["delay"].std()) < 1e-12


if __name__ == "__main__":
    main()
