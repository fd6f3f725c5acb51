// A policy that comes before its table: what the table does not have is refused with its load.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../testing/setup.js";

const CSV = "a\n1\n2\n";

test("a column that the table does not have is refused as it comes, and the table is gone", async (t) => {
  const columns = { "t.aa": "hidden", "t.b~/c": "aggregate", "t.a": "open", "u.x": "hidden" };
  const ph = await open(t, { policy: { columns } });
  await assert.rejects(ph.load("t", new Blob([CSV])), ({ code, message, diagnostics }) => {
    assert.equal(code, "unknown_column");
    assert.deepEqual(
      diagnostics.map(({ pointer, choices }) => [pointer, choices]),
      [
        ["/columns/t.aa", ["a"]],
        ["/columns/t.b~0~1c", ["a"]],
      ],
    );
    const [first] = message.split("\n");
    assert.equal(
      first,
      "/columns/t.aa: the policy names `t.aa`, but the table has no such column; valid: a",
    );
    return true;
  });
  assert.deepEqual(ph.tables(), []);
  // The policy is mended, and so it is with one that is set later.
  await ph.setPolicy({ columns: { "t.a": "hidden" } });
  await ph.load("t", new Blob([CSV]));
  await ph.setPolicy({ columns: { "v.b": "hidden" } });
  await ph.setLocale("ru");
  await assert.rejects(ph.load("v", new Blob([CSV])), { message: /политика называет `v\.b`/ });
  assert.deepEqual(
    ph.tables().map(({ name }) => name),
    ["t"],
  );
});

test("a table in the place of another one may lack what that one had", async (t) => {
  const ph = await open(t);
  await ph.load("t", new Blob([CSV]));
  await ph.setPolicy({ columns: { "t.gone": "hidden" } });
  assert.equal((await ph.load("t", new Blob([CSV]))).rows, 3);
  assert.equal((await ph.append("t", new Blob([CSV]))).rows, 3);
});
