-- The five questions of joins of the db-benchmark (h2oai/db-benchmark, duckdb/join-duckdb.R), as the
-- benchmark asks DuckDB.

-- q1
SELECT x.*, small.id4 AS small_id4, v2 FROM x JOIN small USING (id1)

-- q2
SELECT x.*, medium.id1 AS medium_id1, medium.id4 AS medium_id4, medium.id5 AS medium_id5, v2
FROM x JOIN medium USING (id2)

-- q3
SELECT x.*, medium.id1 AS medium_id1, medium.id4 AS medium_id4, medium.id5 AS medium_id5, v2
FROM x LEFT JOIN medium USING (id2)

-- q4
SELECT x.*, medium.id1 AS medium_id1, medium.id2 AS medium_id2, medium.id4 AS medium_id4, v2
FROM x JOIN medium USING (id5)

-- q5
SELECT x.*, big.id1 AS big_id1, big.id2 AS big_id2, big.id4 AS big_id4, big.id5 AS big_id5,
  big.id6 AS big_id6, v2
FROM x JOIN big USING (id3)
