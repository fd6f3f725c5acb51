"""Reference values of sessions, trading days, time zones and timeframes from an independent engine.

Writes tests/golden/trading.txt: sparse bars of two instruments in UTC over the weekends on which the
clocks of New York and Berlin change, and bars, sessions and periods of them as pandas makes them.
Run it as `python3 tests/reference/trading.py`; it needs `pip install pandas tzdata`.
"""

import json
import pathlib

import pandas as pd

OUT = pathlib.Path(__file__).parent.parent / "golden" / "trading.txt"

MARKETS = {
    "newyork": {
        "timezone": "America/New_York",
        "sessions": {"RTH": ["09:30", "16:00"], "NIGHT": ["18:00", "03:00"],
                     "CHANGE": ["01:00", "02:00"]},
        "day_start": "18:00",
        "week_start": "mon",
    },
    "berlin": {
        "timezone": "Europe/Berlin",
        "sessions": {"DAY": ["08:00", "22:00"], "NIGHT": ["22:00", "08:00"]},
        "day_start": "00:00",
        "week_start": "sun",
    },
}
WEEKS = {
    "newyork": ["2024-03-08 20:00", "2024-11-01 20:00"],
    "berlin": ["2024-03-29 21:00", "2024-10-25 21:00"],
}
LENGTHS = {"30m": "30min", "1h": "1h", "2h": "2h", "4h": "4h"}


def generate(weeks, seed):
    """Days of 20-minute bars of which most are missing; dense where the clocks change."""
    state = seed

    def rand():
        nonlocal state
        state = (state * 1103515245 + 12345) % 2**31
        return state / 2**31

    rows = []
    price = {"A": 100.0, "B": 50.0}
    for start in weeks:
        for step in range(4 * 72):
            time = pd.Timestamp(start) + pd.Timedelta(minutes=20 * step)
            dense = time.day_of_week == 6 and time.hour < 8
            for symbol in ("A", "B"):
                if rand() > (0.7 if dense else 0.1):
                    continue
                open_ = round(price[symbol] + (rand() - 0.5), 2)
                close = round(open_ + (rand() - 0.5), 2)
                high = round(max(open_, close) + rand() / 4, 2)
                low = round(min(open_, close) - rand() / 4, 2)
                price[symbol] = close
                rows.append((time, symbol, open_, high, low, close, int(rand() * 100)))
    columns = ["time", "symbol", "open", "high", "low", "close", "volume"]
    return pd.DataFrame(rows, columns=columns)


def clock(text):
    hours, minutes = text.split(":")
    return pd.Timedelta(hours=int(hours), minutes=int(minutes))


def localise(frame, market):
    """Adds the wall clock, the offset and the trading date."""
    zoned = frame["time"].dt.tz_localize("UTC").dt.tz_convert(market["timezone"])
    frame["wall"] = zoned.dt.tz_localize(None)
    frame["offset"] = frame["wall"] - frame["time"]
    start = clock(market["day_start"])
    frame["shift"] = pd.Timedelta(days=1) - start if start else pd.Timedelta(0)
    frame["date"] = (frame["wall"] + frame["shift"]).dt.normalize()
    return frame


def in_session(frame, market, name):
    if name is None:
        return frame
    start, end = (clock(t) for t in market["sessions"][name])
    time = frame["wall"] - frame["wall"].dt.normalize()
    if start < end:
        return frame[(time >= start) & (time < end)]
    return frame[(time >= start) | (time < end)]


def bars(frame, market, length):
    """Bars labelled by wall clock or date, in the order of their labels and first rows."""
    frame = frame.copy()
    keys = ["label", "symbol"]
    if length in LENGTHS:
        frame["label"] = (frame["wall"] + frame["shift"]).dt.floor(LENGTHS[length]) - frame["shift"]
        if length in ("30m", "1h"):
            keys.append("offset")
    elif length == "daily":
        frame["label"] = frame["date"]
    elif length == "weekly":
        first = {"mon": 0, "sun": 6}[market["week_start"]]
        back = (frame["date"].dt.day_of_week - first) % 7
        frame["label"] = frame["date"] - pd.to_timedelta(back, unit="D")
    else:
        period = {"monthly": "M", "quarterly": "Q", "yearly": "Y"}[length]
        frame["label"] = frame["date"].dt.to_period(period).dt.start_time
    frame["place"] = range(len(frame))
    made = frame.groupby(keys, sort=False).agg(
        open=("open", "first"), high=("high", "max"), low=("low", "min"), close=("close", "last"),
        volume=("volume", "sum"), place=("place", "first"))
    return made.reset_index().sort_values("place", kind="stable")


def number(x):
    return "null" if pd.isna(x) else repr(float(f"{x:.9e}"))


def out(lines, header, rows):
    lines.append(" | ".join(header))
    lines.extend(" | ".join(row) for row in rows)
    lines.append("")


