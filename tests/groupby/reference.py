"""Answers of DuckDB to the ten group-by questions of the db-benchmark (h2oai/db-benchmark), into
answers.txt, and to its five questions of joins, into joins.txt.

    pip install duckdb==2.0.0
    python tests/groupby/reference.py

The tables are made by the same rules as in mod.rs and joins.rs: the columns and ranges of the
benchmark's groupby-datagen.R and join-datagen.R, numbers of a linear congruential generator. The
benchmark joins 10 million rows to 10, 10,000 and 10 million; here it is 20,000 rows to 20, 200 and
20,000. Of an answer that is long are kept how many rows it has, the sum of each of its columns of
numbers, and its first and last rows.
"""

import pathlib
import tempfile

import duckdb

HERE = pathlib.Path(__file__).parent
ROWS, GROUPS = 40_000, 10
LEFT, SMALL, MEDIUM = 20_000, 20, 200
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


class Numbers:
    """A linear congruential generator."""

    def __init__(self, state):
        self.state = state

    def pick(self, n):
        """1 to `n`."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & MASK
        return 1 + (self.state >> 33) % n

    def shuffled(self, values):
        values = list(values)
        for last in range(len(values) - 1, 0, -1):
            other = self.pick(last + 1) - 1
            values[last], values[other] = values[other], values[last]
        return values

    def value(self):
        """Up to 100, with six decimals."""
        whole, part = divmod(self.pick(100_000_000), 1_000_000)
        return f"{whole}.{part:06}"


def table():
    pick = Numbers(108).pick
    yield "id1,id2,id3,id4,id5,id6,v1,v2,v3"
    per = ROWS // GROUPS
    for _ in range(ROWS):
        a, b, c = pick(GROUPS), pick(GROUPS), pick(per)
        d, e, f = pick(GROUPS), pick(GROUPS), pick(per)
        v1, v2, v3 = pick(5), pick(15), pick(100_000_000)
        whole, part = divmod(v3, 1_000_000)
        yield f"id{a:03},id{b:03},id{c:010},{d},{e},{f},{v1},{v2},{whole}.{part:06}"


def joins():
    """Each question in the order of a column that has every number once; then what the benchmark adds
    up to check the answer."""
    for part in (HERE / "joins.sql").read_text().split("\n-- ")[1:]:
        name, sql = part.split("\n", 1)
        sql = sql.strip()
        if sql.startswith("SELECT"):
            yield name, f"{sql} ORDER BY x.id3"
            yield f"{name} added up", f"SELECT count(*) AS n, sum(v1) AS v1, sum(v2) AS v2 FROM ({sql}) AS ans"


def tables():
    """Of the keys of a pair of tables nine tenths are in both, and a tenth in each alone."""
    numbers = Numbers(108)

    def keys(n):
        key = numbers.shuffled(range(1, n + n // 10 + 1))
        return key[:n], key[: n - n // 10] + key[n:]

    def drawn(keys, rows):
        """Every key at least once."""
        return numbers.shuffled(keys + [keys[numbers.pick(len(keys)) - 1] for _ in range(rows - len(keys))])

    left, right = zip(*(keys(n) for n in [SMALL, MEDIUM, LEFT]))
    for name, sides, rows, value in [("x", left, LEFT, "v1"), ("small", right[:1], SMALL, "v2"),
                                     ("medium", right[:2], MEDIUM, "v2"), ("big", right, LEFT, "v2")]:
        columns = [drawn(side, rows) for side in sides]
        names = [f"id{i + 1}" for i in range(len(sides))] + [f"id{i + 4}" for i in range(len(sides))]
        lines = [",".join([*names, value])]
        for ids in zip(*columns):
            lines.append(",".join([*map(str, ids), *(f"id{i}" for i in ids), numbers.value()]))
        yield name, lines


def load(db, name, lines):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "t.csv"
        path.write_text("\n".join(lines) + "\n")
        db.sql(f"CREATE TABLE {name} AS SELECT * FROM read_csv('{path}')")


def answer(db, name, sql):
    rows = db.sql(sql).fetchall()
    columns = [[v for v in column if v is not None] for column in zip(*rows)]
    # each value is a double that is rounded once, and so is the sum of them
    sums = ["∅" if isinstance(column[0], str) else str(sum(map(float, column))) for column in columns]
    shown = rows if len(rows) <= MOST else rows[:EDGE] + rows[-EDGE:]
    lines = ["\t".join("∅" if v is None else str(v) for v in row) for row in shown]
    return f"\n-- {name}\n{len(rows)}\n" + "\t".join(sums) + "\n" + "\n".join(lines) + "\n"


def main():
    db = duckdb.connect()
    load(db, "t", table())
    out = [f"-- DuckDB {duckdb.__version__}, {ROWS} rows in {GROUPS} groups; made by reference.py\n"]
    out += [answer(db, name, sql) for name, sql in QUESTIONS.items()]
    (HERE / "answers.txt").write_text("".join(out))

    for name, lines in tables():
        load(db, name, lines)
    out = [f"-- DuckDB {duckdb.__version__}, {LEFT} rows to {SMALL}, {MEDIUM} and {LEFT}; made by reference.py\n"]
    out += [answer(db, name, sql) for name, sql in joins()]
    (HERE / "joins.txt").write_text("".join(out))


main()
