//! Looks for columns that tell of people, by their headers and by a sample of their values. What it
//! flags is proposed as hidden, until the person opens it.
//!
//! It reads plain texts and keeps none: a [`Flag`] names a column, never a value.

mod content;
mod header;
mod ids;
#[cfg(test)]
mod tests;

use super::{Class, Policy};
use crate::error::Text;
use crate::schema::Kind;
use serde::{Deserialize, Serialize};

/// A column and some of its values, as text; empty texts and nulls may be left out.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// Its name.
    pub name: &'a str,
    /// The kind of its values.
    pub kind: Kind,
    /// Some of them, or of the members of lists: a few hundred, spread over the table.
    pub values: &'a [String],
}

/// What a column seems to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Personal {
    /// E-mail addresses.
    Email,
    /// Phone numbers.
    Phone,
    /// Numbers of payment cards.
    Card,
    /// International bank account numbers.
    Iban,
    /// IP addresses.
    Ip,
    /// Numbers that a state gives to people: SSN, ИНН, СНИЛС, NINO and their like.
    NationalId,
    /// Names of people.
    Name,
}

/// What gave a column away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Its name, and its values do not speak against it.
    Header,
    /// Its values.
    Content,
}

/// A column that tells of people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    /// Its name.
    pub column: String,
    /// What it seems to hold.
    pub holds: Personal,
    /// What gave it away.
    pub by: By,
    /// How many of the values looked at hold such a thing, in per cent.
    pub percent: u8,
}

/// How sure one value makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Proof {
    /// Check digits and form together: one value in ten is enough.
    Strong,
    /// Numbers of other kinds pass for it: most values have to.
    Fair,
}

/// A form of value, how sure it makes, and how to tell it.
type Detector = (Personal, Proof, fn(&str) -> bool);

/// A form that alone is found in other data too.
const LEAST_FAIR: usize = 3;

/// The columns that tell of people, each once, in the order given.
pub fn scan(columns: &[Sample]) -> Vec<Flag> {
    // what a row of people has beside their names: goods and places have a `name`, too
    let of_people = columns.iter().any(|column| header::tells_of_people(column.name));
    columns.iter().filter_map(|column| flag(column, of_people)).collect()
}

fn flag(column: &Sample, of_people: bool) -> Option<Flag> {
    let kind = match column.kind {
        Kind::List(member) => member.kind(),
        kind => kind,
    };
    if matches!(kind, Kind::Bool | Kind::Date | Kind::Timestamp) {
        return None;
    }
    let values: Vec<&str> =
        column.values.iter().map(|v| v.trim()).filter(|v| !v.is_empty()).collect();
    let flag = |holds, by, found: usize| Flag {
        column: column.name.to_owned(),
        holds,
        by,
        percent: u8::try_from(found * 100 / values.len().max(1)).unwrap_or(100),
    };
    let is_list = matches!(column.kind, Kind::List(_));
    // a list holds such a thing where one of its members does
    let holds_it = |value: &str, holds: fn(&str) -> bool| {
        holds(value) || (is_list && value.lines().any(|member| holds(member.trim())))
    };
    let count = |holds: fn(&str) -> bool| values.iter().filter(|v| holds_it(v, holds)).count();
    for (holds, proof, test) in content::DETECTORS {
        let found = count(*test);
        let enough = match proof {
            Proof::Strong => found > 0 && found * 10 >= values.len(),
            Proof::Fair => found >= LEAST_FAIR && found * 10 >= values.len() * 6,
        };
        if enough {
            return Some(flag(*holds, By::Content, found));
        }
    }
    if let Some(holds) = header::names(column.name) {
        let found = count(content::fits(holds));
        // A header alone speaks where nothing is there to look at; else half of the values go with it.
        if values.is_empty() || found * 2 >= values.len() {
            return Some(flag(holds, By::Header, found));
        }
    }
    // Who does something may be a person, a company or a number: most values have to be people.
    let role = header::names_role(column.name) || of_people && header::is_name(column.name);
    let found = if role { count(content::is_person) } else { 0 };
    (found > 0 && found * 10 >= values.len() * 6).then(|| flag(Personal::Name, By::Header, found))
}

/// True where a header says that its column may hold names of people.
pub fn names_people(header: &str) -> bool {
    header::names(header) == Some(Personal::Name) || header::names_role(header)
}

impl Personal {
    /// What it is called.
    pub fn text(self) -> Text {
        match self {
            Self::Email => crate::text!("e-mail addresses", "адреса электронной почты"),
            Self::Phone => crate::text!("phone numbers", "номера телефонов"),
            Self::Card => crate::text!("card numbers", "номера карт"),
            Self::Iban => crate::text!("bank accounts", "номера счетов"),
            Self::Ip => crate::text!("IP addresses", "IP-адреса"),
            Self::NationalId => crate::text!("personal numbers", "личные номера"),
            Self::Name => crate::text!("names of people", "имена людей"),
        }
    }
}

impl Policy {
    /// The same policy with the flagged columns of `table` hidden. Classes that were given stay.
    #[must_use]
    pub fn with_flags(&self, table: &str, flags: &[Flag]) -> Self {
        let mut policy = self.clone();
        for flag in flags {
            if policy.class(table, &flag.column) == Class::Open {
                policy = policy.hide(table, &flag.column);
            }
        }
        policy
    }
}
