//! Functions of the query language: one arm for each name of its table.

use super::expr::{Code, Lowered, Lowering, literal};
use super::lists::member_of;
use super::tables::arrow_type;
use super::udf::calendar::Part;
use super::udf::kernel::Kernel;
use super::udf::lists::Lists;
use super::udf::math::Math;
use super::udf::text::Text;
use super::udf::window::Window;
use super::udf::{arith, clock, correlation, mean, percentile, sum};
use crate::engine::errors::from_datafusion;
use crate::error::{Error, Result};
use crate::query::ast::Arith;
use crate::query::check::{Domain, Node, Typed};
use crate::schema::{Kind, Member};
use crate::value::Value;
use arrow::array::StringArray;
use arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::functions::{core, string, unicode};
use datafusion::functions_aggregate::count::count_udaf;
use datafusion::functions_aggregate::first_last::{first_value_udaf, last_value_udaf};
use datafusion::functions_aggregate::median::median_udaf;
use datafusion::functions_aggregate::min_max::{max_udaf, min_udaf};
use datafusion::functions_aggregate::stddev::stddev_udaf;
use datafusion::functions_aggregate::sum::sum_udaf;
use datafusion::functions_aggregate::variance::var_samp_udaf;
use datafusion::logical_expr::expr::{AggregateFunction, WindowFunction};
use datafusion::logical_expr::{
    Expr, ExprFunctionExt, WindowFrame, WindowFrameBound, WindowFrameUnits, WindowUDF, cast, lit,
    when,
};
use std::sync::{Arc, LazyLock};

/// Unicode white space, which `trim` takes away.
const WHITE_SPACE: &str = "\t\n\u{b}\u{c}\r \u{85}\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}";

static WEEKDAYS: LazyLock<Arc<StringArray>> =
    LazyLock::new(|| Arc::new(StringArray::from(Domain::Weekday.values().to_vec())));
static MONTHS: LazyLock<Arc<StringArray>> =
    LazyLock::new(|| Arc::new(StringArray::from(Domain::Month.values().to_vec())));

