"""Delimited text in the shapes of Excel's exports. See make.py.

No Excel wrote these files. Python's csv module wrote them, in the dialects that Excel documents, so they
are named `script-*` after what made them. What a spreadsheet itself writes is in `libreoffice-*`.
"""

import csv
import datetime as dt
import io

import pyarrow as pa

from readers import BASE, FILES, change, duckdb_csv, expect, put, pyarrow_csv


def written(rows, **dialect):
    out = io.StringIO(newline="")
    csv.writer(out, **{"lineterminator": "\r\n", **dialect}).writerows(rows)
    return out.getvalue()


def number_ru(v, digits=2):
    text = f"{v:,.{digits}f}"
    return text.replace(",", "\xa0").replace(".", ",")


def script_files():
    rows = [r for r in BASE if r["price"] is not None]
    head = ["Дата", "Товар", "Кол-во", "Цена", "Доля", "Сумма, руб."]
    body = [
        [r["day"].strftime("%d.%m.%Y"), r["item"], r["n"], f"{r['price']:.2f}".replace(".", ","),
         f"{i * 2.5:.1f}%".replace(".", ","), number_ru(r["price"] * 1000)]
        for i, r in enumerate(rows)
    ]
    # characters that the code page does not have are question marks in Excel's export
    for name, encoding, delimiter in [("script-ru-1251.csv", "cp1251", ";"),
                                      ("script-ru-unicode.txt", "utf-16-le", "\t")]:
        text = written([head, *body], delimiter=delimiter)
        mark = "\ufeff" if encoding.startswith("utf-16") else ""
        put(name, (mark + text).encode(encoding, "replace"))
        copy = put("copy.csv", text.encode(encoding, "replace").decode(encoding))
        columns = pyarrow_csv(copy, parse={"delimiter": delimiter}, convert={
            "decimal_point": ",", "timestamp_parsers": ["%d.%m.%Y"],
            "column_types": {"Доля": pa.string(), "Сумма, руб.": pa.string()}})
        copy.unlink()
        # pyarrow reads neither percents nor spaces between thousands
        number = lambda v: float(v.strip("%").replace("\xa0", "").replace(",", "."))
        columns = change(columns, **{
            "Доля": number, "Сумма, руб.": number,
            "Дата": lambda v: v.date() if isinstance(v, dt.datetime) else v})
        expect(name, f"Python's csv module in the shape of Excel, in {encoding}, read by pyarrow", columns)

    head = ["Datum", "Größe", "Preis", "Menge", "Straße"]
    body = [[r["timestamp"].strftime("%d.%m.%Y %H:%M"), ["groß", "klein", "süß"][i % 3],
             f"{r['price']:,.2f}".translate(str.maketrans(",.", ".,")) + " €", r["n"], "Bäckerweg"]
            for i, r in enumerate(rows)]
    text = written([head, *body], delimiter=";")
    put("script-de-1252.csv", text.encode("cp1252"))
    copy = put("copy.csv", text)
    columns = duckdb_csv(copy, sep=";", timestampformat="%d.%m.%Y %H:%M",
                         types={"Preis": "VARCHAR", "Datum": "TIMESTAMP"})
    copy.unlink()
    # DuckDB does not read currencies
    columns = change(columns, Preis=lambda v: float(
        v.removesuffix(" €").replace(".", "").replace(",", ".")))
    expect("script-de-1252.csv",
           "Python's csv module in the shape of Excel, in cp1252, read by DuckDB", columns)

    head = ["Date", "Item", "Price", "Share", "Sold", "Zip", "Note"]
    body = [[f"{r['day'].month}/{r['day'].day}/{r['day'].year}", r["item"],
             f"-${-r['price']:,.2f}" if r["price"] < 0 else f"${r['price']:,.2f}", f"{i}%",
             "TRUE" if i % 2 else "FALSE", f"{i:05}", ""] for i, r in enumerate(rows)]
    put("script-en-bom.csv", "\ufeff" + written([head, *body]))
    columns = duckdb_csv(FILES / "script-en-bom.csv", dateformat="%m/%d/%Y", types={
        "Price": "VARCHAR", "Share": "VARCHAR", "Zip": "VARCHAR", "Note": "VARCHAR", "Date": "DATE"})
    # numbers with zeros in front are text; DuckDB reads neither dollars nor percents
    columns = change(columns, Share=lambda v: int(v.strip("%")),
                     Price=lambda v: float(v.replace("$", "").replace(",", "")))
    expect("script-en-bom.csv",
           "Python's csv module in the shape of Excel, with a byte-order mark, read by DuckDB", columns)

    put("script-sep.csv", "sep=;\r\n" + written([["a,1", "b"], [1, "x"], [2, "y;z"]], delimiter=";"))
    expect("script-sep.csv",
           "Python's csv module with Excel's line that declares the delimiter, read by DuckDB",
           duckdb_csv(FILES / "script-sep.csv", skip=1, sep=";", header=True))

    put("script-mac.csv", written([["a", "b"], *[[i, f"w{i % 3}"] for i in range(9)]],
                                 lineterminator="\r"))
    copy = put("copy.csv", (FILES / "script-mac.csv").read_text().replace("\r", "\n"))
    expect("script-mac.csv",
           "Python's csv module in the shape of Excel on old Macintoshes, read by DuckDB", duckdb_csv(copy))
    copy.unlink()
