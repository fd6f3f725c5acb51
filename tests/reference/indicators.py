"""Reference values of windows and indicators from independent libraries.

Writes beside itself:
- `vix-2008.csv`: daily open, high, low and close of the CBOE volatility index in 2008, cut from
  https://github.com/datasets/finance-vix (Open Data Commons Public Domain Dedication and Licence);
  kept, and only read when it is there;
- `ibm-2008.csv`: the same and the volume of the shares of IBM in 2008, cut from
  `bokeh_sampledata/_data/stocks.csv.gz` of the package bokeh_sampledata 2026.1 (PyPI), which has them
  from Quandl WIKI Prices, in the public domain; kept, too;
- `minutes.csv`: minute bars of three days, made by the fixed generator below;
- `indicators.txt`: for each expression its values at the rows named, and which library or loop gave
  them. `tests/reference/indicators.rs` compares the engine with them to nine digits.

TA-Lib, pandas and numpy give the values wherever they define the same thing. Where TA-Lib starts a
recursion otherwise (see the docs of the function) a plain loop over the definition does, and what it
gives must meet TA-Lib's value at the end of the minute bars, where the start has faded.

The minute bars of a year are not kept: `year` below and in `indicators.rs` make the same ones, of whole
numbers, so that they are the same to the last bit.

Run it as `python3 tests/reference/indicators.py [vix-daily.csv] [stocks.csv.gz]`; it needs
`pip install TA-Lib pandas numpy`.
"""

import math
import pathlib
import sys

import numpy as np
import pandas as pd
import talib

HERE = pathlib.Path(__file__).parent
NAN = float("nan")


def minutes():
    """Three days of minute bars that wander, with a gap over night and prices of two decimals."""
    state = 20240104

    def rand():
        nonlocal state
        state = (state * 1103515245 + 12345) % 2**31
        return state / 2**31

    rows, price = [], 4700.0
    for day in range(3):
        price += (rand() - 0.5) * 40
        for minute in range(570, 960):
            open_ = round(price + (rand() - 0.5), 2)
            close = round(open_ + (rand() - 0.5) * 6, 2)
            high = round(max(open_, close) + rand() * 2, 2)
            low = round(min(open_, close) - rand() * 2, 2)
            time = pd.Timestamp("2024-01-04") + pd.Timedelta(days=day, minutes=minute)
            rows.append((time.isoformat(), open_, high, low, close, int(rand() * 1000) + 1))
            price = close
    return pd.DataFrame(rows, columns=["time", "open", "high", "low", "close", "volume"])


DAYS, MINUTES = 252, 390


