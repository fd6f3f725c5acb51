"""The questions that people ask of bars, answered by pandas and plain loops.

Writes tests/golden/questions.txt: five bars a trading day of an index future (18:00, 02:00, 09:30,
12:00 and 15:30, a trading day starts at 18:00), made by a fixed generator, and questions with the
one query that asks each and the answers computed here. Run it as
`python3 tests/reference/questions.py`; it needs `pip install pandas`.
"""

import json
import pathlib

import pandas as pd

from make import cell

OUT = pathlib.Path(__file__).parent.parent / "golden" / "questions.txt"
DAYS = 130
CLOCK = ["18:00", "02:00", "09:30", "12:00", "15:30"]


def generate():
    """Trading days from 2023-10-02 on, Monday to Friday; a long fall in the middle."""
    state = 777

    def rand():
        nonlocal state
        state = (state * 1103515245 + 12345) % 2**31
        return state / 2**31

    rows = []
    price = 4500.0
    days = pd.bdate_range("2023-10-02", periods=DAYS)
    for i, day in enumerate(days):
        drift = -9.0 if 40 <= i < 65 else 1.5
        for clock in CLOCK:
            # the bar of 18:00 stands on the evening before
            date = day - pd.Timedelta(days=1) if clock == "18:00" else day
            time = pd.Timestamp(f"{date.date()} {clock}")
            spread = 9 if clock in ("18:00", "02:00") else 10
            open_ = price + (rand() - 0.5) * 12
            close = open_ + drift / 5 + (rand() - 0.5) * spread * 2
            high = max(open_, close) + rand() * spread
            low = min(open_, close) - rand() * spread
            bar = [round(x * 4) / 4 for x in (open_, high, low, close)]
            rows.append((time, *bar, int(rand() * 5000)))
            price = bar[3]
    return pd.DataFrame(rows, columns=["time", "open", "high", "low", "close", "volume"])


def resample(frame, label):
    """Bars of the rows with one label, in the order of the labels."""
    bars = frame.groupby(label).agg(open=("open", "first"), high=("high", "max"),
                                    low=("low", "min"), close=("close", "last"),
                                    volume=("volume", "sum"))
    return bars.reset_index(names="time")


def wilder_rsi(close, n):
    """RSI as Wilder wrote it: the first averages are means of n changes."""
    out = [None] * len(close)
    gains, losses = [], []
    gain = loss = None
    for i in range(1, len(close)):
        change = close[i] - close[i - 1]
        up, down = max(change, 0.0), max(-change, 0.0)
        if gain is None:
            gains.append(up)
            losses.append(down)
            if len(gains) < n:
                continue
            gain, loss = sum(gains) / n, sum(losses) / n
        else:
            gain, loss = (gain * (n - 1) + up) / n, (loss * (n - 1) + down) / n
        out[i] = 100.0 if loss == 0 else 100 - 100 / (1 + gain / loss)
    return out


WEEK = ["Mon", "Tue", "Wed", "Thu", "Fri"]


