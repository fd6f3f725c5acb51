"""Answers of DuckDB to queries.sql over TPC-H data of scale factor 0.01, into answers.txt.

    pip install duckdb==2.0.0 tpchgen-cli==4.0.0
    python tests/tpch/reference.py

The data are made by tpchgen, which writes what the reference generator dbgen writes; the test makes
the same by the crate of that name. DuckDB reads prices as DECIMAL(15, 2), so that its sums are exact.
"""

import pathlib
import subprocess
import sys
import tempfile

import duckdb

HERE = pathlib.Path(__file__).parent
TABLES = "customer lineitem nation orders part partsupp region supplier".split()
DECIMALS = {
    "c_acctbal", "s_acctbal", "l_quantity", "l_extendedprice", "l_discount", "l_tax",
    "o_totalprice", "p_retailprice", "ps_supplycost",
}


def queries():
    """Each question's name and text."""
    for part in (HERE / "queries.sql").read_text().split("\n-- q")[1:]:
        number, text = part.split("\n", 1)
        yield f"q{number.strip()}", text.strip().rstrip(";")


def cell(value):
    if value is None:
        return "∅"
    return str(value)


def main():
    with tempfile.TemporaryDirectory() as folder:
        tool = pathlib.Path(sys.executable).with_name("tpchgen-cli")
        subprocess.run([tool, "csv", "-s", "0.01", "--output-dir", folder], check=True)
        db = duckdb.connect()
        for table in TABLES:
            path = f"{folder}/{table}.csv"
            names = db.sql(f"select * from read_csv('{path}') limit 0").columns
            types = {n: "DECIMAL(15, 2)" for n in names if n in DECIMALS}
            listed = ", ".join(f"'{n}': '{t}'" for n, t in types.items())
            given = f", types={{{listed}}}" if listed else ""
            db.sql(f"create table {table} as select * from read_csv('{path}'{given})")
        lines = [f"-- DuckDB {duckdb.__version__}, scale factor 0.01; made by reference.py"]
        for name, text in queries():
            rows = db.sql(text)
            lines.append(f"\n-- {name}")
            lines.append("\t".join(rows.columns))
            lines += ["\t".join(cell(value) for value in row) for row in rows.fetchall()]
        (HERE / "answers.txt").write_text("\n".join(lines) + "\n")


main()
