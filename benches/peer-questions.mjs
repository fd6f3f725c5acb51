// The questions in the words of arquero and of SQLite; `{ lacks }` says why a peer cannot express
// one. Read in the page too, so that nothing of Node is in it.
import { JOINS, QUESTIONS } from "./questions.mjs";

/** What has to be written otherwise for SQLite: it takes DuckDB's SQL for the rest. */
const SQLITE = {
  "q6 median, sd by id4, id5":
    "SELECT id4, id5, median(v3) AS median_v3, stdev(v3) AS std_v3 FROM t GROUP BY id4, id5 ORDER BY id4, id5",
  // There is no function for it, but its sums: those of whole numbers are exact.
  "q9 correlation² by id2, id4": `SELECT id2, id4, pow(n * xy - x * y, 2) / ((n * xx - x * x) * (n * yy - y * y)) AS r2
    FROM (SELECT id2, id4, CAST(count(*) AS REAL) AS n, sum(v1) AS x, sum(v2) AS y,
            sum(v1 * v1) AS xx, sum(v2 * v2) AS yy, sum(v1 * v2) AS xy
          FROM t GROUP BY id2, id4) ORDER BY id2, id4`,
  "q10 sum, count by all six":
    "SELECT id1, id2, id3, id4, id5, id6, sum(v3) AS sum_v3, count(*) AS count FROM t GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6",
};

/** Groups in the order of their keys, as the other engines give them. */
const grouped = (t, keys, values) =>
  t
    .groupby(...keys)
    .rollup(values)
    .orderby(...keys);

const ARQUERO = {
  "q1 sum by id1": ({ t, op }) => grouped(t, ["id1"], { sum_v1: op.sum("v1") }),
  "q2 sum by id1, id2": ({ t, op }) => grouped(t, ["id1", "id2"], { sum_v1: op.sum("v1") }),
  "q3 sum, mean by id3": ({ t, op }) =>
    grouped(t, ["id3"], { sum_v1: op.sum("v1"), mean_v3: op.mean("v3") }),
  "q4 means by id4": ({ t, op }) =>
    grouped(t, ["id4"], {
      mean_v1: op.mean("v1"),
      mean_v2: op.mean("v2"),
      mean_v3: op.mean("v3"),
    }),
  "q5 sums by id6": ({ t, op }) =>
    grouped(t, ["id6"], { sum_v1: op.sum("v1"), sum_v2: op.sum("v2"), sum_v3: op.sum("v3") }),
  "q6 median, sd by id4, id5": ({ t, op }) =>
    grouped(t, ["id4", "id5"], { median_v3: op.median("v3"), std_v3: op.stdev("v3") }),
  "q7 max - min by id3": ({ t, op }) =>
    grouped(t, ["id3"], { d: (r) => op.max(r.v1) - op.min(r.v2) }),
  "q8 two largest by id6": ({ t, aq }) =>
    t
      .select("id6", "v3")
      .groupby("id6")
      .orderby(aq.desc("v3"))
      .slice(0, 2)
      .ungroup()
      .orderby("id6", aq.desc("v3")),
  "q9 correlation² by id2, id4": ({ t, op }) =>
    grouped(t, ["id2", "id4"], { r2: (r) => op.pow(op.corr(r.v1, r.v2), 2) }),
  "q10 sum, count by all six": ({ t, op }) =>
    grouped(t, ["id1", "id2", "id3", "id4", "id5", "id6"], {
      sum_v3: op.sum("v3"),
      count: op.count(),
    }),
  "filter count": ({ t, op }) =>
    t.filter((r) => r.v3 > 50 && r.v1 === 3).rollup({ count: op.count() }),
  "top 10": ({ t, aq }) => t.orderby(aq.desc("v3")).slice(0, 10),
  "rolling mean of 20": ({ t, aq, op }) =>
    t
      .derive({ m: aq.rolling((r) => op.mean(r.v3), [-19, 0]), n: () => op.row_number() })
      .filter((r) => r.n >= 20)
      .rollup({ max_m: op.max("m") }),
  "join lineitem, orders": ({ lineitem, orders, op }) =>
    grouped(
      lineitem
        .join(orders, ["l_orderkey", "o_orderkey"])
        .derive({ paid: (r) => r.l_extendedprice * (1 - r.l_discount) }),
      ["o_orderpriority"],
      { lines: op.count(), revenue: op.sum("paid") },
    ),
};

export const PEER_QUESTIONS = { arquero: {}, sqljs: {} };
for (const { name, duckdb } of [...QUESTIONS, ...JOINS]) {
  PEER_QUESTIONS.arquero[name] = ARQUERO[name] ?? { lacks: "not written for it" };
  PEER_QUESTIONS.sqljs[name] = SQLITE[name] ?? duckdb;
}
