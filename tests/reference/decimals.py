"""Arithmetic, comparisons and aggregates of decimals, computed by DuckDB.

Writes tests/golden/duckdb.txt: a table with columns of DECIMAL made by a fixed generator, queries
over it, and the answers of the same questions asked in SQL; floor division and remainder, which
DuckDB has for whole numbers only, come from Python's decimal numbers. Run it as
`python3 tests/reference/decimals.py`; it needs `pip install duckdb`.
"""

import decimal
import json
import pathlib

import duckdb

OUT = pathlib.Path(__file__).parent.parent / "golden" / "duckdb.txt"
ROWS = 36
SHOPS = ["Kuper", "Vkusno", "Sever"]
COLUMNS = [("id", "int"), ("shop", "text"), ("price", "decimal(2)"), ("rate", "decimal(4)"),
           ("n", "int"), ("code", "decimal(0)")]

decimal.getcontext().prec = 80


def generate():
    state = 4242

    def rand(n):
        nonlocal state
        state = (state * 1103515245 + 12345) % 2**31
        return state // 7 % n

    rows = []
    for i in range(ROWS):
        price = None if i % 11 == 5 else decimal.Decimal(rand(90_000) - 30_000).scaleb(-2)
        # no two rates are alike
        rate = None if i % 7 == 3 else decimal.Decimal((rand(900) - 300) * 100 + i).scaleb(-4)
        n = None if i % 9 == 4 else rand(41) - 20
        code = decimal.Decimal(12_345_678_901_234_567_890) * 10**17 + rand(10**9) * (-1) ** i
        rows.append((i + 1, SHOPS[rand(3)], price, rate, n, code))
    # values that are alike at different scales
    rows[1] = (2, "Kuper", decimal.Decimal("1.50"), decimal.Decimal("1.5000"), 2, rows[1][5])
    rows[2] = (3, "Sever", decimal.Decimal("12.00"), decimal.Decimal("-0.0001"), 12, rows[2][5])
    return rows


