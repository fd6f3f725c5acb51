//! Lists: what may be asked of them, and what is said where one value is wanted.

use super::expr::{Checker, kind_text, shown};
use super::typed::{Node, Typed};
use crate::error::{Code, Diagnostic, Span};
use crate::query::ast::{Compare, Expr};
use crate::query::format;
use crate::schema::{Kind, Member};

/// Of so many constants each is asked for by itself.
const FEW: usize = 10;

impl Checker<'_> {
    /// Reports a list where one value is wanted, with `fix` in its place; true when it was one.
    pub(super) fn is_list(
        &mut self,
        (expr, x): (&Expr, &Typed),
        fix: Option<String>,
        span: Span,
    ) -> bool {
        let Some(Kind::List(member)) = x.kind else { return false };
        let written = shown(expr);
        let example = match member {
            Member::Text => "\"x\"",
            Member::Int | Member::Float => "1",
            Member::Bool => "true",
        };
        let (asked, counted) = (format!("contains({written}, {example})"), length(expr));
        let message = crate::text!(
            "`{written}` is a list, not one value: `{asked}` asks for a member, `{counted}` for how many there are",
            "`{written}` – список, а не одно значение: `{asked}` ищет в нём член, `{counted}` даёт их число"
        );
        let mut diagnostic = Diagnostic::new(Code::TypeMismatch, message).choices([asked, counted]);
        diagnostic.fix = fix;
        self.report(diagnostic, span);
        true
    }

    /// Reports a comparison with a list; true when it was one.
    pub(super) fn compares_list(
        &mut self,
        op: Compare,
        a: (&Expr, &Typed),
        b: (&Expr, &Typed),
        span: Span,
    ) -> bool {
        let ((list, x), (other, value)) = match a.1.kind {
            Some(Kind::List(_)) => (a, b),
            _ => (b, a),
        };
        let fix = is_constant_member(x, value).then(|| asked(list, other));
        let fix = fix.and_then(|asked| match op {
            Compare::Eq => Some(asked),
            Compare::Ne => Some(format!("not {asked}")),
            _ => None,
        });
        self.is_list((list, x), fix, span)
    }

    /// Reports `list in [a, b]`; true when it was one.
    pub(super) fn looks_list_up(
        &mut self,
        list: (&Expr, &Typed),
        items: &[Expr],
        negated: bool,
    ) -> bool {
        if !matches!(list.1.kind, Some(Kind::List(_))) {
            return false;
        }
        let each: Vec<String> = items.iter().map(|item| asked(list.0, item)).collect();
        let any = if negated { format!("not ({})", each.join(" or ")) } else { each.join(" or ") };
        let fix = (1..=FEW).contains(&items.len()).then_some(any);
        self.is_list(list, fix, list.0.span)
    }

    /// What is looked for among the members of a list.
    pub(super) fn member(
        &mut self,
        (member, list): (Member, &Expr),
        (expr, x): (&Expr, Typed),
    ) -> Option<Typed> {
        if self.is_list((expr, &x), None, expr.span) {
            return None;
        }
        if fits(member, x.kind) {
            return Some(x);
        }
        let (list, written) = (shown(list), shown(expr));
        let (wanted, found) = (kind_text(Some(member.kind())), kind_text(x.kind));
        let (we, fe, wr, fr) = (wanted.en, found.en, wanted.ru, found.ru);
        let message = crate::text!(
            "each member of `{list}` is {we}, and `{written}` is {fe}",
            "каждый член `{list}` – {wr}, а `{written}` – {fr}"
        );
        let mut diagnostic = Diagnostic::new(Code::TypeMismatch, message);
        if member == Member::Text && matches!(x.node, Node::Literal(_)) {
            diagnostic.fix = Some(format::string(&format::expr(expr)));
        }
        self.report(diagnostic, expr.span);
        None
    }
}

fn asked(list: &Expr, member: &Expr) -> String {
    format!("contains({}, {})", format::expr(list), format::expr(member))
}

fn length(list: &Expr) -> String {
    format!("length({})", shown(list))
}

/// A value of this kind may be a member.
fn fits(member: Member, kind: Option<Kind>) -> bool {
    kind.is_none_or(|kind| match (member, kind) {
        // A double would not tell them apart.
        (Member::Int, Kind::Decimal(_)) => false,
        (Member::Int | Member::Float, kind) => kind.is_numeric(),
        (member, kind) => kind == member.kind(),
    })
}

fn is_constant_member(list: &Typed, value: &Typed) -> bool {
    let Some(Kind::List(member)) = list.kind else { return false };
    matches!(value.node, Node::Literal(_)) && fits(member, value.kind)
}
