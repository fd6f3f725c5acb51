"""Makes the purchases of the tests and what each tool answers over them, independently: SQL on
DuckDB, and the rules of prediction written out in Python.

    python make.py        (needs `pip install duckdb`)

Writes the tables (*.csv), cases.txt and backtest.json beside itself. household.py asks the same
functions about the sample household.
"""

import csv
import datetime as dt
import json
import math
import os
import statistics as st
from decimal import ROUND_HALF_EVEN, Decimal

import duckdb

HERE = os.path.dirname(os.path.abspath(__file__))
DAY = dt.timedelta(days=1)
FIRST = dt.date(2024, 6, 1)


def day(n):
    return FIRST + n * DAY


# Tables. Some totals are missing; one receipt has no lines, one no date; one line names an item that
# is not there, one item no category; categories run in circles, and one names a lost parent.

PRODUCTS = [
    ("p1", "Молочные продукты", None),
    ("p11", "Молоко", "p1"),
    ("p12", "Сыр", "p1"),
    ("p121", "Твёрдый сыр", "p12"),
    ("p2", "Овощи и зелень", None),
    ("p21", "Зелень", "p2"),
    ("p3", "Хлеб", None),
    ("p6", "Сам себе", "p6"),
    ("p7", "Потерянная", "zz"),
    ("p8", "Круг А", "p9"),
    ("p9", "Круг Б", "p8"),
]

ITEMS = [
    ("m1", "Молоко Parmalat 3.5% 1л", "p11", "шт", "Kuper"),
    ("m2", "Молоко Домик в деревне", "p11", "шт", "Пятёрочка"),
    ("s1", "Сыр Пармезан", "p121", "кг", "ВкусВилл"),
    ("s2", "сыр плавленый", "p12", "шт", "Kuper"),
    ("v1", "Ёлочная зелень", "p21", "уп", "ВкусВилл"),
    ("v2", "Картофель", "p2", "кг", "Пятёрочка"),
    ("b1", "Хлеб Бородинский", "p3", "шт", None),
    ("b2", "Булка", "p3", None, "Kuper"),
    ("n1", "Пакет", None, "шт", "Kuper"),
    ("x1", "Ежевика лесная", "p9", "кг", "ВкусВилл"),
    ("z1", "Мёд, ни разу не купленный", "p6", "шт", "Kuper"),
    ("z2", "Лишь однажды", "p7", "шт", "Kuper"),
    ("k1", "Кофе давний", "p3", "шт", "Kuper"),
    ("i1", "Рис", "p3", "шт", "Kuper"),
]

LABELS = [("l1", "Для завтрака"), ("l2", "На ёлку"), ("l3", "Пустая"), ("l4", "Дорогое")]

ITEM_LABELS = [
    ("m1", "l1"), ("b2", "l1"), ("z1", "l1"), ("k1", "l1"), ("v1", "l2"), ("x1", "l2"),
    ("s1", "l4"), ("gone", "l4"), ("m1", "l1"), ("z2", "l2"),
]

SHOPS = ["Kuper", "ВкусВилл", "Пятёрочка", "Пятерочка у дома"]


def purchases():
    """Who buys what when: lines by date."""
    on = {}

    def buy(item, days, quantity, price):
        for n, d in enumerate(days):
            q = quantity[n % len(quantity)]
            p = price[n % len(price)]
            on.setdefault(d, []).append((item, q, p, None if q is None else round(q * p, 2)))

    buy("m1", range(3, 198, 4), [2, 1, 2, 3], [89.9, 91.5])
    buy("m2", [20, 27, 35, 41, 60, 66, 101, 130, 150, 171], [1], [75.0])
    buy("s1", [10, 40, 71, 100, 131, 160, 190], [0.35, 0.41, 0.298], [1290.0])
    buy("s2", [15, 16, 60, 61, 120, 121, 180, 181], [1, 2], [55.5, 60.25])
    buy("v1", [170, 177, 184, 191], [1], [45.0, 45.0, 45.0, 120.0])
    buy("v2", range(5, 190, 14), [2.5, 3, 1.75], [39.9])
    buy("b1", range(1, 198, 3), [1], [48.0])
    buy("b2", [196], [4], [20.0])
    buy("n1", [12, 50, 90, 150, 197], [1, None], [7.0])
    buy("x1", [30, 120, 197], [0.5], [400.0])
    buy("z2", [66], [1], [99.99])
    buy("k1", [2, 12, 22, 32], [1], [500.0])
    buy("i1", [177, 184, 191], [2, 1, 1], [80.0, 80.0, 200.0])
    buy("gone", [150, 160], [1], [10.0])
    return on


