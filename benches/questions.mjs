// The questions, once for each engine. `pinhole` is a query object, or `{sql}` where the query
// language has no step for it; `duckdb` is SQL. `check` reads one number of the answer, so that a
// run in which the engines disagree is no benchmark.

export const QUESTIONS = [
  {
    name: "q1 sum by id1",
    pinhole: { group_by: "id1", select: "sum(v1)" },
    duckdb: "SELECT id1, sum(v1) AS sum_v1 FROM t GROUP BY id1 ORDER BY id1",
    check: "sum_v1",
  },
  {
    name: "q2 sum by id1, id2",
    pinhole: { group_by: ["id1", "id2"], select: "sum(v1)" },
    duckdb: "SELECT id1, id2, sum(v1) AS sum_v1 FROM t GROUP BY id1, id2 ORDER BY id1, id2",
    check: "sum_v1",
  },
  {
    name: "q3 sum, mean by id3",
    pinhole: { group_by: "id3", select: ["sum(v1)", "mean(v3)"] },
    duckdb: "SELECT id3, sum(v1) AS sum_v1, avg(v3) AS mean_v3 FROM t GROUP BY id3 ORDER BY id3",
    check: "mean_v3",
  },
  {
    name: "q4 means by id4",
    pinhole: { group_by: "id4", select: ["mean(v1)", "mean(v2)", "mean(v3)"] },
    duckdb:
      "SELECT id4, avg(v1) AS mean_v1, avg(v2) AS mean_v2, avg(v3) AS mean_v3 FROM t GROUP BY id4 ORDER BY id4",
    check: "mean_v3",
  },
  {
    name: "q5 sums by id6",
    pinhole: { group_by: "id6", select: ["sum(v1)", "sum(v2)", "sum(v3)"] },
    duckdb:
      "SELECT id6, sum(v1) AS sum_v1, sum(v2) AS sum_v2, sum(v3) AS sum_v3 FROM t GROUP BY id6 ORDER BY id6",
    check: "sum_v3",
  },
  {
    name: "q6 median, sd by id4, id5",
    pinhole: { group_by: ["id4", "id5"], select: ["median(v3)", "std(v3)"] },
    duckdb:
      "SELECT id4, id5, median(v3) AS median_v3, stddev(v3) AS std_v3 FROM t GROUP BY id4, id5 ORDER BY id4, id5",
    check: "median_v3",
  },
  {
    name: "q7 max - min by id3",
    pinhole: { group_by: "id3", select: { d: "max(v1) - min(v2)" } },
    duckdb: "SELECT id3, max(v1) - min(v2) AS d FROM t GROUP BY id3 ORDER BY id3",
    check: "d",
  },
  {
    name: "q8 two largest by id6",
    sql: "SELECT id6, v3 FROM (SELECT id6, v3, row_number() OVER (PARTITION BY id6 ORDER BY v3 DESC) AS n FROM t) AS s WHERE n <= 2 ORDER BY id6, v3 DESC",
    duckdb:
      "SELECT id6, v3 FROM (SELECT id6, v3, row_number() OVER (PARTITION BY id6 ORDER BY v3 DESC) AS n FROM t) AS s WHERE n <= 2 ORDER BY id6, v3 DESC",
    check: "v3",
  },
  {
    name: "q9 correlation² by id2, id4",
    pinhole: { group_by: ["id2", "id4"], select: { r2: "correlation(v1, v2) ** 2" } },
    duckdb:
      "SELECT id2, id4, pow(corr(v1, v2), 2) AS r2 FROM t GROUP BY id2, id4 ORDER BY id2, id4",
    check: "r2",
  },
  {
    name: "q10 sum, count by all six",
    pinhole: {
      group_by: ["id1", "id2", "id3", "id4", "id5", "id6"],
      select: ["sum(v3)", "count()"],
    },
    duckdb:
      "SELECT id1, id2, id3, id4, id5, id6, sum(v3) AS sum_v3, count(*) AS count FROM t GROUP BY ALL ORDER BY ALL",
    check: "sum_v3",
  },
  {
    name: "filter count",
    pinhole: { where: "v3 > 50 and v1 == 3", select: "count()" },
    duckdb: "SELECT count(*) AS count FROM t WHERE v3 > 50 AND v1 = 3",
    check: "count",
  },
  {
    name: "top 10",
    pinhole: { sort: "v3 desc", limit: 10 },
    duckdb: "SELECT * FROM t ORDER BY v3 DESC LIMIT 10",
    check: "v3",
  },
  {
    name: "rolling mean of 20",
    pinhole: { map: { m: "rolling_mean(v3, 20)" }, select: "max(m)" },
    duckdb:
      "SELECT max(m) AS max_m FROM (SELECT CASE WHEN count(*) OVER w = 20 THEN avg(v3) OVER w END AS m FROM t WINDOW w AS (ROWS BETWEEN 19 PRECEDING AND CURRENT ROW))",
    check: "max_m",
  },
];

/** Lines with their orders, by SQL in both engines: every line finds its order. */
const JOIN = `SELECT o_orderpriority, count(*) AS lines, sum(l_extendedprice * (1 - l_discount)) AS revenue
  FROM lineitem JOIN orders ON l_orderkey = o_orderkey
  GROUP BY o_orderpriority ORDER BY o_orderpriority`;

export const JOINS = [{ name: "join lineitem, orders", sql: JOIN, duckdb: JOIN, check: "revenue" }];
