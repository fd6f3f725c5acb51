"""Golden files of LibreOffice Calc: openpyxl makes a workbook, and LibreOffice saves it as delimited
text in the locale of some country. See make.py.

What is expected comes from the values in the cells, by the rules of this package; as LibreOffice
writes what a cell shows, numbers have the digits that it shows.

Made with LibreOffice 7.4.7 (Debian's libreoffice-calc-nogui) and openpyxl 3.1.5.
"""

import decimal
import pathlib
import subprocess
import tempfile

import openpyxl

from readers import BASE, FILES, expect

# How LibreOffice calls encodings.
UTF_8, UTF_16, WINDOWS_1251, WINDOWS_1252 = 76, 65535, 34, 1

LOCALE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse">\
<value>{}</value></prop></item>
</oor:items>
"""


def save(name, locale, columns, delimiter, encoding, quote_all=False, as_shown=True, above=()):
    """`columns` are triples of a name, the format of the cells and their values; `above` are rows
    before the table."""
    book = openpyxl.Workbook()
    sheet = book.active
    for row in above:
        sheet.append(row)
    sheet.append([title for title, _, _ in columns])
    for row in zip(*(values for _, _, values in columns), strict=True):
        sheet.append(row)
        for cell, (_, shown, _) in zip(sheet[sheet.max_row], columns):
            if shown:
                cell.number_format = shown
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        profile = folder / "profile"
        (profile / "user").mkdir(parents=True)
        (profile / "user" / "registrymodifications.xcu").write_text(LOCALE.format(locale))
        book.save(folder / "sheet.xlsx")
        # delimiter, quote, encoding, first line, formats of columns, language, quote all texts,
        # numbers without quotes, write what the cell shows
        tokens = [ord(delimiter), ord('"'), encoding, 1, "", 0, str(quote_all).lower(), "true",
                  str(as_shown).lower()]
        to = "csv:Text - txt - csv (StarCalc):" + ",".join(map(str, tokens))
        subprocess.run(
            ["soffice", f"-env:UserInstallation={profile.as_uri()}", "--headless", "--convert-to",
             to, "--outdir", folder, folder / "sheet.xlsx"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (FILES / name).write_bytes((folder / "sheet.csv").read_bytes())


def shown(v, digits):
    """A number with so many digits behind the point."""
    if v is None:
        return None
    return float(decimal.Decimal(str(v)).quantize(decimal.Decimal(1).scaleb(-digits),
                                                  decimal.ROUND_HALF_UP))


def minute(moment):
    return moment.replace(second=0)


def libreoffice_files():
    days = [r["day"] for r in BASE]
    moments = [r["timestamp"] for r in BASE]
    items = [r["item"] for r in BASE]
    prices = [r["price"] for r in BASE]
    counts = [r["n"] for r in BASE]
    paid = [r["paid"] for r in BASE]
    exact = [None if v is None else decimal.Decimal(str(v)) * 1000 for v in prices]
    totals = [None if v is None else float(v) for v in exact]
    size = range(len(BASE))

    # United States. Format 14 of workbooks (`mm-dd-yy`) is the date of the locale.
    codes = [f"{i:05}" for i in size]
    english = [
        ("Date", "mm-dd-yy", days), ("Item", None, items), ("Price", '"$"#,##0.00', prices),
        ("Share", "0%", [i / 100 for i in size]), ("Sold", None, paid), ("Zip", "@", codes),
        ("Total", "#,##0.00", totals),
        ("Time", "m/d/yyyy h:mm:ss AM/PM", moments), ("Note", None, [None for _ in size]),
    ]
    seen = {
        "Date": days, "Item": items, "Price": [shown(v, 2) for v in prices], "Share": list(size),
        "Sold": paid, "Zip": codes,
        "Total": [shown(v, 2) for v in exact],
        "Time": moments, "Note": [None for _ in size],
    }
    save("libreoffice-en.csv", "en-US", english, ",", UTF_8)
    expect("libreoffice-en.csv", "LibreOffice of the United States, and the values of its cells", seen)

    # All texts in quotes, and values as they are.
    raw = [("timestamp", "yyyy-mm-dd hh:mm:ss", moments), ("day", "yyyy-mm-dd", days),
           ("n", "0.00", counts), ("price", "0.0", prices), ("paid", None, paid), ("item", None, items),
           ("shop", None, [r["shop"] for r in BASE])]
    save("libreoffice-quoted.csv", "en-US", raw, ",", UTF_8, quote_all=True, as_shown=False)
    expect("libreoffice-quoted.csv",
           "LibreOffice with all texts quoted and values not as shown, and the values of its cells",
           {name: values for name, _, values in raw})

    # Germany. The words for truth values are those of the locale.
    german = [
        ("Datum", "dd.mm.yyyy hh:mm", moments),
        ("Größe", None, [["groß", "klein", "süß"][i % 3] for i in size]),
        ("Preis", "#,##0.00\\ [$€-407]", totals), ("Menge", None, counts),
        ("Anteil", "0.0%", [i / 40 for i in size]), ("bezahlt", None, paid),
        ("Betrag", None, prices), ("PLZ", "@", codes), ("Notiz", None, items),
    ]
    seen = {
        "Datum": [minute(v) for v in moments], "Größe": german[1][2],
        "Preis": [shown(v, 2) for v in exact], "Menge": counts,
        "Anteil": [i * 2.5 for i in size], "bezahlt": paid,
        "Betrag": prices, "PLZ": codes,
    }
    save("libreoffice-de.csv", "de-DE", german, ";", UTF_8)
    expect("libreoffice-de.csv", "LibreOffice of Germany, and the values of its cells",
           {**seen, "Notiz": items})
    save("libreoffice-de-comma.csv", "de-DE", german, ",", UTF_8)
    expect("libreoffice-de-comma.csv",
           "LibreOffice of Germany with commas between fields, and the values of its cells",
           {**seen, "Notiz": items})
    save("libreoffice-de-1252.csv", "de-DE", german[:-1], ";", WINDOWS_1252)
    expect("libreoffice-de-1252.csv",
           "LibreOffice of Germany in windows-1252, and the values of its cells", seen)

    # Russia. No-break spaces group thousands.
    russian = [
        ("Дата", "mm-dd-yy", days), ("Товар", None, items), ("Кол-во", None, counts),
        ("Цена", "0.00", prices), ("Доля", "0.0%", [i / 40 for i in size]),
        ("Сумма, руб.", "#,##0.00", totals), ("Оплачено", None, paid),
        ("Магазин", None, [r["shop"] for r in BASE]),
    ]
    seen = {
        "Дата": days, "Товар": items, "Кол-во": counts, "Цена": [shown(v, 2) for v in prices],
        "Доля": [i * 2.5 for i in size],
        "Сумма, руб.": [shown(v, 2) for v in exact], "Оплачено": paid,
        "Магазин": russian[-1][2],
    }
    save("libreoffice-ru-utf16.tsv", "ru-RU", russian, "\t", UTF_16)
    expect("libreoffice-ru-utf16.tsv", "LibreOffice of Russia in UTF-16, and the values of its cells",
           seen)
    # characters that the code page does not have are question marks
    known = [v and v.encode("cp1251", "replace").decode("cp1251") for v in items]
    save("libreoffice-ru-1251.csv", "ru-RU", russian, ";", WINDOWS_1251)
    expect("libreoffice-ru-1251.csv",
           "LibreOffice of Russia in windows-1251, and the values of its cells",
           {**seen, "Товар": known})

    # A title, an empty row, and then the table.
    save("libreoffice-title.csv", "en-US",
         [("Day", "yyyy-mm-dd", days), ("Item", None, items), ("Count", None, counts)], ",", UTF_8,
         above=[["Receipts of the week"], []])
    expect("libreoffice-title.csv", "LibreOffice with a title over the table, and the values of its cells",
           {"Day": days, "Item": items, "Count": counts})
