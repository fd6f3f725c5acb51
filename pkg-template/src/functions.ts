// The names of the functions of the query language, from the function table.
// `UPDATE_DOCS=1 cargo test --test docs` rewrites this file.

/** Functions that make one value per row, from that row alone. */
export type RowFunctionName =
  | "abs"
  | "sqrt"
  | "log"
  | "log10"
  | "exp"
  | "sign"
  | "floor"
  | "ceil"
  | "round"
  | "min_of"
  | "max_of"
  | "if"
  | "coalesce"
  | "isnull"
  | "lower"
  | "upper"
  | "trim"
  | "length"
  | "contains"
  | "starts_with"
  | "ends_with"
  | "year"
  | "quarter"
  | "month"
  | "monthname"
  | "day"
  | "dayofweek"
  | "dayname"
  | "hour"
  | "minute"
  | "date"
  | "range"
  | "range_pct"
  | "midpoint"
  | "typical_price"
  | "body"
  | "green"
  | "red";

/** Functions that make one value per row, from that row and its neighbours. */
export type WindowFunctionName =
  | "prev"
  | "next"
  | "rolling_mean"
  | "rolling_sum"
  | "rolling_min"
  | "rolling_max"
  | "gap"
  | "gap_pct"
  | "change"
  | "change_pct"
  | "inside_bar"
  | "outside_bar";

/** Functions that make one value from many rows. */
export type AggregateName =
  | "count"
  | "count_distinct"
  | "mean"
  | "sum"
  | "min"
  | "max"
  | "std"
  | "var"
  | "median"
  | "first"
  | "last"
  | "pct"
  | "correlation";

/** Every function of the query language. */
export type FunctionName = RowFunctionName | WindowFunctionName | AggregateName;

/** The families of functions, as the reference names them. */
export type FunctionFamily =
  | "numbers, conditions and text"
  | "parts of the time"
  | "rows before and after"
  | "trailing windows"
  | "prices of bars"
  | "shapes of bars"
  | "aggregates, only in `select`";
