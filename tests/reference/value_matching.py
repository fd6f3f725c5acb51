"""What `figured`, a check that looks for each number among the values, says of the same texts.

The bench writes its texts, mutations and random numbers as JSON lines; this script runs figured on
each and prints its rates:

    PINHOLE_CLAIMS_CASES=/tmp/cases.jsonl cargo bench --bench claims
    pip install figured==0.4.3
    python3 tests/reference/value_matching.py /tmp/cases.jsonl

A number of a true sentence is called wrong, and a mutated one is caught, when figured calls a number
at its place ungrounded. A number that it does not see, or leaves out, passes.
"""

import collections
import json
import sys

import figured

rates = collections.defaultdict(lambda: [0, 0])
for line in open(sys.argv[1], encoding="utf-8"):
    case = json.loads(line)
    rows = [dict(zip(case["columns"], row)) for row in case["rows"]]
    report = figured.trace(case["text"], rows)
    flagged = any(
        r.status == "ungrounded"
        and r.figure.start < case["end"]
        and r.figure.end > case["start"]
        for r in report.results
    )
    count = rates[case["set"], case["kind"]]
    count[0] += flagged != (case["kind"] == "random")
    count[1] += 1

names = {"true": "true numbers called wrong", "random": "random numbers accepted"}
lines = [f"figured {figured.__version__} on the same texts"]
for (group, kind), (good, total) in sorted(rates.items()):
    name = names.get(kind, f"caught: {kind}")
    lines.append(f"  {group:<10} {name:<42} {good / total:.4f} ({good} of {total})")
print("\n".join(lines))
