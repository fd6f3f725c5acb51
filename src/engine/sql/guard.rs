//! What a statement may do: read, and no more than a stack can walk.

use crate::error::{Code, Diagnostic, Error, Result};
use datafusion::sql::sqlparser::ast::{Query, SetExpr, Statement, TableFactor, Visit, Visitor};
use datafusion::sql::sqlparser::dialect::PostgreSqlDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use std::ops::ControlFlow;

/// The longest statement, in characters.
const LONGEST: usize = 10_000;

/// The most operators and brackets of a statement, and the deepest nesting: a tree of a statement is
/// walked by calls that call themselves.
const MOST_OPERATORS: usize = 150;
const DEEPEST: usize = 30;

/// Whether a token can make the tree of a statement one level higher: what walks trees calls itself
/// level by level, and a stack is finite.
fn builds(token: &Token) -> bool {
    match token {
        Token::Word(word) => matches!(
            word.keyword,
            Keyword::AND
                | Keyword::OR
                | Keyword::NOT
                | Keyword::CASE
                | Keyword::UNION
                | Keyword::INTERSECT
                | Keyword::EXCEPT
                | Keyword::JOIN
                | Keyword::IS
                | Keyword::COLLATE
        ),
        Token::Number(..)
        | Token::SingleQuotedString(_)
        | Token::Whitespace(_)
        | Token::Comma
        | Token::Period
        | Token::RParen
        | Token::Placeholder(_)
        | Token::SemiColon
        | Token::EOF => false,
        _ => true,
    }
}

/// The statement, if it does nothing but read.
pub(super) fn guard(text: &str) -> Result<Statement> {
    if text.chars().count() > LONGEST {
        return Err(Diagnostic::new(
            Code::TooLong,
            text!(
                "a statement may have {LONGEST} characters",
                "в запросе может быть {LONGEST} знаков"
            ),
        )
        .into());
    }
    let dialect = PostgreSqlDialect {};
    let no_sql = || {
        Error::from(Diagnostic::new(
            Code::SqlSyntax,
            text!("this is no valid SQL statement", "это не запрос SQL: ошибка в записи"),
        ))
    };
    let tokens = Tokenizer::new(&dialect, text).tokenize().map_err(|_| no_sql())?;
    if tokens.iter().filter(|token| builds(token)).count() > MOST_OPERATORS {
        return Err(Diagnostic::new(
            Code::TooDeep,
            text!(
                "a statement may have {MOST_OPERATORS} operators and brackets",
                "в запросе может быть {MOST_OPERATORS} операций и скобок"
            ),
        )
        .into());
    }
    let mut parser = Parser::new(&dialect).with_recursion_limit(DEEPEST).with_tokens(tokens);
    let statements = parser.parse_statements().map_err(|_| no_sql())?;
    let [statement] = <[Statement; 1]>::try_from(statements).map_err(|_| {
        Error::from(not_read_only(text!(
            "exactly one statement is run",
            "выполняется ровно один запрос"
        )))
    })?;
    let selects = |query: &Query| selects(&query.body);
    if !matches!(&statement, Statement::Query(query) if selects(query)) {
        return Err(not_read_only(text!(
            "only `SELECT` and `WITH … SELECT` are run",
            "выполняются только `SELECT` и `WITH … SELECT`"
        ))
        .into());
    }
    match statement.visit(&mut ReadOnly) {
        ControlFlow::Continue(()) => Ok(statement),
        ControlFlow::Break(why) => Err(not_read_only(why).into()),
    }
}

/// Looks for everything in a query that does more than read loaded tables.
struct ReadOnly;

impl Visitor for ReadOnly {
    type Break = crate::error::Text;

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<Self::Break> {
        if query.with.as_ref().is_some_and(|with| with.recursive) {
            return ControlFlow::Break(text!(
                "`WITH RECURSIVE` is not run: it need not end",
                "`WITH RECURSIVE` не выполняется: такой запрос может не кончиться"
            ));
        }
        let plain = query.locks.is_empty()
            && query.for_clause.is_none()
            && query.settings.is_none()
            && query.format_clause.is_none()
            && query.pipe_operators.is_empty();
        if !plain || !reads(&query.body) {
            return ControlFlow::Break(text!(
                "the statement does more than read: only `SELECT` may stand in it",
                "запрос не только читает: в нём могут стоять только `SELECT`"
            ));
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, table: &TableFactor) -> ControlFlow<Self::Break> {
        match table {
            TableFactor::Table { args: None, .. }
            | TableFactor::Derived { .. }
            | TableFactor::NestedJoin { .. } => ControlFlow::Continue(()),
            _ => ControlFlow::Break(text!(
                "functions in place of tables are not run; read loaded tables",
                "функции на месте таблиц не выполняются; читайте загруженные таблицы"
            )),
        }
    }
}

/// Whether a statement is a `SELECT` to begin with, and not `VALUES` alone.
fn selects(body: &SetExpr) -> bool {
    match body {
        SetExpr::Select(_) => true,
        SetExpr::Query(query) => selects(&query.body),
        SetExpr::SetOperation { left, .. } => selects(left),
        // what does more than read is told so
        other => !matches!(other, SetExpr::Values(_)),
    }
}

/// Whether a body is made of `SELECT` and `VALUES` alone, without `INTO`.
fn reads(body: &SetExpr) -> bool {
    match body {
        SetExpr::Select(select) => select.into.is_none(),
        SetExpr::Query(_) | SetExpr::Values(_) => true,
        SetExpr::SetOperation { left, right, .. } => reads(left) && reads(right),
        _ => false,
    }
}

fn not_read_only(message: crate::error::Text) -> Diagnostic {
    Diagnostic::new(Code::SqlNotReadOnly, message)
}
