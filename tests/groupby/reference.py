"""Answers of DuckDB to the ten group-by questions of the db-benchmark (h2oai/db-benchmark), into
answers.txt.

    pip install duckdb==2.0.0
    python tests/groupby/reference.py

The table is made by the same rule as in mod.rs: the columns and ranges of the benchmark's
groupby-datagen.R, numbers of a linear congruential generator. Of an answer that is long are kept how
many rows it has, the sum of each of its columns of numbers, and its first and last rows.
"""

import pathlib
import tempfile

import duckdb

HERE = pathlib.Path(__file__).parent
ROWS, GROUPS = 40_000, 10
MOST, EDGE = 130, 12
MASK = (1 << 64) - 1

QUESTIONS = {
    "q1": "SELECT id1, sum(v1) AS sum_v1 FROM t GROUP BY id1 ORDER BY id1",
    "q2": "SELECT id1, id2, sum(v1) AS sum_v1 FROM t GROUP BY id1, id2 ORDER BY id1, id2",
    "q3": "SELECT id3, sum(v1) AS sum_v1, avg(v3) AS mean_v3 FROM t GROUP BY id3 ORDER BY id3",
    "q4": "SELECT id4, avg(v1) AS mean_v1, avg(v2) AS mean_v2, avg(v3) AS mean_v3 FROM t GROUP BY id4 ORDER BY id4",
    "q5": "SELECT id6, sum(v1) AS sum_v1, sum(v2) AS sum_v2, sum(v3) AS sum_v3 FROM t GROUP BY id6 ORDER BY id6",
    "q6": "SELECT id4, id5, median(v3) AS median_v3, stddev(v3) AS std_v3 FROM t GROUP BY id4, id5 ORDER BY id4, id5",
    "q7": "SELECT id3, max(v1) - min(v2) AS d FROM t GROUP BY id3 ORDER BY id3",
    "q8": "SELECT id6, v3 FROM (SELECT id6, v3, row_number() OVER (PARTITION BY id6 ORDER BY v3 DESC) AS n FROM t) AS s WHERE n <= 2 ORDER BY id6, v3 DESC",
    "q9": "SELECT id2, id4, pow(corr(v1, v2), 2) AS r2 FROM t GROUP BY id2, id4 ORDER BY id2, id4",
    "q10": "SELECT id1, id2, id3, id4, id5, id6, sum(v3) AS sum_v3, count(*) AS count FROM t GROUP BY ALL ORDER BY ALL",
}


def table():
    state = 108

    def pick(n):
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) & MASK
        return 1 + (state >> 33) % n

    yield "id1,id2,id3,id4,id5,id6,v1,v2,v3"
    per = ROWS // GROUPS
    for _ in range(ROWS):
        a, b, c = pick(GROUPS), pick(GROUPS), pick(per)
        d, e, f = pick(GROUPS), pick(GROUPS), pick(per)
        v1, v2, v3 = pick(5), pick(15), pick(100_000_000)
        whole, part = divmod(v3, 1_000_000)
        yield f"id{a:03},id{b:03},id{c:010},{d},{e},{f},{v1},{v2},{whole}.{part:06}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "t.csv"
        path.write_text("\n".join(table()) + "\n")
        db = duckdb.connect()
        db.sql(f"CREATE TABLE t AS SELECT * FROM read_csv('{path}')")
        out = [f"-- DuckDB {duckdb.__version__}, {ROWS} rows in {GROUPS} groups; made by reference.py\n"]
        for name, sql in QUESTIONS.items():
            rows = db.sql(sql).fetchall()
            columns = [c for c in range(len(rows[0])) if not isinstance(rows[0][c], str)]
            # each value is a double that is rounded once, and so is the sum of them
            sums = [str(sum(float(row[c]) for row in rows)) if c in columns else "∅" for c in range(len(rows[0]))]
            shown = rows if len(rows) <= MOST else rows[:EDGE] + rows[-EDGE:]
            lines = ["\t".join(map(str, row)) for row in shown]
            out.append(f"\n-- {name}\n{len(rows)}\n" + "\t".join(sums) + "\n" + "\n".join(lines) + "\n")
        (HERE / "answers.txt").write_text("".join(out))


main()