def cases(rows):
    """(what is asked, the query, the kind and how many rows matched, the columns, SQL or rows,
    and how many columns with missing values the aggregates left them out of)"""
    yield ("sums, differences and products",
           {"map": {"add": "price + rate", "sub": "n - price", "mul": "price * rate",
                    "neg": "-price", "more": "price * 0.1 + 1"},
            "columns": ["id", "add", "sub", "mul", "neg", "more"]}, "table", ROWS,
           "id:int add:decimal(4) sub:decimal(2) mul:decimal(6) neg:decimal(2) more:decimal(3)",
           "SELECT id, price + rate, n - price, price * rate, -price, price * 0.1 + 1 FROM t "
           "ORDER BY id")
    yield ("quotients and powers are doubles",
           {"map": {"ratio": "price / rate", "half": "price / 2", "square": "rate ** 2"},
            "columns": ["id", "ratio", "half", "square"]}, "table", ROWS,
           "id:int ratio:float half:float square:float",
           "SELECT id, price::DOUBLE / nullif(rate, 0)::DOUBLE, price::DOUBLE / 2, "
           "rate::DOUBLE ** 2 FROM t ORDER BY id")

    def floored(a, b):
        if a is None or b is None or b == 0:
            return None, None
        quotient = (decimal.Decimal(a) / b).to_integral_value(decimal.ROUND_FLOOR)
        return quotient, a - quotient * b

    yield ("floor division and remainder are exact",
           {"map": {"times": "price // rate", "rest": "price % rate", "whole": "price // n",
                    "left": "n % price"},
            "columns": ["id", "times", "rest", "whole", "left"]}, "table", ROWS,
           "id:int times:decimal(0) rest:decimal(4) whole:decimal(0) left:decimal(2)",
           [(r[0], *floored(r[2], r[3]), floored(r[2], r[4])[0], floored(r[4], r[2])[1])
            for r in rows])
    yield ("rounding",
           {"map": {"one": "round(rate, 1)", "none": "round(price)", "tens": "round(price, -1)",
                    "down": "floor(price)", "up": "ceil(price)", "size": "abs(price)",
                    "side": "sign(rate)"},
            "columns": ["id", "one", "none", "tens", "down", "up", "size", "side"]}, "table", ROWS,
           "id:int one:decimal(1) none:decimal(0) tens:decimal(0) down:decimal(0) up:decimal(0) "
           "size:decimal(2) side:decimal(0)",
           "SELECT id, round(rate, 1), round(price), round(price, -1), floor(price), ceil(price), "
           "abs(price), sign(rate) FROM t ORDER BY id")
    yield ("what picks one of several",
           {"map": {"either": "if(price > 100, price, rate)", "known": "coalesce(rate, n, 0.5)",
                    "least": "min_of(price, rate)", "most": "max_of(price, n, 1.25)"},
            "columns": ["id", "either", "known", "least", "most"]}, "table", ROWS,
           "id:int either:decimal(4) known:decimal(4) least:decimal(4) most:decimal(2)",
           "SELECT id, CASE WHEN price > 100 THEN price ELSE rate END, coalesce(rate, n, 0.5), "
           "least(price, rate), greatest(price, n, 1.25) FROM t ORDER BY id")
    yield ("rows before and after, and the sum of all",
           {"map": {"before": "prev(price)", "after": "next(rate, 2)", "share": "sum(price)",
                    "average": "rolling_mean(price, 3)"},
            "columns": ["id", "before", "after", "share", "average"]}, "table", ROWS,
           "id:int before:decimal(2) after:decimal(4) share:decimal(2) average:float",
           "SELECT id, lag(price) OVER (ORDER BY id), lead(rate, 2) OVER (ORDER BY id), "
           "sum(price) OVER (), CASE WHEN count(price) OVER w = 3 "
           "THEN avg(price::DOUBLE) OVER w END FROM t "
           "WINDOW w AS (ORDER BY id ROWS 2 PRECEDING) ORDER BY id")
    for condition, sql in [
            ("price == rate", "price = rate"), ("price == 1.5", "price = 1.5"),
            ("price == n", "price = n"), ("price > rate", "price > rate"),
            ("n >= price", "n >= price"), ("price < 123.456", "price < 123.456"),
            ("rate <= -0.00005", "rate <= -0.00005"), ("price != rate * 2", "price != rate * 2"),
            ("price in [1.5, 12, 0.001]", "price IN (1.5, 12, 0.001)"),
            ("rate not in [1.5, -0.0001]", "rate NOT IN (1.5, -0.0001)"),
            ("code > 1234567890123456789000000000000000000",
             "code > 1234567890123456789000000000000000000::DECIMAL(38, 0)"),
            ("price + 0.001 > rate and not price < 0", "price + 0.001 > rate AND NOT price < 0"),
    ]:
        count, = duckdb.execute(f"SELECT count(*) FROM t WHERE {sql}").fetchone()
        yield (f"where {condition}", {"where": condition, "select": "count(), sum(id)"}, "dict",
               count, "count:int sum_id:int", f"SELECT count(*), sum(id) FROM t WHERE {sql}")
    yield ("aggregates",
           {"select": {"total": "sum(price)", "least": "min(rate)", "most": "max(price)",
                       "rows": "count(price)", "different": "count_distinct(price)",
                       "product": "sum(price * rate)", "codes": "max(code) - min(code)"}},
           "dict", ROWS,
           "total:decimal(2) least:decimal(4) most:decimal(2) rows:int different:int "
           "product:decimal(6) codes:decimal(0)",
           "SELECT sum(price), min(rate), max(price), count(price), count(DISTINCT price), "
           "sum(price * rate), max(code) - min(code) FROM t", 2)
    yield ("groups",
           {"group_by": "shop",
            "select": {"total": "sum(price)", "first": "first(price)", "last": "last(rate)",
                       "cheapest": "argmin(price, rate)", "dearest": "argmax(id, price)",
                       "mean": "mean(price)", "middle": "median(price)", "spread": "std(rate)",
                       "high": "percentile(price, 0.9)"}}, "grouped", ROWS,
           "shop:text total:decimal(2) first:decimal(2) last:decimal(4) cheapest:decimal(2) "
           "dearest:int mean:float middle:float spread:float high:float",
           "SELECT shop, sum(price), first(price ORDER BY id), last(rate ORDER BY id), "
           "(SELECT price FROM t AS u WHERE u.shop = t.shop AND rate IS NOT NULL ORDER BY rate LIMIT 1), "
           "arg_max(id, price), avg(price::DOUBLE), median(price::DOUBLE), stddev_samp(rate::DOUBLE), "
           "quantile_cont(price::DOUBLE, 0.9) FROM t GROUP BY shop ORDER BY shop", 2)
    yield ("groups by a decimal",
           {"map": {"side": "sign(price) * 0.5"}, "group_by": "side",
            "select": "count(), sum(rate)", "sort": "side desc"}, "grouped", ROWS,
           "side:decimal(1) count:int sum_rate:decimal(4)",
           "SELECT sign(price) * 0.5 AS side, count(*), sum(rate) FROM t GROUP BY side "
           "ORDER BY side DESC NULLS LAST", 1)
    yield ("the order of decimals",
           {"sort": ["rate desc", "id"], "columns": ["id", "rate"], "limit": 8}, "table", ROWS,
           "id:int rate:decimal(4)",
           "SELECT id, rate FROM t ORDER BY rate DESC NULLS LAST, id LIMIT 8")