impl Lowering<'_> {
    /// A function of one row.
    pub(crate) fn row_call(
        &mut self,
        name: &str,
        args: &[Typed],
        kind: Option<Kind>,
    ) -> Result<Lowered> {
        let math = match name {
            "abs" => Some(Math::Abs),
            "sign" => Some(Math::Sign),
            "floor" => Some(Math::Floor),
            "ceil" => Some(Math::Ceil),
            "round" => Some(Math::Round),
            "sqrt" => Some(Math::Sqrt),
            "log" => Some(Math::Log),
            "log10" => Some(Math::Log10),
            "exp" => Some(Math::Exp),
            _ => None,
        };
        let part = match name {
            "year" => Some(Part::Year),
            "quarter" => Some(Part::Quarter),
            "month" => Some(Part::Month),
            "day" => Some(Part::Day),
            "dayofweek" => Some(Part::Weekday),
            "hour" => Some(Part::Hour),
            "minute" => Some(Part::Minute),
            "date" => Some(Part::Date),
            "week" => Some(Part::Week),
            "time" => Some(Part::Time),
            _ => None,
        };
        let (mut list, ready) = self.lower_all(args)?;
        if let Some(math) = math {
            let x = &list.first().ok_or_else(|| missing(name))?.ty;
            let ty = math.result_type(x, args.get(1).and_then(constant).unwrap_or(0));
            let call = math.call(list.into_iter().map(|x| x.expr).collect());
            return Ok(Lowered::new(call, ty, ready));
        }
        if let Some(part) = part {
            let x = self.dated(take(&mut list, 0, name)?, part);
            return Ok(Lowered::new(part.call(x.expr), part.result_type(), ready));
        }
        let kind = kind.unwrap_or(Kind::Bool);
        let ty = arrow_type(kind);
        let member = list.first().and_then(|x| member_of(&x.ty));
        if let (Some(member), Some(asked)) = (member, Lists::named(name)) {
            let mut args = vec![take(&mut list, 0, name)?.expr];
            args.extend(list.into_iter().map(|x| match member {
                Member::Int if !x.ty.is_integer() => x.fit(Kind::Float),
                member => x.fit(member.kind()),
            }));
            return Ok(Lowered::new(asked.call(args), ty, ready));
        }
        let texts = |list: Vec<Lowered>| list.into_iter().map(|x| x.fit(Kind::Text)).collect();
        let expr = match name {
            "dayname" => {
                let x = self.dated(take(&mut list, 0, name)?, Part::Weekday);
                return Ok(named(x, Domain::Weekday));
            }
            "monthname" => {
                let x = self.dated(take(&mut list, 0, name)?, Part::Month);
                return Ok(named(x, Domain::Month));
            }
            "days_between" => {
                let moments = list.into_iter().map(|x| x.fit(Kind::Timestamp)).collect();
                clock::days_between().call(moments)
            }
            "isnull" => take(&mut list, 0, name)?.expr.is_null(),
            "if" => {
                let mut list = list.into_iter();
                let (Some(condition), Some(yes), Some(no)) =
                    (list.next(), list.next(), list.next())
                else {
                    return Err(missing(name));
                };
                when(condition.expr, yes.fit(kind))
                    .otherwise(no.fit(kind))
                    .map_err(from_datafusion)?
            }
            "coalesce" => core::coalesce().call(fit_all(list, kind)),
            "min_of" => core::least().call(fit_all(list, kind)),
            "max_of" => core::greatest().call(fit_all(list, kind)),
            "lower" => string::lower().call(texts(list)),
            "upper" => string::upper().call(texts(list)),
            "trim" => {
                let x = take(&mut list, 0, name)?.fit(Kind::Text);
                string::btrim().call(vec![x, lit(WHITE_SPACE)])
            }
            "length" => cast(unicode::character_length().call(texts(list)), DataType::Int64),
            "contains" => string::contains().call(texts(list)),
            "starts_with" => string::starts_with().call(texts(list)),
            "ends_with" => string::ends_with().call(texts(list)),
            "replace" => string::replace().call(texts(list)),
            "matches" => Text::Matches.call(texts(list)),
            "substr" => {
                let s = take(&mut list, 0, name)?.fit(Kind::Text);
                let places = list.into_iter().map(|x| x.fit(Kind::Int));
                Text::Substr.call(std::iter::once(s).chain(places).collect())
            }
            _ => return Err(Error::Internal(format!("no row function {name}"))),
        };
        Ok(Lowered::new(expr, ty, ready))
    }

    /// What a part is taken of: the clock of the moment itself, or its trading date.
    fn dated(&self, x: Lowered, part: Part) -> Lowered {
        let clock = matches!(part, Part::Hour | Part::Minute | Part::Time);
        if clock || self.shift == 0 { x } else { self.trading_day(x) }
    }

    /// A function of a row and its neighbours in the series.
    pub(crate) fn window_call(&mut self, name: &str, args: &[Typed]) -> Result<Lowered> {
        if let Some((kernel, function, columns)) = Kernel::named(name) {
            return self.kernel_call(kernel, function, args, columns);
        }
        let (Some(x), Some(n)) = (args.first(), args.get(1).and_then(constant)) else {
            return Err(missing(name));
        };
        let (window, n) = match name {
            "prev" => (Window::Shift, n),
            "next" => (Window::Shift, n.saturating_neg()),
            "rolling_mean" => (Window::Mean, n),
            "rolling_sum" => (Window::Sum, n),
            "rolling_min" => (Window::Min, n),
            "rolling_max" => (Window::Max, n),
            "rolling_std" => (Window::Deviation, n),
            "rolling_median" => (Window::Median, n),
            "population_deviation" => (Window::PopulationDeviation, n),
            "mean_deviation" => (Window::MeanDeviation, n),
            "weighted_mean" => (Window::WeightedMean, n),
            "exponential_mean" => (Window::Exponential, n),
            "wilder_mean" => (Window::Wilder, n),
            _ => return Err(Error::Internal(format!("no window function {name}"))),
        };
        let x = self.lower(x)?;
        let ty = window.result_type(&x.ty);
        self.over_series(window.function(), vec![x.expr, lit(n)], x.ready, ty)
    }

    /// A window function of several columns and constants.
    fn kernel_call(
        &mut self,
        kernel: Kernel,
        function: Arc<WindowUDF>,
        args: &[Typed],
        columns: usize,
    ) -> Result<Lowered> {
        let (columns, constants) = args.split_at_checked(columns).unwrap_or((args, &[]));
        let (mut columns, ready) = self.lower_all(columns)?;
        if kernel == Kernel::CumCount {
            columns.push(Lowered::new(self.row.clone(), DataType::Int64, 0));
        }
        if kernel.of_day()
            && let Some(time) = columns.pop()
        {
            // Rows of a table keep the order of the moments, which a doubled hour's clock does not
            // tell; what a step has put in another order goes by the clock.
            let place = if self.in_time {
                Lowered::new(self.row.clone(), DataType::UInt64, 0)
            } else {
                time.clone()
            };
            columns.extend([self.trading_day(time), place]);
        }
        let types: Vec<DataType> = columns.iter().map(|x| x.ty.clone()).collect();
        let mut args: Vec<Expr> = columns.into_iter().map(|x| x.expr).collect();
        if kernel.of_period()
            && let Some(period) = &self.period
        {
            // rows that are only looked back at take no part
            for x in &mut args {
                *x = when(period.clone(), x.clone()).end().map_err(from_datafusion)?;
            }
        }
        for constant in constants {
            match &constant.node {
                Node::Literal(value) => args.push(lit(value.as_f64().unwrap_or_default())),
                _ => return Err(Error::Internal("a window takes constants".into())),
            }
        }
        self.over_series(function, args, ready, kernel.result_type(&types))
    }

    /// A window function over the rows of each series.
    fn over_series(
        &mut self,
        function: Arc<WindowUDF>,
        mut args: Vec<Expr>,
        ready: usize,
        ty: DataType,
    ) -> Result<Lowered> {
        // The series is an argument, and not a partition: that would sort all columns by series and
        // back. The rows are in order already, so the order costs nothing.
        args.extend(self.series.clone());
        let expr = Expr::from(WindowFunction::new(function, args))
            .order_by(vec![self.row.clone().sort(true, false)])
            .build()
            .map_err(from_datafusion)?;
        let (expr, ready) = self.stages.window(expr, ready);
        Ok(Lowered::new(expr, ty, ready))
    }

    /// A function of many rows: its aggregates go into the list, what is left reads their columns.
    pub(crate) fn aggregate_call(&mut self, name: &str, args: &[Typed]) -> Result<Lowered> {
        let (mut list, ready) = {
            let mut inner = Lowering {
                scope: self.inner,
                inner: self.inner,
                row: self.row.clone(),
                series: self.series.clone(),
                broadcast: self.broadcast,
                period: self.period.clone(),
                shift: self.shift,
                in_time: self.in_time,
                stages: &mut *self.stages,
                aggregates: &mut *self.aggregates,
            };
            inner.lower_all(args)?
        };
        if name == "count" && list.is_empty() {
            let (expr, ready) = self.collect(count_udaf().call(vec![lit(1i64)]), 0)?;
            return Ok(Lowered::new(expr, DataType::Int64, ready));
        }
        let x = take(&mut list, 0, name)?;
        let ty = plain(&x.ty);
        let float = |x: Lowered| x.fit(Kind::Float);
        let aggregate = match name {
            "count" => count_udaf().call(vec![x.expr]),
            "count_distinct" => count_udaf()
                .call(vec![x.comparable().clone()])
                .distinct()
                .build()
                .map_err(from_datafusion)?,
            "mean" if mean::reads(&ty) => mean::mean().call(vec![x.expr]),
            "mean" => mean::mean().call(vec![float(x)]),
            "sum" if ty == DataType::Int32 => sum::sum().call(vec![x.expr]),
            "sum" if ty.is_integer() => sum::sum().call(vec![x.fit(Kind::Int)]),
            "sum" if ty.is_decimal() => sum::sum().call(vec![x.expr]),
            "sum" => sum_udaf().call(vec![float(x)]),
            "min" => min_udaf().call(vec![untagged(x)]),
            "max" => max_udaf().call(vec![untagged(x)]),
            "std" => stddev_udaf().call(vec![float(x)]),
            "var" => var_samp_udaf().call(vec![float(x)]),
            "median" => median_udaf().call(vec![float(x)]),
            "first" => self.in_row_order(first_value_udaf().call(vec![untagged(x)]))?,
            "last" => self.in_row_order(last_value_udaf().call(vec![untagged(x)]))?,
            "pct" => return self.share(&x.expr, ready),
            "correlation" => {
                let y = take(&mut list, 0, name)?;
                correlation::correlation().call(vec![float(x), float(y)])
            }
            "percentile" => {
                let Some(Node::Literal(share)) = args.get(1).map(|share| &share.node) else {
                    return Err(missing(name));
                };
                let share = lit(share.as_f64().unwrap_or_default());
                percentile::percentile().call(vec![float(x), share])
            }
            "argmin" => self.at_extreme(x, take(&mut list, 0, name)?, true)?,
            "argmax" => self.at_extreme(x, take(&mut list, 0, name)?, false)?,
            _ => return Err(Error::Internal(format!("no aggregate {name}"))),
        };
        let (expr, ready) = self.collect(aggregate, ready)?;
        Ok(match name {
            "count" | "count_distinct" => Lowered::new(expr, DataType::Int64, ready),
            "correlation" => Lowered::new(expr, DataType::Float64, ready),
            "mean" | "std" | "var" | "median" | "percentile" => {
                Lowered::new(Math::Finite.call(vec![expr]), DataType::Float64, ready)
            }
            "sum" if ty.is_integer() => Lowered::new(expr, DataType::Int64, ready),
            "sum" if ty.is_decimal() => Lowered::new(expr, ty, ready),
            "sum" => Lowered::new(Math::Finite.call(vec![expr]), DataType::Float64, ready),
            _ => Lowered::new(expr, ty, ready),
        })
    }

    /// Takes an aggregate out of its expression; what stands there for it, and the number of stages
    /// that needs.
    fn collect(&mut self, aggregate: Expr, ready: usize) -> Result<(Expr, usize)> {
        if !self.broadcast {
            return Ok((self.aggregates.add(aggregate), ready));
        }
        let Expr::AggregateFunction(AggregateFunction { func, params }) = aggregate else {
            return Err(Error::Internal("an aggregate that is none".into()));
        };
        let whole = WindowFrame::new_bounds(
            WindowFrameUnits::Rows,
            WindowFrameBound::Preceding(ScalarValue::UInt64(None)),
            WindowFrameBound::Following(ScalarValue::UInt64(None)),
        );
        let mut window = WindowFunction::new(func, params.args);
        window.params.partition_by.extend(self.series.clone());
        window.params.order_by = params.order_by;
        window.params.window_frame = whole;
        window.params.distinct = params.distinct;
        // Rows that are only looked back at have the period's value and take no part in it.
        let filters = [self.period.clone(), params.filter.map(|filter| *filter)];
        window.params.filter = filters.into_iter().flatten().reduce(Expr::and).map(Box::new);
        Ok(self.stages.window(Expr::WindowFunction(Box::new(window)), ready))
    }

    /// The `x` of the first row with the smallest `y`, or the largest.
    fn at_extreme(&self, x: Lowered, y: Lowered, smallest: bool) -> Result<Expr> {
        let y = untagged(y);
        first_value_udaf()
            .call(vec![untagged(x)])
            .filter(y.clone().is_not_null())
            .order_by(vec![y.sort(smallest, false), self.row.clone().sort(true, false)])
            .build()
            .map_err(from_datafusion)
    }

    fn in_row_order(&self, aggregate: Expr) -> Result<Expr> {
        aggregate
            .order_by(vec![self.row.clone().sort(true, false)])
            .build()
            .map_err(from_datafusion)
    }

    /// The share of true among the known, in per cent: from two counts, so that it is exact.
    fn share(&mut self, condition: &Expr, ready: usize) -> Result<Lowered> {
        let yes = when(condition.clone(), lit(1i64)).end().map_err(from_datafusion)?;
        let (yes, of_yes) = self.collect(count_udaf().call(vec![yes]), ready)?;
        let (known, of_known) = self.collect(count_udaf().call(vec![condition.clone()]), ready)?;
        let ready = of_yes.max(of_known);
        let share = arith::call(Arith::Div, arith::call(Arith::Mul, lit(100i64), yes), known);
        Ok(Lowered::new(share, DataType::Float64, ready))
    }
}

