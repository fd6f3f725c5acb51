//! What is right and may still not be what was meant, and calls of other languages that several of
//! ours make.

use super::expr::Checker;
use super::typed::{Named, Node, Typed, Warning};
use crate::error::{Code, Diagnostic, Span};
use crate::query::ast::Expr;
use crate::query::format;
use crate::query::functions::Stand;

impl Checker<'_> {
    /// `count(x > 5)` is not what a spreadsheet counts.
    pub(super) fn counts_known(&mut self, condition: &Expr) {
        let condition = format::expr(condition);
        let message = crate::text!(
            "`count({condition})` counts the rows where it is known, true or false: those where it is true are `sum(if({condition}, 1, 0))`",
            "`count({condition})` считает строки, где условие известно, истинно оно или ложно: истинные — это `sum(if({condition}, 1, 0))`"
        );
        let warning = Warning { code: "condition_counted", message };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}

/// The warning that a condition over an aggregate of `select` does not filter the groups: `where`
/// comes before them, and its aggregates are those of all rows.
pub(super) fn filters_groups(filter: &Typed, measures: &[Named]) -> Option<Warning> {
    let selected: Vec<&Typed> = measures.iter().flat_map(|m| aggregates(&m.expr)).collect();
    aggregates(filter).into_iter().any(|a| selected.contains(&a)).then(|| {
        let message = crate::text!(
            "`where` comes before the groups, and an aggregate in it is that of all rows: groups are filtered in `steps`",
            "`where` работает до групп, и агрегат в нём берётся по всем строкам: группы отбирают в `steps`"
        );
        Warning { code: "where_before_groups", message }
    })
}

fn aggregates(expr: &Typed) -> Vec<&Typed> {
    let mut found = Vec::new();
    expr.visit(&mut |e| {
        if matches!(&e.node, Node::Call { function, .. } if function.stand == Stand::Aggregate) {
            found.push(e);
        }
    });
    found
}

/// `air time > 5`, where `air time` is a column.
pub(super) fn in_back_quotes(problem: Diagnostic, text: &str, spaced: &[String]) -> Diagnostic {
    let Some(at) = problem.span.filter(|_| problem.code == Code::Syntax) else { return problem };
    let meant = spaced.iter().find_map(|name| {
        let holds = |start: &usize| *start <= at.start && at.end <= start + name.len();
        let start = text.match_indices(name.as_str()).map(|(start, _)| start).find(holds)?;
        Some((name, Span::new(start, start + name.len())))
    });
    let Some((name, span)) = meant else { return problem };
    let written = format::name(name);
    let message = crate::text!(
        "a name with a space stands in back-quotes: {written}",
        "имя с пробелом пишется в обратных кавычках: {written}"
    );
    Diagnostic::new(Code::Syntax, message).span(span).fix(written)
}

/// What a call of another language is here, where no single function does the same.
pub(super) fn rewritten(name: &str, args: &[Expr]) -> Option<String> {
    let args: Vec<String> = args.iter().map(format::expr).collect();
    Some(match (name.to_lowercase().as_str(), args.as_slice()) {
        ("notnull" | "notna" | "isnotnull" | "is_not_null", [x]) => format!("not isnull({x})"),
        ("count_if" | "countif" | "sum_if" | "sumif", [condition]) => {
            format!("sum(if({condition}, 1, 0))")
        }
        ("left", [text, count]) => format!("substr({text}, 1, {count})"),
        _ => return None,
    })
}
