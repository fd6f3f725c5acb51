"""The examples that summaries are explained with, as a table and questions.

Writes the head of tests/summaries/examples.txt: 500 days such that the figures of the examples come
out, which pandas confirms before anything is written. What stands below the questions is written by
`UPDATE_GOLDEN=1 cargo test --test summaries` and must show these figures. Run it as
`python3 tests/reference/examples.py`; it needs `pip install pandas`.
"""

import pathlib

import pandas as pd

OUT = pathlib.Path(__file__).parent.parent / "summaries" / "examples.txt"
DAYS = 500
WEEK = ["Mon", "Tue", "Wed", "Thu", "Fri"]
# The mean move of the 80 busy days by weekday: quiet Fridays, wild Mondays.
MOVES = {"Mon": 78, "Tue": 61.5, "Wed": 70.25, "Thu": 55, "Fri": 45}
# The 13 days that fell by more than 2.5 %, the worst first.
FALLS = [
    ("2025-04-08", -5.06), ("2025-03-10", -4.2), ("2024-12-18", -3.87), ("2025-04-03", -3.75),
    ("2024-07-24", -3.64), ("2024-08-05", -3.41), ("2025-02-27", -2.98), ("2024-07-17", -2.83),
    ("2025-04-10", -2.62), ("2025-03-03", -2.55), ("2025-04-04", -2.54), ("2025-02-21", -2.54),
    ("2024-09-03", -2.51),
]

QUESTIONS = [
    ("how many days with a gap above 50", '{"where": "gap > 50", "select": "count()"}'),
    ("how many inside days", '{"where": "inside", "select": "count()"}'),
    ("their number, mean and greatest",
     '{"where": "gap > 50", "select": ["count()", "mean(gap)", "max(gap)"]}'),
    ("the mean move by weekday", '{"where": "busy", "group_by": "dow", "select": "mean(move)"}'),
    ("the same with the number of days",
     '{"where": "busy", "group_by": "dow", "select": ["mean(move)", "count()"]}'),
    ("days that fell by more than 2.5 %",
     '{"map": {"change_pct": "change * 1"}, "where": "change_pct < -2.5", "sort": "change_pct"}'),
    ("the five worst falls",
     '{"map": {"change_pct": "change * 1"}, "sort": "change_pct", "limit": 5}'),
    ("days with a gap above 50", '{"map": {"size": "gap * 1"}, "where": "gap > 50"}'),
]


def table():
    days = pd.bdate_range("2023-06-01", periods=DAYS)
    frame = pd.DataFrame({"timestamp": days.strftime("%Y-%m-%d"), "dow": days.strftime("%a")})
    falls = dict(FALLS)
    assert set(falls) <= set(frame.timestamp), set(falls) - set(frame.timestamp)
    frame["change"] = [falls.get(day, round(i % 41 / 10 - 2, 2)) for i, day in enumerate(frame.timestamp)]
    # 80 gaps above 50: one of 51, one of 156.2, 78 about 66.6 that make the mean 67.3.
    frame["gap"] = [float(i % 50) for i in range(DAYS)]
    large = list(range(3, DAYS, 6))[:80]
    rest = (67.3 * 80 - 51 - 156.2) / 78
    frame.loc[large, "gap"] = [51.0, 156.2] + [
        round(rest + (1.5 if k % 2 else -1.5), 6) for k in range(78)]
    frame["busy"] = False
    frame["move"] = [float(i % 30) for i in range(DAYS)]
    for day, mean in MOVES.items():
        chosen = frame.index[frame.dow == day][10:26]
        frame.loc[chosen, "busy"] = True
        frame.loc[chosen, "move"] = [mean + (k - 7.5) for k in range(16)]
    frame["inside"] = [i % 7 == 2 and i < 454 for i in range(DAYS)]
    return frame


def confirm(frame):
    gaps = frame.gap[frame.gap > 50]
    assert (len(gaps), round(gaps.mean(), 4), gaps.max()) == (80, 67.3, 156.2)
    busy = frame[frame.busy].groupby("dow").move.mean()
    assert frame.busy.sum() == 80 and busy.to_dict() == MOVES
    falls = frame.change[frame.change < -2.5]
    assert (len(falls), falls.min(), falls.max()) == (13, -5.06, -2.51), falls
    assert round(falls.mean(), 2) == -3.27, falls.mean()
    assert frame.inside.sum() == 65


def cell(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def main():
    frame = table()
    confirm(frame)
    lines = [
        "The examples that summaries are explained with; the table and the questions are written by "
        "tests/reference/examples.py.",
        "",
        "## table days time=timestamp",
        "timestamp:date | dow:text | change:float | gap:float | busy:bool | move:float | inside:bool",
    ]
    lines += [" | ".join(cell(v) for v in row) for row in frame.itertuples(index=False)]
    lines.append("")
    for name, query in QUESTIONS:
        lines += [f"## {name}", f"> {query}", ""]
    OUT.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