def tables():
    receipts, lines = [], []
    number = 100
    for d, bought in sorted(purchases().items()):
        # The ids do not follow the dates, and some days have two receipts.
        halves = [bought] if len(bought) < 4 else [bought[:2], bought[2:]]
        for half in halves:
            number += 1
            rid = number * 7 % 911
            total = round(sum(a or 0 for *_, a in half), 2)
            shop = SHOPS[(number // 2) % 4] if number % 11 else None
            receipts.append((rid, shop, day(d), None if number % 5 == 0 else total, f"N-{number}"))
            lines += [(rid, i, q, p, a) for i, q, p, a in half]
    receipts.append((2000, "Kuper", day(197), None, "N-empty"))
    receipts.append((2001, "Kuper", None, 500.0, "N-undated"))
    lines.append((2001, "b1", 1, 500.0, 500.0))
    # The same item twice in one receipt is one purchase.
    lines.append((receipts[0][0], lines[0][1], 1, 48.0, 48.0))
    return {
        "receipts": (["id", "shop", "receipt_date", "total", "receipt_number"], receipts),
        "receipt_items": (["receipt_id", "item_id", "quantity", "price", "amount"], lines),
        "items": (["id", "name", "product_id", "unit_of_measure", "shop"], ITEMS),
        "products": (["id", "name", "parent_id"], PRODUCTS),
        "labels": (["id", "name"], LABELS),
        "item_labels": (["item_id", "label_id"], ITEM_LABELS),
    }


db = duckdb.connect()
TYPES = {
    "receipts": "id BIGINT, shop TEXT, receipt_date DATE, total DOUBLE, receipt_number TEXT",
    "receipt_items": "receipt_id BIGINT, item_id TEXT, quantity DOUBLE, price DOUBLE, amount DOUBLE, line BIGINT",
    "items": "id TEXT, name TEXT, product_id TEXT, unit_of_measure TEXT, shop TEXT",
    "products": "id TEXT, name TEXT, parent_id TEXT",
    "labels": "id TEXT, name TEXT",
    "item_labels": "item_id TEXT, label_id TEXT",
}


def load():
    for name, (header, rows) in tables().items():
        with open(os.path.join(HERE, name + ".csv"), "w", newline="", encoding="utf-8") as out:
            w = csv.writer(out, lineterminator="\n")
            w.writerow(header)
            w.writerows([["" if c is None else c for c in row] for row in rows])
        db.execute(f"CREATE TABLE {name} ({TYPES[name]})")
        if name == "receipt_items":
            rows = [(*row, n) for n, row in enumerate(rows)]
        holes = ", ".join("?" * len(rows[0]))
        db.executemany(f"INSERT INTO {name} VALUES ({holes})", rows)
    prepare()


def prepare():
    """What the statements below stand on, once the tables are there."""
    db.execute("CREATE MACRO fold(x) AS replace(lower(x), 'ё', 'е')")
    db.execute(
        """CREATE VIEW bought AS SELECT l.*, r.receipt_date AS day, r.shop AS shop, i.name AS item_name,
        i.product_id, i.id AS known, p.name AS product_name, i.unit_of_measure AS unit
        FROM receipt_items l LEFT JOIN receipts r ON r.id = l.receipt_id
        LEFT JOIN items i ON i.id = l.item_id LEFT JOIN products p ON p.id = i.product_id"""
    )


def sql(text, *params):
    cur = db.execute(text, list(params))
    names = [d[0] for d in cur.description]
    return [dict(zip(names, row)) for row in cur.fetchall()]


def num(x):
    """A number without the noise of doubles; a whole one as such."""
    if x is None:
        return None
    x = round(float(x), 6)
    return int(x) if x == int(x) else x


def cents(x):
    if x is None:
        return None
    exact = Decimal(repr(round(float(x), 8)))
    return num(exact.quantize(Decimal("0.01"), ROUND_HALF_EVEN))


def iso(d):
    return None if d is None else d.isoformat()


def fold(x):
    return x.lower().replace("ё", "е")


def latest():
    return sql("SELECT max(receipt_date) AS d FROM receipts")[0]["d"]


def below(where, *params):
    """Categories that a condition names, and all below them."""
    rows = sql(
        f"""WITH RECURSIVE t(id) AS (SELECT id FROM products WHERE {where}
        UNION SELECT p.id FROM products p JOIN t ON p.parent_id = t.id) SELECT id FROM t""",
        *params,
    )
    return [r["id"] for r in rows]


def named(part):
    return below("contains(fold(name), ?)", fold(part))


def called(name):
    return below("fold(name) = ?", fold(name))


def cut(out, returned, total):
    if total > returned:
        out["truncated"] = {"returned": returned, "total": total}
    return out


def get_receipts(a, today):
    where, params = ["receipt_date <= ?"], [a.get("date_to") or today]
    if "date_from" in a:
        where.append("receipt_date >= ?")
        params.append(a["date_from"])
    if "shop" in a:
        where.append("contains(fold(shop), ?)")
        params.append(fold(a["shop"]))
    rows = sql(
        f"""SELECT id, receipt_date AS date, shop,
        coalesce(total, (SELECT sum(amount) FROM receipt_items WHERE receipt_id = receipts.id), 0) AS total,
        (SELECT count(*) FROM receipt_items WHERE receipt_id = receipts.id) AS items_count
        FROM receipts WHERE {' AND '.join(where)} ORDER BY id""",
        *params,
    )
    key, _, way = a.get("order_by", "date_desc").rpartition("_")
    # A reversed stable sort keeps equal ones in order.
    rows.sort(key=lambda r: r[key], reverse=way == "desc")
    out = {
        "receipts": [
            {**r, "date": iso(r["date"]), "total": num(r["total"])}
            for r in rows[: a.get("limit", 10)]
        ]
    }
    cut(out, len(out["receipts"]), len(rows))
    if a.get("include_summary", True):
        total = sum(r["total"] for r in rows)
        dates = [r["date"] for r in rows]
        out["summary"] = {
            "total_receipts": len(rows),
            "total_amount": num(total),
            "average_receipt": cents(total / len(rows)) if rows else None,
            "period": f"{min(dates)} - {max(dates)}" if rows else None,
        }
    return out


def line_filter(a, today):
    where, params = [], []
    if "receipt_id" in a:
        where.append("CAST(receipt_id AS TEXT) = ?")
        params.append(str(a["receipt_id"]))
    to = a.get("date_to") or (None if "receipt_id" in a else today)
    of = called if a.get("exact_product_name") else named
    for cond, value in [
        ("day <= ?", to),
        ("day >= ?", a.get("date_from")),
        ("contains(fold(item_name), ?)", a.get("item_name") and fold(a["item_name"])),
        ("contains(fold(shop), ?)", a.get("shop") and fold(a["shop"])),
        ("list_contains(?, product_id)", of(a["product_name"]) if "product_name" in a else None),
    ]:
        if value is not None:
            where.append(cond)
            params.append(value)
    return " AND ".join(where) or "true", params


def get_receipt_items(a, today):
    where, params = line_filter(a, today)
    limit = a.get("limit", 50)
    total = sql(f"SELECT coalesce(sum(amount), 0) AS t, count(*) AS n FROM bought WHERE {where}", *params)[0]
    if a.get("group_by_item"):
        rows = sql(
            f"""SELECT item_name, product_name, sum(quantity) AS total_quantity,
            sum(amount) AS total_amount, count(DISTINCT receipt_id) AS purchase_count
            FROM bought WHERE {where} GROUP BY item_id, item_name, product_name
            ORDER BY purchase_count DESC, total_amount DESC NULLS LAST, item_name NULLS LAST, item_id""",
            *params,
        )
        for r in rows:
            r["total_quantity"], r["total_amount"] = num(r["total_quantity"]), num(r["total_amount"])
        out = {"items": rows[:limit], "total_items": len(rows), "grand_total_amount": num(total["t"])}
        return cut(out, len(out["items"]), len(rows))
    rows = sql(
        f"""SELECT item_name, product_name, quantity, price, amount, day AS receipt_date, shop
        FROM bought WHERE {where} ORDER BY day DESC NULLS LAST, receipt_id, line LIMIT {limit}""",
        *params,
    )
    for r in rows:
        r["receipt_date"] = iso(r["receipt_date"])
        for name in ["quantity", "price", "amount"]:
            r[name] = num(r[name])
    out = {"items": rows, "total_items": total["n"], "total_amount": num(total["t"])}
    return cut(out, len(rows), total["n"])


def by_name(r):
    return (r["name"] is None, fold(r["name"] or ""), r["name"] or "", r["id"])


def get_products(a, _):
    rows = sorted(sql("SELECT id, name, parent_id FROM products"), key=by_name)
    ids = {r["id"] for r in rows}
    parent = a.get("parent_id")
    if "search" in a:
        found = [r for r in rows if fold(a["search"]) in fold(r["name"])]
        if parent is not None:
            inside = set(below("id = ?", parent)) - {parent}
            found = [r for r in found if r["id"] in inside]
    elif parent is not None:
        found = [r for r in rows if r["parent_id"] == parent]
    else:
        found = [r for r in rows if r["parent_id"] not in ids]

    def entry(r):
        out = {"id": r["id"], "name": r["name"]}
        if a.get("include_items_count", True):
            out["items_count"] = sql(
                "SELECT count(*) AS n FROM items WHERE list_contains(?, product_id)",
                below("id = ?", r["id"]),
            )[0]["n"]
        return out

    out = []
    for r in found:
        e = entry(r)
        if a.get("include_children"):
            e["children"] = [entry(c) for c in rows if c["parent_id"] == r["id"] and c["id"] != r["id"]]
        out.append(e)
    return {"products": out, "total_products": len(out)}


def get_items(a, today):
    of = called if a.get("exact_product_name") else named
    where, params = ["true"], []
    for cond, value in [
        ("list_contains(?, product_id)", below("id = ?", str(a["product_id"])) if "product_id" in a else None),
        ("list_contains(?, product_id)", of(a["product_name"]) if "product_name" in a else None),
        ("contains(fold(name), ?)", a.get("search") and fold(a["search"])),
        ("contains(fold(shop), ?)", a.get("shop") and fold(a["shop"])),
    ]:
        if value is not None:
            where.append(cond)
            params.append(value)
    rows = sql(
        f"""SELECT id, name, (SELECT name FROM products p WHERE p.id = product_id) AS product_name,
        unit_of_measure, shop FROM items WHERE {' AND '.join(where)}""",
        *params,
    )
    rows.sort(key=by_name)
    total = len(rows)
    rows = rows[: a.get("limit", 50)]
    if a.get("include_purchase_stats"):
        for r in rows:
            s = sql(
                """SELECT count(DISTINCT receipt_id) AS n, sum(quantity) AS q,
                sum(amount) FILTER (quantity IS NOT NULL) AS a,
                sum(quantity) FILTER (amount IS NOT NULL) AS priced, max(day) AS d FROM bought WHERE item_id = ? AND day <= ?""",
                r["id"], today,
            )[0]
            r["purchase_stats"] = {
                "total_purchases": s["n"],
                "total_quantity": num(s["q"] or 0),
                "last_purchase": iso(s["d"]),
                "avg_price": cents(s["a"] / s["priced"]) if s["priced"] else None,
            }
    return cut({"items": rows, "total_items": total}, len(rows), total)


def get_labels(a, _):
    out = []
    for label in sorted(sql("SELECT * FROM labels"), key=by_name):
        if fold(a.get("label_name", "")) not in fold(label["name"]):
            continue
        items = sql(
            """SELECT i.name AS name, p.name AS product FROM
            (SELECT DISTINCT item_id FROM item_labels WHERE label_id = ?) t
            LEFT JOIN items i ON i.id = t.item_id LEFT JOIN products p ON p.id = i.product_id
            ORDER BY fold(i.name) NULLS LAST, i.name NULLS LAST, t.item_id""",
            label["id"],
        )
        e = {"id": label["id"], "name": label["name"], "items_count": len(items)}
        if a.get("include_items", True):
            e["items"] = items[: a.get("items_limit", 10)]
            cut(e, len(e["items"]), len(items))
        out.append(e)
    return {"labels": out, "total_labels": len(out)}


# Prediction, by the stated rules.

PIECES = {"шт", "уп"}


def predict(history, today, unit):
    """history: (date, quantity, quantity and amount of the lines with both) by date."""
    if len(history) < 2:
        return None
    dates = [h[0] for h in history]
    gaps = [(b - a).days for a, b in zip(dates, dates[1:])]
    weighed = sorted(
        ((g, n) for n, g in enumerate(gaps)), key=lambda x: (x[0], x[1])
    )  # equal gaps: older first
    weights = [0.5 ** ((len(gaps) - 1 - n) / 5) for _, n in weighed]
    total, run, places = sum(weights), 0.0, []
    for w in weights:
        places.append((run + w / 2) / total)
        run += w
    typical = None
    for n, place in enumerate(places):
        if place >= 0.5:
            g = weighed[n][0]
            if n == 0:
                typical = float(g)
            else:
                g0, p0 = weighed[n - 1][0], places[n - 1]
                typical = g0 + (g - g0) * (0.5 - p0) / (place - p0)
            break
    if typical is None:
        typical = float(weighed[-1][0])
    since = (today - dates[-1]).days
    if since / typical > 6:
        return None
    cv = st.stdev(gaps) / st.mean(gaps) if len(gaps) > 1 else None
    n = len(dates)
    level = 2 if n >= 6 and cv <= 0.5 else 1 if n >= 3 and cv <= 1 else 0
    if since / typical > 3:
        level = max(0, level - 1)
    return {
        "next": dates[-1] + math.floor(typical + 0.5) * DAY,
        "level": level,
        "quantity": usual(history, unit),
        "typical": typical,
        "cv": cv,
        "n": n,
        "last": dates[-1],
        "since": since,
    }


def usual(history, unit):
    known = [h[1] for h in history if h[1] is not None]
    if not known:
        return None
    q = st.median(known)
    return math.ceil(q) if unit in PIECES else q


def unit_price(history):
    prices = [a / q for _, _, q, a in history if q and a is not None]
    if not prices:
        return None
    before = prices[:-1][-3:]
    if before and abs(prices[-1] - st.median(before)) > 0.5 * st.median(before):
        return st.median(prices[-3:])
    return prices[-1]


LEVELS = ["low", "medium", "high"]


def shown(p):
    return p and {
        "next_purchase_date": iso(p["next"]),
        "confidence": LEVELS[p["level"]],
        "suggested_quantity": num(p["quantity"]),
        "typical_gap_days": cents(p["typical"]),
        "gap_variation": cents(p["cv"]),
        "purchase_dates": p["n"],
        "last_purchase": iso(p["last"]),
        "days_since_last": p["since"],
    }


def history(column, value, today):
    rows = sql(
        f"""SELECT day, sum(quantity) AS q, sum(quantity) FILTER (amount IS NOT NULL) AS priced,
        sum(amount) FILTER (quantity IS NOT NULL) AS a FROM bought
        WHERE {column} = ? AND day <= ? GROUP BY day ORDER BY day""",
        value, today,
    )
    return [(r["day"], r["q"], r["priced"], r["a"]) for r in rows]


def get_purchase_statistics(a, today):
    days = a.get("period_days", 90)
    now = today
    today = dt.date.fromisoformat(a["date_to"]) if "date_to" in a else now
    start = dt.date.fromisoformat(a["date_from"]) if "date_from" in a else today - days * DAY
    where, params = "day >= ? AND day <= ?", [start, today]
    if "product_name" in a:
        where += " AND list_contains(?, product_id)"
        of = called if a.get("exact_product_name") else named
        params.append(of(a["product_name"]))
    kind = a.get("group_by", "item")
    keys = {
        "item": "item_id, item_name, product_name",
        "product": "product_id, product_name",
        "shop": "shop",
        "day_of_week": "isodow(day)",
        "week": "date_trunc('week', day)::DATE",
        "month": "date_trunc('month', day)::DATE",
    }[kind]
    first = keys if kind in ("week", "month") else keys.split(", ")[0]
    least = 0 if kind in ("day_of_week", "week", "month") else a.get("min_purchase_count", 2)
    name = {"item": "item_name", "product": "product_name", "shop": "shop"}.get(kind)
    order = f"2 DESC, 4 DESC NULLS LAST, {name} NULLS LAST, 1" if name else "1"
    groups = sql(
        f"""SELECT {first} AS key, count(DISTINCT receipt_id) AS n, sum(quantity) AS q, sum(amount) AS a,
        max(day) AS last, sum(amount) FILTER (quantity IS NOT NULL) / nullif(sum(quantity)
        FILTER (amount IS NOT NULL), 0) AS price, list_sort(list(DISTINCT day)) AS dates, {keys}
        FROM bought WHERE {where} GROUP BY {keys}
        HAVING count(DISTINCT receipt_id) >= {least} ORDER BY {order}""",
        *params,
    )
    whole = sql(
        f"SELECT count(DISTINCT item_id) AS n, coalesce(sum(amount), 0) AS a FROM bought WHERE {where}",
        *params,
    )[0]
    out = []
    for g in groups[: a.get("limit", 20)]:
        e = {}
        if kind == "item":
            e["item_name"] = g["item_name"]
        if kind in ("item", "product"):
            e["product_name"] = g["product_name"]
        if kind == "shop":
            e["shop"] = g["shop"]
        if kind == "day_of_week":
            e["day_of_week"] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][g["key"] - 1]
        if kind == "week":
            e["week"] = iso(g["key"])
        if kind == "month":
            e["month"] = iso(g["key"])
        e["purchase_count"] = g["n"]
        e["total_quantity"] = num(g["q"])
        e["total_amount"] = num(g["a"])
        if kind == "product":
            e["percent_of_total"] = cents((g["a"] or 0) / whole["a"] * 100)
        if kind == "month":
            known = "product_name" in a and g["price"] is not None
            e["avg_price"] = cents(g["price"]) if known else None
        if name:
            gaps = [(y - x).days for x, y in zip(g["dates"], g["dates"][1:])]
            e["avg_days_between"] = cents(st.mean(gaps)) if gaps else None
        e["last_purchase"] = iso(g["last"])
        if a.get("include_prediction") and kind not in ("item", "product"):
            e["prediction"] = None
        elif a.get("include_prediction"):
            column = "item_id" if kind == "item" else "product_id"
            h = history(column, g["key"], now)
            units = f"SELECT DISTINCT unit FROM bought WHERE {column} = ? AND day <= ? AND unit IS NOT NULL"
            units = sql(units, g["key"], now)
            unit = units[0]["unit"] if len(units) == 1 else None
            e["prediction"] = shown(predict(h, now, unit))
        out.append(e)
    result = {
        "period": {"from": iso(start), "to": iso(today), "days": (today - start).days},
        "statistics": out,
        "summary": {"total_unique_items": whole["n"], "total_spent": num(whole["a"])},
    }
    return cut(result, len(out), len(groups))


def generate_shopping_list(a, today):
    end = today + a.get("days_ahead", 7) * DAY
    least = LEVELS.index(a.get("min_confidence", "medium"))
    wanted = {fold(x) for x in a.get("include_labels", [])}
    unwanted = {fold(x) for x in a.get("exclude_labels", [])}
    entries = []
    for item in sql(
        "SELECT i.*, p.name AS product FROM items i LEFT JOIN products p ON p.id = i.product_id ORDER BY i.id"
    ):
        labels = sorted(
            {r["name"] for r in sql(
                "SELECT b.name FROM item_labels t JOIN labels b ON b.id = t.label_id WHERE t.item_id = ?",
                item["id"],
            )}
        )
        folded = {fold(x) for x in labels}
        if folded & unwanted:
            continue
        h = history("item_id", item["id"], today)
        p = predict(h, today, item["unit_of_measure"])
        due = p and p["next"] <= end and p["level"] >= least
        if not due and not folded & wanted:
            continue
        quantity = p["quantity"] if p else usual(h, item["unit_of_measure"])
        price = unit_price(h)
        price = cents(quantity * price) if quantity is not None and price is not None else None
        level = p["level"] if p else 0
        overdue = (today - p["next"]).days if p else -math.inf
        entries.append(
            (
                (-overdue, -level, math.inf if price is None else price, item["name"], item["id"]),
                {
                    "item_name": item["name"],
                    "product_name": item["product"],
                    "suggested_quantity": num(quantity),
                    "estimated_price": num(price),
                    "confidence": LEVELS[level],
                    "labels": labels,
                    "prediction": shown(p),
                },
            )
        )
    entries.sort(key=lambda e: e[0])
    kept, skipped, total = [], [], 0
    limit = a.get("budget_limit")
    for _, e in entries:
        price = e["estimated_price"]
        if limit is not None and (price is None or cents(total + price) > limit):
            skipped.append(e["item_name"])
            continue
        total = cents(total + (price or 0))
        kept.append(e)
    summary = {
        "total_items": len(kept),
        "estimated_total": num(total),
        "planning_period": f"{today} - {end}",
    }
    if limit is not None:
        summary["skipped"] = skipped
    return {"shopping_list": kept, "summary": summary}


CASES = {
    "get_receipts": [
        {},
        {"limit": 1},
        {"limit": 3, "order_by": "date_asc"},
        {"limit": 5, "order_by": "total_desc"},
        {"limit": 5, "order_by": "total_asc"},
        {"include_summary": False, "limit": 2},
        {"include_summary": False, "limit": 500},
        {"date_from": "2024-12-01", "date_to": "2024-12-07"},
        {"date_from": "2024-12-01", "date_to": "2024-12-31"},
        {"date_from": "2024-12-15", "date_to": "2024-12-15"},
        {"date_from": "2025-01-01"},
        {"date_to": "2024-06-05"},
        {"shop": "ПЯТЕРОЧКА", "limit": 4},
        {"shop": "пятёрочка у", "limit": 4},
        {"shop": "kup", "date_from": "2024-11-01"},
        {"shop": "такого нет"},
        {"shop": "%"},
        {"shop": "' OR '1' = '1"},
        {"date_to": "2030-01-01", "limit": 1},
        {"date_from": "2024-12-08", "date_to": "2024-12-15", "limit": 7},
        {"date_from": "2024-12-08", "date_to": "2024-12-15", "limit": 6, "order_by": "date_desc"},
        {"shop": "вкусвилл", "order_by": "total_asc", "limit": 8},
        {"shop": "вкусвилл", "order_by": "total_desc", "date_to": "2024-07-01", "limit": 50},
        {"shop": "kuper", "order_by": "date_asc", "include_summary": False, "limit": 2},
    ],
    "get_receipt_items": [
        {"limit": 6},
        {"receipt_id": 707},
        {"receipt_id": "707"},
        {"receipt_id": 2000},
        {"receipt_id": 2001},
        {"receipt_id": 707, "date_to": "2024-06-01"},
        {"receipt_id": "nope"},
        {"date_from": "2024-12-01", "date_to": "2024-12-03"},
        {"date_from": "2024-12-15"},
        {"date_to": "2024-06-03"},
        {"limit": 1},
        {"item_name": "МОЛОКО", "limit": 4},
        {"item_name": "елочная"},
        {"item_name": "Ёж"},
        {"product_name": "молоч", "limit": 5},
        {"product_name": "твердый", "limit": 3},
        {"product_name": "круг", "limit": 3},
        {"product_name": "сам"},
        {"product_name": "нет такой"},
        {"shop": "пятерочка", "product_name": "ТВЁРДЫЙ"},
        {"shop": "вкус", "item_name": "сыр", "limit": 3},
        {"group_by_item": True},
        {"group_by_item": True, "limit": 2},
        {"group_by_item": True, "product_name": "молочные", "date_from": "2024-10-01"},
        {"product_name": "молоко", "date_from": "2024-11-01", "date_to": "2024-11-30",
         "group_by_item": True},
        {"group_by_item": True, "item_name": "ничего"},
        {"group_by_item": True, "receipt_id": 707},
        {"receipt_id": 707, "date_from": "2024-06-02", "date_to": "2024-06-02"},
        {"receipt_id": 707, "date_from": "2024-06-03"},
        {"receipt_id": 2001, "date_from": "2024-01-01"},
        {"receipt_id": 707, "item_name": "хлеб", "product_name": "хлеб", "shop": "пятерочка"},
        {"item_name": "%"},
        {"item_name": "3.5%", "limit": 2},
        {"item_name": "'"},
        {"shop": "такого нет"},
        {"date_from": "2024-12-15", "date_to": "2030-01-01"},
        {"date_from": "2025-01-01"},
        {"product_name": "хлеб", "item_name": "булка", "date_to": "2030-01-01"},
        {"product_name": "овощи", "date_from": "2024-06-06", "date_to": "2024-06-20"},
        {"group_by_item": True, "product_name": "круг б"},
        {"group_by_item": True, "shop": "ПЯТЕРОЧКА У", "limit": 100},
        {"group_by_item": True, "date_from": "2024-06-01", "date_to": "2024-06-03"},
        {"group_by_item": True, "product_name": "твердый сыр", "exact_product_name": True},
        {"group_by_item": True, "product_name": "СЫР", "exact_product_name": True},
        {"product_name": "твёрд", "exact_product_name": True},
    ],
    "get_purchase_statistics": [
        {},
        {"limit": 3},
        {"min_purchase_count": 1},
        {"min_purchase_count": 1000},
        {"period_days": 1, "min_purchase_count": 1},
        {"period_days": 36500},
        {"product_name": "молочные"},
        {"product_name": "ТВЕРДЫЙ", "min_purchase_count": 1},
        {"product_name": "круг", "period_days": 365, "min_purchase_count": 1},
        {"product_name": "нет такой"},
        {"limit": 1, "min_purchase_count": 7},
        {"group_by": "product"},
        {"group_by": "product", "min_purchase_count": 1, "limit": 4},
        {"group_by": "product", "product_name": "овощи"},
        {"group_by": "shop"},
        {"group_by": "shop", "min_purchase_count": 7},
        {"group_by": "shop", "product_name": "молоко", "limit": 1},
        {"group_by": "week", "product_name": "нет такой"},
        {"group_by": "day_of_week"},
        {"group_by": "day_of_week", "limit": 2},
        {"group_by": "week", "limit": 5},
        {"group_by": "week", "period_days": 10, "min_purchase_count": 50},
        {"include_prediction": True},
        {"include_prediction": True, "period_days": 30, "min_purchase_count": 1},
        {"include_prediction": True, "group_by": "product"},
        {"include_prediction": True, "group_by": "product", "product_name": "сыр", "limit": 1},
        {"include_prediction": True, "product_name": "круг", "min_purchase_count": 1},
        {"include_prediction": True, "product_name": "нет такой"},
        {"period_days": 14, "min_purchase_count": 1, "limit": 100},
        {"min_purchase_count": 2, "limit": 100, "period_days": 45},
        {"group_by": "product", "product_name": "нет такой"},
        {"group_by": "shop", "min_purchase_count": 1, "period_days": 7},
        {"group_by": "shop", "product_name": "ТВЕРДЫЙ", "min_purchase_count": 1},
        {"group_by": "day_of_week", "product_name": "молочные", "period_days": 30},
        {"group_by": "week", "product_name": "хлеб", "period_days": 30, "limit": 3},
        {"group_by": "week", "period_days": 36500, "limit": 1},
        {"group_by": "month", "period_days": 36500},
        {"group_by": "month", "product_name": "молоко", "period_days": 36500},
        {
            "group_by": "month",
            "product_name": "твердый сыр",
            "exact_product_name": True,
            "date_from": "2024-06-10",
            "date_to": "2024-08-20",
        },
        {"group_by": "product", "product_name": "СЫР", "exact_product_name": True},
        {"group_by": "month", "include_prediction": True, "limit": 2},
        {"group_by": "week", "include_prediction": True, "limit": 2},
        {"group_by": "day_of_week", "include_prediction": True, "period_days": 7},
        {"group_by": "shop", "include_prediction": True, "limit": 2},
        {"group_by": "product", "date_from": "2024-06-06", "date_to": "2024-06-20", "min_purchase_count": 1},
        {"date_to": "2024-07-01", "period_days": 14, "include_prediction": True},
        {"group_by": "week", "date_from": "2024-07-20"},
    ],
    "generate_shopping_list": [
        {},
        {"days_ahead": 0},
        {"days_ahead": 30},
        {"days_ahead": 36500},
        {"min_confidence": "low"},
        {"min_confidence": "high"},
        {"include_labels": ["для завтрака"]},
        {"include_labels": ["НА ЕЛКУ", "Пустая"]},
        {"exclude_labels": ["Для завтрака"], "min_confidence": "low", "days_ahead": 60},
        {"include_labels": ["Для завтрака"], "exclude_labels": ["Для завтрака"]},
        {"exclude_labels": ["на елку"], "min_confidence": "low"},
        {"budget_limit": 300, "min_confidence": "low", "days_ahead": 14},
        {"budget_limit": 0},
        {"budget_limit": 227.8, "include_labels": ["Для завтрака"]},
        {"days_ahead": 1, "min_confidence": "low"},
        {"days_ahead": 2, "min_confidence": "low"},
        {"include_labels": []},
        {"include_labels": ["дорогое", "ДЛЯ ЗАВТРАКА"], "min_confidence": "high"},
        {"include_labels": ["На ёлку"], "exclude_labels": ["Дорогое"], "days_ahead": 0},
        {"exclude_labels": ["Пустая"]},
        {"exclude_labels": ["для завтрака", "на елку", "дорогое"], "min_confidence": "low"},
        {"budget_limit": 120},
        {"budget_limit": 119.99},
        {"budget_limit": 1000000, "min_confidence": "low"},
        {"budget_limit": 48, "exclude_labels": ["Для завтрака"], "min_confidence": "low"},
    ],
    "get_items": [
        {"product_name": "СЫР", "exact_product_name": True, "include_purchase_stats": True},
        {"product_name": "твёрд", "exact_product_name": True},
        {},
        {"limit": 2},
        {"search": "СЫР"},
        {"search": "ежевик"},
        {"search": "ёж"},
        {"search": "нет такого"},
        {"shop": "kuper"},
        {"shop": "ПЯТЕРОЧКА"},
        {"limit": 1, "include_purchase_stats": True, "product_id": "p9"},
        {"product_id": "p1"},
        {"product_id": "p9"},
        {"product_id": "p6"},
        {"product_id": "nope"},
        {"product_name": "сыр"},
        {"product_id": "p12", "product_name": "молочные"},
        {"include_purchase_stats": True},
        {"include_purchase_stats": True, "product_name": "хлеб", "limit": 2},
        {"limit": 14},
        {"limit": 13},
        {"search": "ПЛАВЛЕНЫЙ", "shop": "kup", "product_name": "сыр"},
        {"search": "сыр", "shop": "такого нет"},
        {"search": "%"},
        {"search": "3.5%"},
        {"shop": "у дома"},
        {"product_name": "ТВЕРДЫЙ"},
        {"product_name": "круг"},
        {"product_name": "потерянная", "include_purchase_stats": True},
        {"product_name": "нет такой"},
        {"product_id": "p8", "product_name": "круг а"},
        {"product_id": "p1", "product_name": "хлеб"},
        {"include_purchase_stats": True, "search": "мед"},
        {"include_purchase_stats": True, "search": "пакет"},
    ],
    "get_products": [
        {},
        {"parent_id": None},
        {"parent_id": "p1"},
        {"parent_id": "p6", "include_children": True},
        {"parent_id": "p8", "include_children": True},
        {"parent_id": "nope"},
        {"search": "СЫР"},
        {"search": "твердый"},
        {"search": "круг", "include_children": True},
        {"search": "сыр", "parent_id": "p12"},
        {"search": "нет такой"},
        {"include_children": True, "include_items_count": False},
        {"include_children": True},
        {"parent_id": "p1", "include_items_count": False},
        {"parent_id": "p9"},
        {"parent_id": "p121"},
        {"search": "ПОТЕРЯННАЯ", "include_children": True},
        {"search": "круг", "parent_id": "p8"},
        {"search": "круг", "parent_id": "p1"},
        {"search": "сам", "parent_id": "p6"},
        {"search": "е", "include_items_count": False},
        {"search": "%"},
    ],
    "get_labels": [
        {},
        {"include_items": False},
        {"items_limit": 1},
        {"label_name": "ЕЛКУ"},
        {"label_name": "нет такой"},
        {"label_name": "завтрак", "include_items": False},
        {"label_name": "завтрак", "items_limit": 4},
        {"label_name": "завтрак", "items_limit": 3},
        {"label_name": "завтрак", "items_limit": 1000},
        {"label_name": "пустая"},
        {"label_name": "дорог", "items_limit": 2},
        {"label_name": "на ёлку", "include_items": False, "items_limit": 1},
        {"label_name": "%"},
    ],
}

# The same questions asked on another day.
EARLIER = [
    ("get_receipts", {"limit": 2}),
    ("get_receipt_items", {"limit": 2}),
    ("get_items", {"include_purchase_stats": True, "search": "молоко"}),
    ("get_purchase_statistics", {"include_prediction": True, "limit": 4}),
    ("generate_shopping_list", {}),
]


def back_test(held_out):
    """Each of the last purchase dates of every item, predicted from those before it."""
    series = {}
    for row in sql("SELECT DISTINCT item_id, day FROM bought WHERE day IS NOT NULL ORDER BY ALL"):
        series.setdefault(row["item_id"], []).append(row["day"])
    out = {name: [0, 0, 0] for name in ["all", "low", "medium", "high"]}
    for dates in series.values():
        for place in range(max(2, len(dates) - held_out), len(dates)):
            before, actual = dates[:place], dates[place]
            made = predict([(day, 1, None) for day in before], before[-1], None)
            mean = (before[-1] - before[0]).days / (place - 1)
            naive = before[-1] + math.floor(mean + 0.5) * DAY
            for name in ["all", ["low", "medium", "high"][made["level"]]]:
                out[name][0] += 1
                out[name][1] += abs((actual - made["next"]).days)
                out[name][2] += abs((actual - naive).days)
    return out


def lines(value, indent=""):
    """JSON with a line for each member of a list and of the objects around it."""
    dump = lambda x: json.dumps(x, ensure_ascii=False)  # noqa: E731
    if isinstance(value, dict) and any(isinstance(v, (list, dict)) and v for v in value.values()):
        inner = [f"{indent} {dump(k)}: {lines(v, indent + ' ')}" for k, v in value.items()]
        return "{\n" + ",\n".join(inner) + f"\n{indent}}}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(f"{indent} {dump(v)}" for v in value) + f"\n{indent}]"
    return dump(value)


def main():
    load()
    out = ["What each tool answers over the tables beside this file. `make.py` computed it.\n"]
    asked = [(None, tool, args) for tool, list in CASES.items() for args in list]
    asked += [(dt.date(2024, 9, 30), tool, args) for tool, args in EARLIER]
    for today, tool, args in asked:
        answer = globals()[tool](args, today or latest())
        at = f" on {today}" if today else ""
        out.append(f"## {tool} {json.dumps(args, ensure_ascii=False)}{at}")
        out.append(lines(answer) + "\n")
    with open(os.path.join(HERE, "cases.txt"), "w", encoding="utf-8") as f:
        f.write("\n".join(out))
    with open(os.path.join(HERE, "backtest.json"), "w", encoding="utf-8") as f:
        json.dump({str(k): back_test(k) for k in [1, 3, 100]}, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main()