/// The names of a date's weekday or month, which sort as their codes do.
fn named(date: Lowered, domain: Domain) -> Lowered {
    let code = Part::code(domain).call(date.expr);
    let names = match domain {
        Domain::Weekday => WEEKDAYS.clone(),
        Domain::Month => MONTHS.clone(),
    };
    let expr = Part::names(domain).call(code.clone());
    let mut lowered = Lowered::new(expr, DataType::Utf8, date.ready);
    lowered.code = Some(Code { expr: code, names, domain: Some(domain) });
    lowered
}

/// The place of a text in its domain's order, for text that is not known to come from a date.
pub(crate) fn domain_rank(text: Expr, domain: Domain) -> Result<Expr> {
    let mut values = domain.values().iter().enumerate();
    let Some((_, first)) = values.next() else { return Ok(lit(0i32)) };
    let mut rank = when(text.clone().eq(lit(*first)), lit(0i32));
    for (place, value) in values {
        rank = rank.when(text.clone().eq(lit(*value)), lit(place as i32));
    }
    rank.end().map_err(from_datafusion)
}

/// The type without a dictionary.
fn plain(ty: &DataType) -> DataType {
    match ty {
        DataType::Dictionary(_, value) => value.as_ref().clone(),
        other => other.clone(),
    }
}

/// The values without a dictionary: aggregates compare values, and not codes of a batch.
fn untagged(x: Lowered) -> Expr {
    match &x.ty {
        DataType::Dictionary(_, value) => cast(x.expr, value.as_ref().clone()),
        _ => x.expr,
    }
}

fn fit_all(list: Vec<Lowered>, kind: Kind) -> Vec<Expr> {
    list.into_iter().map(|x| x.fit(kind)).collect()
}

fn take(list: &mut Vec<Lowered>, place: usize, name: &str) -> Result<Lowered> {
    if place < list.len() { Ok(list.remove(place)) } else { Err(missing(name)) }
}

fn missing(name: &str) -> Error {
    Error::Internal(format!("{name} without its arguments"))
}

/// The whole number of a constant.
fn constant(typed: &Typed) -> Option<i64> {
    match &typed.node {
        Node::Literal(Value::Int(n)) => Some(*n),
        _ => None,
    }
}

/// `x` equals `value`, null included.
pub(crate) fn same(x: &Lowered, value: &Value, kind: Option<Kind>) -> Expr {
    if value.is_null() {
        return x.comparable().clone().is_null();
    }
    x.expr.clone().eq(Expr::Literal(literal(value, kind), None))
}