def year():
    """Minute bars of 252 working days that wander, in whole cents until they are written."""
    state = 20230102

    def below(n):
        nonlocal state
        state = (state * 1103515245 + 12345) % 2**31
        return state // 2**12 % n

    rows, price = [], 470_000
    for day in range(DAYS):
        date = pd.Timestamp("2023-01-02") + pd.Timedelta(days=day // 5 * 7 + day % 5)
        price += below(4001) - 2000
        for minute in range(MINUTES):
            open_ = price + below(51) - 25
            close = open_ + below(301) - 150
            high = max(open_, close) + below(100)
            low = min(open_, close) - below(100)
            time = date + pd.Timedelta(minutes=570 + minute)
            rows.append((time.isoformat(), open_ / 100, high / 100, low / 100, close / 100, below(1000) + 1))
            price = close
    frame = pd.DataFrame(rows, columns=["time", "open", "high", "low", "close", "volume"])
    assert frame["low"].min() > 1000, frame["low"].min()
    return frame


def shares(source):
    kept = HERE / "ibm-2008.csv"
    if source:
        frame = pd.read_csv(source)
        frame = frame[(frame["Ticker"] == "IBM") & frame["Date"].str.startswith("2008-")]
        frame = frame[["Date", "Open", "High", "Low", "Close", "Volume"]]
        frame.columns = ["time", "open", "high", "low", "close", "volume"]
        frame.to_csv(kept, index=False)
    return pd.read_csv(kept)


def daily(source):
    kept = HERE / "vix-2008.csv"
    if source:
        frame = pd.read_csv(source)
        frame.columns = ["time", "open", "high", "low", "close"]
        frame = frame[frame["time"].str.startswith("2008-")]
        frame.to_csv(kept, index=False)
    return pd.read_csv(kept)


# ── plain loops ──


def ema(x, n):
    out, mean = [], None
    for value in x:
        if not math.isnan(value):
            mean = value if mean is None else 2 / (n + 1) * value + (1 - 2 / (n + 1)) * mean
        out.append(NAN if math.isnan(value) else mean)
    return np.array(out)


def rma(x, n):
    out, seed, mean = [], [], None
    for value in x:
        if math.isnan(value):
            out.append(NAN)
            continue
        if mean is None:
            seed.append(value)
            if len(seed) == n:
                mean = sum(seed) / n
        else:
            mean = (mean * (n - 1) + value) / n
        out.append(NAN if mean is None else mean)
    return np.array(out)


def wma(x, n):
    weights = np.arange(1, n + 1)
    return pd.Series(x).rolling(n).apply(lambda w: (w * weights).sum() / weights.sum(), raw=True).to_numpy()


def true_range(f):
    out = []
    for i in range(len(f)):
        high, low = f["high"][i], f["low"][i]
        before = f["close"][i - 1] if i else high
        out.append(max(high - low, abs(high - before) if i else 0, abs(low - before) if i else 0))
    return np.array(out)


def directional(f, n):
    plus, minus, ranges = [NAN], [NAN], [NAN]
    widths = true_range(f)
    for i in range(1, len(f)):
        up = f["high"][i] - f["high"][i - 1]
        down = f["low"][i - 1] - f["low"][i]
        plus.append(up if up > down and up > 0 else 0.0)
        minus.append(down if down > up and down > 0 else 0.0)
        ranges.append(widths[i])
    width = rma(ranges, n)
    plus, minus = 100 * rma(plus, n) / width, 100 * rma(minus, n) / width
    index = rma(100 * np.abs(plus - minus) / (plus + minus), n)
    return plus, minus, index


def supertrend(f, n, k):
    width = rma(true_range(f), n)
    line, side = [], []
    upper = lower = before = rise = None
    for i in range(len(f)):
        if math.isnan(width[i]):
            line.append(NAN)
            side.append(NAN)
            continue
        close, middle = f["close"][i], (f["high"][i] + f["low"][i]) / 2
        new_upper, new_lower = middle + k * width[i], middle - k * width[i]
        if before is None:
            upper, lower, rise = new_upper, new_lower, False
        else:
            upper = new_upper if new_upper < upper or before > upper else upper
            lower = new_lower if new_lower > lower or before < lower else lower
            rise = close >= lower if rise else close > upper
        line.append(lower if rise else upper)
        side.append(1 if rise else -1)
        before = close
    return np.array(line), np.array(side)


def runs(condition):
    out, run = [], 0
    for yes in condition:
        run = run + 1 if yes else 0
        out.append(run)
    return np.array(out, dtype=float)


def since(condition):
    out, last = [], NAN
    for yes in condition:
        last = 0 if yes else last + 1
        out.append(last)
    return np.array(out)


def value_when(condition, x, n):
    out, seen = [], []
    for yes, value in zip(condition, x):
        if yes:
            seen.append(value)
        out.append(seen[-1 - n] if len(seen) > n else NAN)
    return np.array(out)


def pivots(x, left, right, sign):
    out = []
    for i in range(len(x)):
        at = i - right
        if at - left < 0:
            out.append(NAN)
            continue
        others = list(x[at - left:at]) + list(x[at + 1:i + 1])
        out.append(x[at] if all(sign * x[at] > sign * other for other in others) else NAN)
    return np.array(out)


def over_all(x, n, compare):
    """Whether each value compares so with every one of the n before it."""
    out = [NAN if i < n else float(all(compare(x[i], x[j]) for j in range(i - n, i))) for i in range(len(x))]
    return np.array(out)


def crossed(a, b):
    now, before = a > b, np.concatenate([[False], a[:-1] <= b[:-1]])
    return (now & before).astype(float)


# ── expressions ──


def prices(f):
    """Expression → (who computed it, values), for bars without volume."""
    close = f["close"].to_numpy()
    o, h, l = (f[name].to_numpy() for name in ("open", "high", "low"))
    c = pd.Series(close)
    bands = talib.BBANDS(close, 20, 2, 2, 0)
    # pandas updates its own from row to row, which costs digits
    over = lambda n, what: c.rolling(n).apply(what, raw=True).to_numpy()
    mean, spread = over(20, np.mean), over(20, np.std)
    slow = talib.STOCH(h, l, close, 14, 3, 0, 3, 0)
    fast = talib.STOCHF(h, l, close, 14, 1, 0)
    plus, minus, index = directional(f, 14)
    atr = rma(true_range(f), 14)
    line, side = supertrend(f, 10, 3)
    line2, side2 = supertrend(f, 7, 1.5)
    macd = ema(close, 12) - ema(close, 26)
    signal = ema(macd, 9)
    up = close > o
    top, bottom = pd.Series(h).rolling(20).max().to_numpy(), pd.Series(l).rolling(20).min().to_numpy()
    day = pd.Series([t[:10] for t in f["time"]])
    by_day = f.groupby(day.to_numpy(), sort=False)
    wicks = np.maximum(o, close), np.minimum(o, close)
    deviations = lambda n: over(n, lambda w: w.std(ddof=1))
    return {
        "rolling_std(close, 5)": ("numpy", deviations(5)),
        "rolling_std(close, 100)": ("numpy", deviations(100)),
        "rolling_median(close, 5)": ("pandas", c.rolling(5).median().to_numpy()),
        "rolling_median(close, 20)": ("pandas", c.rolling(20).median().to_numpy()),
        "rolling_count(close > open, 10)": ("pandas", pd.Series(up.astype(float)).rolling(10).sum().to_numpy()),
        "sma(close, 20)": ("talib", talib.SMA(close, 20)),
        "sma(10)": ("talib", talib.SMA(close, 10)),
        "wma(close, 10)": ("talib", talib.WMA(close, 10)),
        "wma(close, 33)": ("loop", wma(close, 33)),
        "hma(close, 9)": ("loop", wma(2 * wma(close, 4) - wma(close, 9), 3)),
        "hma(close, 16)": ("loop", wma(2 * wma(close, 8) - wma(close, 16), 4)),
        "ema(close, 20)": ("pandas", c.ewm(span=20, adjust=False).mean().to_numpy()),
        "ema(prev(close, 3), 5)": ("loop", ema([NAN] * 3 + list(close[:-3]), 5)),
        "rma(close, 14)": ("loop", rma(close, 14)),
        "cummax(high)": ("pandas", f["high"].cummax().to_numpy()),
        "cummin(low)": ("pandas", f["low"].cummin().to_numpy()),
        "cumsum(close)": ("pandas", c.cumsum().to_numpy()),
        "cumcount()": ("numpy", np.arange(1, len(f) + 1)),
        "streak(close > open)": ("loop", runs(up)),
        "bars_since(close > open)": ("loop", since(up)),
        "rank(close)": ("pandas", c.rank(pct=True).to_numpy()),
        "rising(close, 3)": ("loop", over_all(close, 3, lambda a, b: a > b)),
        "falling(close, 3)": ("loop", over_all(close, 3, lambda a, b: a < b)),
        "valuewhen(close > open, low)": ("loop", value_when(up, l, 0)),
        "valuewhen(close > open, low, 2)": ("loop", value_when(up, l, 2)),
        "pivothigh(3, 2)": ("loop", pivots(h, 3, 2, 1)),
        "pivotlow(2, 3)": ("loop", pivots(l, 2, 3, -1)),
        "if(crossover(close, open), 1, 0)": ("loop", crossed(close, o)),
        "if(crossunder(close, open), 1, 0)": ("loop", crossed(-close, -o)),
        "body_pct()": ("numpy", np.abs(close - o) / (h - l) * 100),
        "upper_wick()": ("numpy", h - wicks[0]),
        "lower_wick()": ("numpy", wicks[1] - l),
        "doji(0.3)": ("numpy", (np.abs(close - o) <= 0.3 * (h - l)).astype(float)),
        "rsi(14)": ("talib", talib.RSI(close, 14)),
        "rsi(open, 5)": ("talib", talib.RSI(o, 5)),
        "stoch_k(14)": ("talib", fast[0]),
        "stoch_k(14, 3)": ("loop", pd.Series(100 * (close - pd.Series(l).rolling(14).min()) / (
            pd.Series(h).rolling(14).max() - pd.Series(l).rolling(14).min())).rolling(3).mean().to_numpy()),
        "stoch_d(14, 3, 3)": ("talib", slow[1]),
        "cci(20)": ("talib", talib.CCI(h, l, close, 20)),
        "cci(5)": ("talib", talib.CCI(h, l, close, 5)),
        "williams_r(14)": ("talib", talib.WILLR(h, l, close, 14)),
        "roc(10)": ("talib", talib.ROC(close, 10)),
        "momentum(10)": ("talib", talib.MOM(close, 10)),
        "macd()": ("loop", macd),
        "macd_signal()": ("loop", signal),
        "macd_hist()": ("loop", macd - signal),
        "plus_di(14)": ("loop", plus),
        "minus_di(14)": ("loop", minus),
        "adx(14)": ("loop", index),
        "supertrend()": ("loop", line),
        "supertrend_dir()": ("loop", side),
        "supertrend(7, 1.5)": ("loop", line2),
        "supertrend_dir(7, 1.5)": ("loop", side2),
        "sar()": ("talib", talib.SAR(h, l, 0.02, 0.2)),
        "sar(0.05, 0.05, 0.3)": ("talib", talib.SAR(h, l, 0.05, 0.3)),
        "sar(0.03, 0.01, 0.1)": ("talib", np.abs(talib.SAREXT(
            h, l, 0, 0, 0.03, 0.01, 0.1, 0.03, 0.01, 0.1))),
        "tr()": ("loop", true_range(f)),
        "atr(14)": ("loop", atr),
        "natr(14)": ("loop", 100 * atr / close),
        "bbands_upper()": ("talib", bands[0]),
        "bbands_mid()": ("talib", bands[1]),
        "bbands_lower()": ("talib", bands[2]),
        "bbands_width(20, 2)": ("numpy", 4 * spread / mean),
        "bbands_pctb(20, 2)": ("numpy", (close - (mean - 2 * spread)) / (4 * spread)),
        "kc_upper(20, 2)": ("loop", ema(close, 20) + 2 * rma(true_range(f), 20)),
        "kc_mid(20, 2)": ("loop", ema(close, 20)),
        "kc_lower(20, 2)": ("loop", ema(close, 20) - 2 * rma(true_range(f), 20)),
        "donchian_upper(20)": ("pandas", top),
        "donchian_mid(20)": ("pandas", (top + bottom) / 2),
        "donchian_lower(20)": ("pandas", bottom),
        "session_open()": ("pandas", by_day["open"].transform("first").to_numpy()),
        "session_high()": ("pandas", by_day["high"].transform("max").to_numpy()),
        "session_low()": ("pandas", by_day["low"].transform("min").to_numpy()),
        "session_close()": ("pandas", by_day["close"].transform("last").to_numpy()),
        "session_high_so_far()": ("pandas", by_day["high"].cummax().to_numpy()),
        "session_low_so_far()": ("pandas", by_day["low"].cummin().to_numpy()),
    }


def volumes(f):
    """Expressions over bars with volume."""
    o, h, l, close, volume = (f[n].to_numpy(dtype=float) for n in ("open", "high", "low", "close", "volume"))
    v, typical = pd.Series(volume), (h + l + close) / 3
    day = [t[:10] for t in f["time"]]
    flows = pd.DataFrame({"flow": typical * volume, "volume": volume}).groupby(day, sort=False).cumsum()
    return {
        "vwma(close, 10)": ("pandas", (pd.Series(close * volume).rolling(10).sum() / v.rolling(10).sum()).to_numpy()),
        "mfi(14)": ("talib", talib.MFI(h, l, close, volume, 14)),
        "obv()": ("talib", talib.OBV(close, volume) - volume[0]),
        "ad_line()": ("talib", talib.AD(h, l, close, volume)),
        "volume_sma()": ("talib", talib.SMA(volume, 20)),
        "volume_ratio(5)": ("pandas", (v / v.rolling(5).mean()).to_numpy()),
        "vwap_day()": ("pandas", (flows["flow"] / flows["volume"]).to_numpy()),
        "sma(volume, 20)": ("talib", talib.SMA(volume, 20)),
        "cumsum(volume)": ("pandas", v.cumsum().to_numpy()),
    }


def faded(f):
    """Where the starts of recursions have faded, the loops meet TA-Lib."""
    h, l, close = (f[name].to_numpy() for name in ("high", "low", "close"))
    plus, minus, index = directional(f, 14)
    macd = ema(close, 12) - ema(close, 26)
    atr = rma(true_range(f), 14)
    for ours, theirs in [
        (ema(close, 20), talib.EMA(close, 20)),
        (macd, talib.MACD(close, 12, 26, 9)[0]),
        (ema(macd, 9), talib.MACD(close, 12, 26, 9)[1]),
        (atr, talib.ATR(h, l, close, 14)),
        (100 * atr / close, talib.NATR(h, l, close, 14)),
        (plus, talib.PLUS_DI(h, l, close, 14)),
        (minus, talib.MINUS_DI(h, l, close, 14)),
        (index, talib.ADX(h, l, close, 14)),
    ]:
        assert abs(ours[-1] - theirs[-1]) <= 1e-9 * abs(theirs[-1]), (ours[-1], theirs[-1])


def aggregates(f):
    close, volume = f["close"].to_numpy(), f["volume"].to_numpy()
    return {
        "percentile(close, 0.9)": ("numpy", [np.quantile(close, 0.9)]),
        "percentile(close, 0.123)": ("numpy", [np.quantile(close, 0.123)]),
        "percentile(volume, 0.5)": ("numpy", [np.median(volume)]),
        "argmin(close, volume)": ("numpy", [close[volume.argmin()]]),
        "argmax(volume, close)": ("numpy", [volume[close.argmax()]]),
        "wavg(close, volume)": ("numpy", [np.average(close, weights=volume)]),
        "std(close)": ("numpy", [close.std(ddof=1)]),
        "correlation(close, volume)": ("numpy", [np.corrcoef(close, volume)[0, 1]]),
    }


def cell(value):
    return "-" if math.isnan(value) else f"{value:.12g}"


def section(name, expressions, rows):
    lines = [f"## {name} " + " ".join(str(row) for row in rows)]
    for expression, (who, values) in expressions.items():
        lines.append(f"{expression} | {who} | " + " ".join(cell(float(values[row])) for row in rows))
    return lines


def main():
    sources = {"stocks" if "stocks" in path else "vix": path for path in sys.argv[1:]}
    days, stock, bars = daily(sources.get("vix")), shares(sources.get("stocks")), minutes()
    long = year()
    bars.to_csv(HERE / "minutes.csv", index=False)
    faded(bars)
    faded(long)
    sample = lambda f: [i for i in range(len(f)) if i < 45 or i % 29 == 0 or i == len(f) - 1]
    of_year = [i for i in range(len(long)) if i < 45 or i % 947 == 0 or i == len(long) - 1]
    lines = [f"Written by tests/reference/indicators.py with TA-Lib {talib.__version__}, pandas "
             f"{pd.__version__} and numpy {np.__version__}, never by the engine."]
    lines += section("vix-2008 map", prices(days), sample(days))
    lines += section("ibm-2008 map", {**prices(stock), **volumes(stock)}, sample(stock))
    lines += section("minutes map", {**prices(bars), **volumes(bars)}, sample(bars))
    lines += section("minutes select", aggregates(bars), [0])
    lines += section("year map", {**prices(long), **volumes(long)}, of_year)
    lines += section("year select", aggregates(long), [0])
    (HERE / "indicators.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
