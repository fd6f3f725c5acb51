"""Makes what the tools answer about the sample household, for the questions that they are for:
independently, by the SQL on DuckDB and the rules of make.py.

    python household.py        (needs `pip install duckdb`, and node for the generator)

Writes household.json beside itself: each question with its calls and their whole answers.
"""

import json
import os
import subprocess
import tempfile

import make
from make import DAY, HERE, db, latest, prepare, sql

GENERATOR = os.path.join(HERE, "..", "..", "benches", "household.mjs")

TYPES = {
    "products": "{'id': 'BIGINT', 'name': 'TEXT', 'parent_id': 'BIGINT'}",
    "items": "{'id': 'BIGINT', 'name': 'TEXT', 'product_id': 'BIGINT', 'unit_of_measure': 'TEXT', 'shop': 'TEXT'}",
    "labels": "{'id': 'BIGINT', 'name': 'TEXT'}",
    "item_labels": "{'item_id': 'BIGINT', 'label_id': 'BIGINT'}",
    "receipts": "{'id': 'BIGINT', 'shop': 'TEXT', 'receipt_date': 'DATE', 'total': 'DOUBLE', 'receipt_number': 'TEXT'}",
    "receipt_items": "{'receipt_id': 'BIGINT', 'item_id': 'BIGINT', 'quantity': 'DOUBLE', 'price': 'DOUBLE', 'amount': 'DOUBLE'}",
}


def load():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["node", GENERATOR, folder, "--seeds", "1"], check=True)
        for name, types in TYPES.items():
            path = os.path.join(folder, "001", name + ".csv")
            more = ", row_number() OVER () - 1 AS line" if name == "receipt_items" else ""
            db.execute(
                f"CREATE TABLE {name} AS SELECT *{more} FROM read_csv('{path}', header = true, columns = {types})"
            )
    prepare()


def questions():
    """Each question with its calls."""
    today = latest()
    last = sql("SELECT id FROM receipts ORDER BY receipt_date DESC, id LIMIT 1")[0]["id"]
    dairy = sql("SELECT id FROM products WHERE name = 'Молочные продукты'")[0]["id"]
    week = (today - 6 * DAY).isoformat()
    month = (today - 30 * DAY).isoformat()
    december = {"date_from": "2024-12-01", "date_to": "2024-12-31"}
    november = {"date_from": "2024-11-01", "date_to": "2024-11-30"}
    return [
        ("Покажи мои чеки за последнюю неделю", [("get_receipts", {"date_from": week})]),
        ("Какая дата последнего чека?", [("get_receipts", {"limit": 1})]),
        ("Сколько я потратил в декабре?", [("get_receipts", december)]),
        (
            "В каких магазинах я покупал?",
            [("get_purchase_statistics", {"group_by": "shop", "period_days": 36500})],
        ),
        (
            "Что я купил в последнем чеке?",
            [("get_receipts", {"limit": 1}), ("get_receipt_items", {"receipt_id": last})],
        ),
        (
            "Сколько молока я купил за месяц?",
            [("get_receipt_items", {"product_name": "молоко", "date_from": month, "group_by_item": True})],
        ),
        (
            "How much milk did I buy last month?",
            [("get_receipt_items", {"product_name": "молоко", **november, "group_by_item": True})],
        ),
        (
            "Покажи все покупки категории 'Молочные продукты'",
            [("get_receipt_items", {"product_name": "Молочные продукты"})],
        ),
        ("Какие категории продуктов у меня есть?", [("get_products", {})]),
        ("Какие категории у меня есть?", [("get_products", {})]),
        (
            "Покажи подкатегории 'Молочные продукты'",
            [
                ("get_products", {"search": "молочные продукты", "include_children": True}),
                ("get_products", {"parent_id": dairy}),
            ],
        ),
        ("Сколько товаров в каждой категории?", [("get_products", {})]),
        (
            "Какие товары я покупаю в категории 'Молоко'?",
            [("get_items", {"product_name": "Молоко", "include_purchase_stats": True})],
        ),
        ("Найди все товары со словом 'сыр'", [("get_items", {"search": "сыр"})]),
        ("Какие товары есть в магазине Берёзка?", [("get_items", {"shop": "березка"})]),
        ("Какие метки у меня есть?", [("get_labels", {})]),
        (
            "Какие товары помечены как 'Для завтрака'?",
            [("get_labels", {"label_name": "для завтрака", "items_limit": 30})],
        ),
        (
            "Какие продукты я чаще всего покупаю?",
            [("get_purchase_statistics", {"group_by": "product"})],
        ),
        (
            "Предскажи мои следующие покупки",
            [("get_purchase_statistics", {"group_by": "product", "include_prediction": True, "limit": 5})],
        ),
        (
            "Сколько я трачу в месяц на молочные продукты?",
            [("get_purchase_statistics", {"period_days": 30, "product_name": "молочные продукты"})],
        ),
        ("Сформируй корзину для следующей закупки", [("generate_shopping_list", {})]),
        ("Что мне нужно купить на этой неделе?", [("generate_shopping_list", {})]),
    ]


def main():
    load()
    out = []
    for question, calls in questions():
        made = [
            {"tool": tool, "arguments": args, "answer": getattr(make, tool)(args, latest())}
            for tool, args in calls
        ]
        out.append({"question": question, "calls": made})
    with open(os.path.join(HERE, "household.json"), "w", encoding="utf-8") as f:
        f.write(make.lines(out) + "\n")


if __name__ == "__main__":
    main()