def questions(frame):
    """(what is asked, the query, the first line, the header, the rows)"""
    frame = frame.copy()
    # the trading date: the evening belongs to the next day
    frame["date"] = (frame["time"] + pd.Timedelta(hours=6)).dt.normalize()
    daily = resample(frame, "date")
    n = len(daily)
    prev = daily.shift(1)
    gap = daily["open"] - prev["close"]
    change = (daily["close"] / prev["close"] - 1) * 100
    spread = daily["high"] - daily["low"]
    day = [t.strftime("%Y-%m-%d") for t in daily["time"]]

    filled = [bool(daily["low"][i] <= prev["close"][i]) if gap[i] > 0 else
              bool(daily["high"][i] >= prev["close"][i]) for i in range(n) if i and gap[i] != 0]
    yield ("share of gaps filled the same day",
           {"from": "daily",
            "map": {"gap": "gap()",
                    "filled": "if(gap > 0, low <= prev(close), high >= prev(close))"},
            "where": "gap != 0", "select": "pct(filled)"},
           f"scalar, {len(filled)} of {n} rows", "pct_filled:float",
           [(100 * sum(filled) / len(filled),)])

    by_day = spread.groupby(daily["time"].dt.day_of_week).mean()
    yield ("mean range by weekday",
           {"from": "daily", "map": {"day": "dayname()"}, "group_by": "day",
            "select": {"mean_range": "mean(range())"}},
           f"grouped, {n} of {n} rows", "day:text | mean_range:float",
           [(WEEK[k], float(v)) for k, v in by_day.items()])

    inside = [i for i in range(1, n) if daily["high"][i] < prev["high"][i]
              and daily["low"][i] > prev["low"][i]]
    after = [float(spread[i + 1]) for i in inside if i + 1 < n]
    yield ("inside days, and the range of the day after",
           {"from": "daily", "map": {"next_range": "next(range())"}, "where": "inside_bar()",
            "select": "count(), mean(next_range)"},
           f"dict, {len(inside)} of {n} rows", "count:int | mean_next_range:float",
           [(len(inside), sum(after) / len(after))])

    worst = sorted(range(1, n), key=lambda i: (change[i], i))[:10]
    yield ("the ten worst drops",
           {"from": "daily", "map": {"drop": "change_pct()"}, "sort": "drop", "limit": 10,
            "columns": ["time", "drop"]},
           f"table, {n} of {n} rows, 10 of {n}", "time:date | drop:float",
           [(day[i], float(change[i])) for i in worst])

    hours = {}
    for _, bars in frame.groupby("date"):
        first = bars.loc[bars["high"].idxmax(), "time"].hour
        hours[first] = hours.get(first, 0) + 1
    tops = sum(int((bars["high"] == bars["high"].max()).sum()) for _, bars in frame.groupby("date"))
    ranked = sorted(hours.items(), key=lambda item: (-item[1], item[0]))
    assert tops >= n
    yield ("the hour in which the day's high falls most often",
           {"where": "high == session_high()",
            "group_by": "date()", "select": {"hour": "first(hour())"},
            "steps": [{"group_by": "hour", "sort": "count desc"}]},
           f"grouped, {n} of {n} rows", "hour:int | count:int", ranked)

    down = [False] + [bool(daily["close"][i] < daily["close"][i - 1]) for i in range(1, n)]
    third = [i for i in range(3, n) if down[i] and down[i - 1] and down[i - 2]]
    moves = [float(change[i + 1]) for i in third if i + 1 < n]
    yield ("the average move after three down days in a row",
           {"from": "daily", "map": {"down": "streak(close < prev(close))",
                                     "move": "next(change_pct())"},
            "where": "down >= 3", "select": "count(move), mean(move)"},
           f"dict, {len(third)} of {n} rows", "count_move:int | mean_move:float",
           [(len(moves), sum(moves) / len(moves))])

    nr7 = [i for i in range(6, n) if spread[i] == min(spread[i - 6:i + 1])]
    years = {}
    for i in nr7:
        years[daily["time"][i].year] = years.get(daily["time"][i].year, 0) + 1
    yield ("NR7 days by year",
           {"from": "daily", "where": "range() == rolling_min(range(), 7)",
            "group_by": "year()", "select": "count()"},
           f"grouped, {len(nr7)} of {n} rows", "year():int | count:int", sorted(years.items()))

    rsi = wilder_rsi(list(daily["close"]), 14)
    low = [i for i in range(n) if rsi[i] is not None and rsi[i] < 30]
    returns = [(daily["close"][i + 5] / daily["close"][i] - 1) * 100 for i in low if i + 5 < n]
    yield ("RSI below 30, and the return of the next five days",
           {"from": "daily", "map": {"ret": "(next(close, 5) / close - 1) * 100"},
            "where": "rsi(14) < 30", "select": "count(), mean(ret)"},
           f"dict, {len(low)} of {n} rows", "count:int | mean_ret:float",
           [(len(low), sum(returns) / len(returns))])

    for name, label in (("monthly", "M"), ("quarterly", "Q")):
        start = frame["date"].dt.to_period(label).dt.start_time
        bars = resample(frame.assign(start=start), "start")
        moved = (bars["close"] / bars["close"].shift(1) - 1) * 100
        yield (f"change from {'month to month' if label == 'M' else 'quarter to quarter'}",
               {"from": name, "map": {"change": "change_pct()"}, "columns": ["time", "change"]},
               f"table, {len(bars)} of {len(bars)} rows", "time:date | change:float",
               [(t.strftime("%Y-%m-%d"), float(c)) for t, c in zip(bars["time"], moved)])

    ratios = []
    for _, bars in frame.groupby("date"):
        night = bars["time"].dt.hour.isin([18, 2])
        ratios.append(((bars["high"][night].max() - bars["low"][night].min()),
                       (bars["high"][~night].max() - bars["low"][~night].min())))
    wider = sum(night > day_ for night, day_ in ratios)
    yield ("the overnight range against the day's range",
           {"map": {"night": "time() >= \"18:00\" or time() < \"09:30\""},
            "group_by": "date()",
            "select": {"overnight": "max(if(night, high, null)) - min(if(night, low, null))",
                       "regular": "max(if(night, null, high)) - min(if(night, null, low))"},
            "steps": [{"select": {"overnight": "mean(overnight)", "regular": "mean(regular)",
                                  "wider": "pct(overnight > regular)"}}]},
           f"dict, {n} of {n} rows", "overnight:float | regular:float | wider:float",
           [(sum(a for a, _ in ratios) / n, sum(b for _, b in ratios) / n, 100 * wider / n)])


def main():
    frame = generate()
    lines = [
        "Questions that people ask of bars, each as one query; the answers are those of pandas and",
        "plain loops, written by tests/reference/questions.py, never by the engine.",
        "",
        '## table es time=time market=futures-us-index',
        "time:timestamp | open:float | high:float | low:float | close:float | volume:int",
    ]
    lines += [" | ".join(cell(v) for v in row) for row in frame.itertuples(index=False)]
    lines.append("")
    for name, query, status, header, rows in questions(frame):
        lines += [f"## {name}", "> " + json.dumps(query), status, header]
        lines += [" | ".join(cell(v) for v in row) for row in rows]
        lines.append("")
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