def cell(value, kind):
    if value is None:
        return "null"
    if kind.startswith("decimal"):
        scale = int(kind[8:-1])
        with decimal.localcontext(prec=80):
            exact = decimal.Decimal(value)
            out = exact.quantize(decimal.Decimal(1).scaleb(-scale))
        assert out == exact, (value, kind)
        return format(out, "f")
    if kind == "float":
        return rounded(float(value))
    return str(value)


def rounded(x):
    """Ten significant digits, written as Rust writes a double."""
    x = float(f"{x:.9e}")
    if x != 0 and not 1e-5 <= abs(x) < 1e16:
        mantissa, exponent = f"{x!r}".split("e") if "e" in repr(x) else f"{x:.9e}".split("e")
        return f"{float(mantissa):g}e{int(exponent)}"
    return repr(x)


def main():
    rows = generate()
    duckdb.execute("CREATE TABLE t (id BIGINT, shop VARCHAR, price DECIMAL(12, 2), "
                   "rate DECIMAL(10, 4), n INTEGER, code DECIMAL(38, 0))")
    duckdb.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", rows)
    lines = [
        "Arithmetic, comparisons and aggregates of decimals; the answers are those of DuckDB, written by",
        "tests/reference/decimals.py, never by the engine.",
        "",
        "## table t",
        " | ".join(f"{name}:{kind}" for name, kind in COLUMNS),
    ]
    for row in rows:
        cells = [cell(v, kind) for v, (_, kind) in zip(row, COLUMNS)]
        lines.append(" | ".join("" if c == "null" else c for c in cells).strip())
    lines.append("")
    for name, query, kind, matched, header, answer, *left_out in cases(rows):
        columns = [c.rsplit(":", 1) for c in header.split()]
        found = duckdb.execute(answer).fetchall() if isinstance(answer, str) else answer
        status = f"{kind}, {matched} of {ROWS} rows"
        if "limit" in query:
            status += f", {len(found)} of {ROWS}"
        lines += [f"## {name}", "> " + json.dumps(query), status]
        lines += ["warning nulls_left_out"] * sum(left_out)
        lines.append(" | ".join(header.split()))
        lines += [" | ".join(cell(v, kind) for v, (_, kind) in zip(row, columns)) for row in found]
        lines.append("")
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
