"""Golden files of R: write.R writes them. See make.py.

What is expected comes from the values that R was given, by the rules of this package.
"""

import csv
import datetime as dt
import os
import pathlib
import subprocess
import tempfile

from readers import BASE, FILES, HERE, change, expect

NAMES = ["timestamp", "day", "n", "price", "paid", "item", "shop"]


def r_files():
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "source.csv"
        with source.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(NAMES)
            writer.writerows(["<none>" if r[n] is None else r[n] for n in NAMES] for r in BASE)
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        subprocess.run(["Rscript", "--vanilla", HERE / "write.R", source, FILES],
                       check=True, env=environment)

    numbers = {"column_1": list(range(1, len(BASE) + 1))}
    values = {n: [r[n] for r in BASE] for n in NAMES}
    # R has `NA` for what is missing. In a column of text it is a text here: Namibia is one, too.
    na = change(values, item=lambda v: "NA" if v is None else v)

    def chosen(columns, *names):
        return {n: columns[n] for n in names}

    expect("r-write-csv.csv", "R write.csv with names of rows, and the values it was given",
           {**numbers, **na})
    expect("r-write-csv2.csv", "R write.csv2 with names of rows, and the values it was given",
           {**numbers, **na})
    expect("r-write-table.tsv", "R write.table with tabs and escaped quotes, and the values it was given",
           {**numbers, **na})
    expect("r-write-table-corner.tsv", "R write.table for spreadsheets, and the values it was given",
           {**numbers, **na})
    expect("r-write-table.txt", "R write.table with spaces, and the values it was given",
           {**numbers, **chosen(na, *NAMES[1:])}, {"csv": {"delimiter": " "}})
    expect("r-unquoted.tsv", "R write.table without quotes, and the values it was given",
           chosen(values, "timestamp", "day", "n", "price", "paid", "shop"))
    expect("r-row-names.csv", "R write.csv with texts as names of rows, and the values it was given",
           {"column_1": [f"line {i + 1}" for i in range(len(BASE))], **chosen(values, "n", "price")})

    streets = ["Bäckerweg", "Große Gasse", "Am Fluß"]
    expect("r-latin1.csv", "R write.csv2 in latin1, and the values it was given",
           {**chosen(values, "day", "n", "price", "paid"),
            "Straße": [streets[i % 3] for i in range(len(BASE))]})
    expect("r-fractions.csv", "R write.csv with fractions of seconds, and the values it was given",
           change(chosen(values, "timestamp", "n"),
                  timestamp=lambda v: v + dt.timedelta(milliseconds=500)))

    expect("r-fwrite.csv", "R data.table::fwrite, and the values it was given", values)
    expect("r-fwrite-bom.csv", "R data.table::fwrite with a byte-order mark, and the values it was given",
           na)