def bar_cases(name, frame, market, lines):
    for session in [None, *market["sessions"]]:
        for length in ["30m", "1h", "2h", "4h", "daily", "weekly", "monthly", "quarterly", "yearly"]:
            if session is not None and length not in ("4h", "daily", "weekly"):
                continue
            query = {"table": name, "from": length}
            if session is not None:
                query = {"table": name, "session": session.lower(), "from": length}
            made = bars(in_session(frame, market, session), market, length)
            lines.append(f"## {length} bars of {name} in {session or 'all hours'}")
            lines.append(f"> {json.dumps(query)}")
            lines.append(f"table, {len(made)} of {len(made)} rows")
            intraday = length in LENGTHS
            kind = "timestamp" if intraday else "date"
            header = [f"time:{kind}", "symbol:text", "open:float", "high:float", "low:float",
                      "close:float", "volume:int"]
            rows = []
            for bar in made.itertuples():
                label = bar.label.isoformat() if intraday else bar.label.date().isoformat()
                rows.append([label, bar.symbol, number(bar.open), number(bar.high),
                             number(bar.low), number(bar.close), str(bar.volume)])
            out(lines, header, rows)


def date_cases(name, frame, market, lines):
    """Rows of a period, by trading date, in a session."""
    first, last = frame["date"].min(), frame["date"].max()
    middle = first + pd.Timedelta(days=2)
    for session in [None, *market["sessions"]]:
        held = in_session(frame, market, session)
        base = {"table": name} if session is None else {"table": name, "session": session}
        dates = sorted(held["date"].unique())
        for period, start, end in [
            (f"{middle.date()}", middle, middle),
            (f"{middle.date()}:{last.strftime('%Y-%m')}", middle, pd.Timestamp(last)),
            ("last_week", last - pd.Timedelta(days=6), last),
            ("last_3", dates[-3], last),
        ]:
            part = held[(held["date"] >= start) & (held["date"] <= end)]
            groups = part.groupby("date").agg(n=("volume", "size"), v=("volume", "sum"))
            query = base | {"period": period, "group_by": "date()",
                            "select": {"n": "count()", "v": "sum(volume)"}}
            lines.append(f"## {period} of {name} in {session or 'all hours'} by trading date")
            lines.append(f"> {json.dumps(query)}")
            lines.append(f"grouped, {len(part)} of {len(part)} rows")
            if part.empty:
                lines.append("warning period_empty")
            elif ":" in period and (last + pd.offsets.MonthEnd(0) - last).days > 7:
                lines.append("warning period_clipped")
            rows = [[d.date().isoformat(), str(g.n), str(g.v)] for d, g in groups.iterrows()]
            out(lines, ["date():date", "n:int", "v:int"], rows)


def gap_cases(name, frame, market, lines):
    """Gaps of daily bars, looking back before the period and not."""
    session = next(iter(market["sessions"]))
    made = bars(in_session(frame, market, session), market, "daily")
    start = sorted(made["label"].unique())[2]
    for strict in (False, True):
        kept = made[made["label"] >= start] if strict else made
        gap = kept["open"] - kept.groupby("symbol")["close"].shift(1)
        kept = kept.assign(gap=gap)
        kept = kept[kept["label"] >= start]
        query = {"table": name, "session": session, "period": f"{start.date()}:",
                 "from": "daily", "map": {"gap": "gap()"}, "columns": ["time", "symbol", "gap"]}
        if strict:
            query["lookback"] = False
        lines.append(f"## gaps of {name}, {'strict' if strict else 'looking back'}")
        lines.append(f"> {json.dumps(query)}")
        lines.append(f"table, {len(kept)} of {len(kept)} rows")
        rows = [[r.label.date().isoformat(), r.symbol, number(r.gap)] for r in kept.itertuples()]
        out(lines, ["time:date", "symbol:text", "gap:float"], rows)


def main():
    lines = ["Answers of pandas; written by tests/reference/trading.py, never by the engine.", ""]
    for seed, (name, market) in enumerate(MARKETS.items(), 7):
        frame = generate(WEEKS[name], seed)
        settings = json.dumps(market, separators=(",", ":"))
        lines.append(f"## table {name} time=time series=symbol market={settings} utc")
        header = ["time:timestamp", "symbol:text", "open:float", "high:float", "low:float",
                  "close:float", "volume:int"]
        rows = [[r.time.isoformat(), r.symbol, repr(r.open), repr(r.high), repr(r.low),
                 repr(r.close), str(r.volume)] for r in frame.itertuples()]
        out(lines, header, rows)
        frame = localise(frame, market)
        bar_cases(name, frame, market, lines)
        date_cases(name, frame, market, lines)
        gap_cases(name, frame, market, lines)
    OUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
