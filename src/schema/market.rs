//! Market settings of a table: the zone of its clock, its named sessions, when a trading day and a
//! week begin. Plain data, read from JSON or taken from a preset.

use crate::error::{Code, Diagnostic, Text, closest};
use chrono_tz::{TZ_VARIANTS, Tz};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use std::fmt;
use std::sync::LazyLock;

/// Microseconds in a second.
const SECOND: i64 = 1_000_000;
/// Microseconds in a day.
const DAY: i64 = 86_400 * SECOND;

/// How the clock of a table is read. The default is midnight, Monday, no sessions, no zone.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(into = "Json", try_from = "Json")]
pub struct Market {
    /// The IANA name of the zone that clock and dates are read in.
    pub timezone: Option<String>,
    /// Named times of the day, in the order given.
    pub sessions: Vec<Session>,
    /// From this time of the day on a moment belongs to the next trading date; midnight means that
    /// a trading date is a calendar date.
    pub day_start: Clock,
    /// The first day of a week, Monday = 0.
    pub week_start: u8,
}

/// A named time of the day: `start <= t < end`, over midnight where `start > end`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its name; queries write it in any case.
    pub name: String,
    /// The first second that belongs to it.
    pub start: Clock,
    /// The first second after it that does not.
    pub end: Clock,
}

/// A time of the day in seconds after midnight, 24:00 included as an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Clock(pub u32);

impl Clock {
    /// Midnight as an end.
    const END: Self = Self(86_400);

    /// Reads `HH:MM` or `HH:MM:SS`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':').map(|part| {
            let two = part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
            if two { part.parse::<u32>().ok() } else { None }
        });
        let (hour, minute) = (parts.next()??, parts.next()??);
        let second = parts.next().unwrap_or(Some(0))?;
        let clock = Self((hour * 60 + minute) * 60 + second);
        let fits = minute < 60 && second < 60 && clock <= Self::END && parts.next().is_none();
        fits.then_some(clock)
    }

    /// Microseconds after midnight.
    pub fn micros(self) -> i64 {
        i64::from(self.0) * SECOND
    }
}

/// `HH:MM`, with seconds only where there are some.
impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 3600, self.0 / 60 % 60)?;
        if self.0.is_multiple_of(60) { Ok(()) } else { write!(f, ":{:02}", self.0 % 60) }
    }
}

impl Session {
    /// Whether a time of the day, in microseconds after midnight, belongs to it.
    pub fn holds(&self, time: i64) -> bool {
        let (start, end) = (self.start.micros(), self.end.micros());
        if start < end { start <= time && time < end } else { start <= time || time < end }
    }
}

impl Market {
    /// Nothing was said: calendar days and weeks, no sessions.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// What to add to a moment so that its calendar date is its trading date, in microseconds.
    pub fn day_shift(&self) -> i64 {
        if self.day_start.0 == 0 { 0 } else { DAY - self.day_start.micros() }
    }

    /// The trading date of a moment of the table's clock, in days since 1970.
    pub fn trading_day(&self, micros: i64) -> i32 {
        micros.saturating_add(self.day_shift()).div_euclid(DAY) as i32
    }

    /// The session of this name, in any case.
    pub fn session(&self, name: &str) -> Option<&Session> {
        let wanted = name.to_lowercase();
        self.sessions.iter().find(|s| s.name.to_lowercase() == wanted)
    }

    /// The names of the presets.
    pub fn presets() -> impl Iterator<Item = &'static str> {
        PRESETS.keys().map(String::as_str)
    }

    /// The settings of a preset.
    pub fn preset(name: &str) -> Option<Self> {
        Self::from_json(PRESETS.get(name)?, "").ok()
    }

    /// Reads the JSON form `{timezone, sessions, day_start, week_start}`, or a preset's name.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with a pointer under `at`.
    pub fn from_json(json: &Json, at: &str) -> Result<Self, Vec<Diagnostic>> {
        let mut read = Reader { problems: Vec::new() };
        let market = read.market(json, at);
        if read.problems.is_empty() { Ok(market) } else { Err(read.problems) }
    }
}

impl From<Market> for Json {
    /// The form that [`Market::from_json`] reads.
    fn from(market: Market) -> Self {
        let mut out = Map::new();
        if let Some(zone) = market.timezone {
            out.insert("timezone".to_owned(), zone.into());
        }
        if !market.sessions.is_empty() {
            let time = |s: &Session| json!([s.start.to_string(), s.end.to_string()]);
            let sessions: Map<String, Self> =
                market.sessions.iter().map(|s| (s.name.clone(), time(s))).collect();
            out.insert("sessions".to_owned(), sessions.into());
        }
        out.insert("day_start".to_owned(), market.day_start.to_string().into());
        let day = DAYS.get(usize::from(market.week_start)).copied().unwrap_or("mon");
        out.insert("week_start".to_owned(), day.into());
        Self::Object(out)
    }
}

impl TryFrom<Json> for Market {
    type Error = String;

    fn try_from(json: Json) -> Result<Self, String> {
        Self::from_json(&json, "").map_err(|problems| {
            problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        })
    }
}

/// The IANA name of a time zone in its own spelling.
///
/// # Errors
/// An unknown zone, with the closest names.
pub fn timezone(name: &str, at: &str) -> Result<&'static str, Box<Diagnostic>> {
    let known = || TZ_VARIANTS.iter().map(|zone: &Tz| zone.name());
    if let Some(found) = known().find(|known| known.eq_ignore_ascii_case(name)) {
        return Ok(found);
    }
    let message = crate::text!("unknown time zone `{name}`", "неизвестный часовой пояс `{name}`");
    // A city's name is enough to find its zone.
    let city = |zone: &str| zone.rsplit('/').next().unwrap_or_default().to_owned();
    let wanted = city(name).replace(' ', "_");
    let same = known().filter(|zone| city(zone).eq_ignore_ascii_case(&wanted));
    let mut choices: Vec<String> = same.map(str::to_owned).collect();
    if choices.is_empty() {
        choices = closest(name, known(), 5);
    }
    Err(Diagnostic::new(Code::BadOption, message).at(at).choices(choices).into())
}

/// The presets by name, in the form that a user's own settings have.
static PRESETS: LazyLock<Map<String, Json>> =
    LazyLock::new(|| serde_json::from_str(include_str!("markets.json")).unwrap_or_default());

const FIELDS: [&str; 4] = ["timezone", "sessions", "day_start", "week_start"];
/// The days of a week as settings name them, Monday first.
const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

struct Reader {
    problems: Vec<Diagnostic>,
}

impl Reader {
    fn wrong(&mut self, at: &str, message: Text) {
        self.choose(at, message, Vec::new());
    }

    fn choose(&mut self, at: &str, message: Text, choices: Vec<String>) {
        self.problems.push(Diagnostic::new(Code::BadOption, message).at(at).choices(choices));
    }

    fn market(&mut self, json: &Json, at: &str) -> Market {
        let mut market = Market::default();
        let fields = match json {
            Json::Null => return market,
            Json::String(name) => {
                if let Some(preset) = Market::preset(name) {
                    return preset;
                }
                let message = crate::text!("unknown preset `{name}`", "неизвестный набор `{name}`");
                self.choose(at, message, closest(name, Market::presets(), 5));
                return market;
            }
            Json::Object(fields) => fields,
            _ => {
                let message = crate::text!(
                    "expected market settings or the name of a preset",
                    "нужны настройки рынка или имя набора"
                );
                self.choose(at, message, Market::presets().map(str::to_owned).collect());
                return market;
            }
        };
        for (name, value) in fields.iter().filter(|(_, value)| !value.is_null()) {
            let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
            match name.as_str() {
                "timezone" => market.timezone = self.timezone(value, &at),
                "sessions" => market.sessions = self.sessions(value, &at),
                "day_start" => {
                    market.day_start = self.clock(value, &at).unwrap_or_default();
                    if market.day_start >= Clock::END {
                        let message = crate::text!(
                            "`day_start` is before 24:00; midnight is `00:00`",
                            "`day_start` раньше 24:00; полночь — `00:00`"
                        );
                        let problem =
                            Diagnostic::new(Code::BadOption, message).at(&at).fix("00:00");
                        self.problems.push(problem);
                    }
                }
                "week_start" => market.week_start = self.weekday(value, &at),
                _ => {
                    let message =
                        crate::text!("unknown setting `{name}`", "неизвестная настройка `{name}`");
                    self.choose(&at, message, closest(name, FIELDS, FIELDS.len()));
                }
            }
        }
        market
    }

    fn timezone(&mut self, json: &Json, at: &str) -> Option<String> {
        let Some(name) = json.as_str() else {
            let message = crate::text!(
                "expected a time zone such as `America/New_York`",
                "нужен часовой пояс, например `America/New_York`"
            );
            self.wrong(at, message);
            return None;
        };
        match timezone(name, at) {
            Ok(name) => Some(name.to_owned()),
            Err(problem) => {
                self.problems.push(*problem);
                None
            }
        }
    }

    fn sessions(&mut self, json: &Json, at: &str) -> Vec<Session> {
        let Some(object) = json.as_object() else {
            let message = crate::text!(
                "expected an object of names and times, such as `{{\"RTH\": [\"09:30\", \"16:00\"]}}`",
                "нужен объект из имён и времени, например `{{\"RTH\": [\"09:30\", \"16:00\"]}}`"
            );
            self.wrong(at, message);
            return Vec::new();
        };
        let mut sessions: Vec<Session> = Vec::new();
        for (name, times) in object {
            let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
            if name.trim().is_empty() {
                self.wrong(&at, crate::text!("a session needs a name", "сессии нужно имя"));
                continue;
            }
            if sessions.iter().any(|s| s.name.to_lowercase() == name.to_lowercase()) {
                let message = crate::text!(
                    "there are two sessions `{name}`: case makes no difference",
                    "сессия `{name}` дана дважды: регистр не различается"
                );
                self.wrong(&at, message);
                continue;
            }
            let Some([start, end]) = times.as_array().map(Vec::as_slice) else {
                let message = crate::text!(
                    "a session is a start and an end, such as `[\"09:30\", \"16:00\"]`",
                    "сессия — это начало и конец, например `[\"09:30\", \"16:00\"]`"
                );
                self.wrong(&at, message);
                continue;
            };
            let start = self.clock(start, &format!("{at}/0"));
            let end = self.clock(end, &format!("{at}/1"));
            let (Some(start), Some(end)) = (start, end) else { continue };
            if start == end || start >= Clock::END {
                let message = crate::text!(
                    "session `{name}` has no time between its start and its end; a whole day is `00:00` to `24:00`",
                    "между началом и концом сессии `{name}` нет времени; целый день — от `00:00` до `24:00`"
                );
                self.wrong(&at, message);
                continue;
            }
            // An end of midnight is the end of the day, not its beginning.
            let end = if end.0 == 0 { Clock::END } else { end };
            sessions.push(Session { name: name.clone(), start, end });
        }
        sessions
    }

    fn clock(&mut self, json: &Json, at: &str) -> Option<Clock> {
        let clock = json.as_str().and_then(Clock::parse);
        if clock.is_none() {
            let message = crate::text!(
                "expected a time of the day such as `09:30`",
                "нужно время суток, например `09:30`"
            );
            self.wrong(at, message);
        }
        clock
    }

    fn weekday(&mut self, json: &Json, at: &str) -> u8 {
        let name = json.as_str().map(str::to_lowercase);
        let place = name.as_ref().and_then(|name| {
            let short = name.get(..3).unwrap_or(name);
            let full =
                ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
            let known = name == short || full.contains(&name.as_str());
            DAYS.iter().position(|day| *day == short).filter(|_| known)
        });
        if place.is_none() {
            let message = crate::text!(
                "expected a day of the week such as `mon`",
                "нужен день недели, например `mon`"
            );
            self.choose(at, message, DAYS.map(str::to_owned).to_vec());
        }
        place.unwrap_or(0) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hm(hour: u32, minute: u32) -> Clock {
        Clock(hour * 3600 + minute * 60)
    }

    #[test]
    fn presets_are_as_documented() {
        let names: Vec<_> = Market::presets().collect();
        assert_eq!(names, ["futures-us-index", "equities-us", "crypto"]);
        let check =
            |preset: &str, zone: &str, day_start: Clock, sessions: &[(&str, Clock, Clock)]| {
                let market = Market::preset(preset).expect("a preset");
                assert_eq!(market.timezone.as_deref(), Some(zone), "{preset}");
                assert_eq!((market.day_start, market.week_start), (day_start, 0), "{preset}");
                let own: Vec<_> =
                    market.sessions.iter().map(|s| (s.name.as_str(), s.start, s.end)).collect();
                assert_eq!(own, sessions, "{preset}");
            };
        check(
            "futures-us-index",
            "America/New_York",
            hm(18, 0),
            &[
                ("RTH", hm(9, 30), hm(17, 0)),
                ("ETH", hm(18, 0), hm(17, 0)),
                ("OVERNIGHT", hm(18, 0), hm(9, 30)),
                ("ASIAN", hm(18, 0), hm(3, 0)),
                ("EUROPEAN", hm(3, 0), hm(9, 30)),
                ("MORNING", hm(9, 30), hm(12, 30)),
                ("AFTERNOON", hm(12, 30), hm(17, 0)),
                ("RTH_OPEN", hm(9, 30), hm(10, 30)),
                ("RTH_CLOSE", hm(16, 0), hm(17, 0)),
            ],
        );
        check(
            "equities-us",
            "America/New_York",
            hm(0, 0),
            &[
                ("RTH", hm(9, 30), hm(16, 0)),
                ("PRE", hm(4, 0), hm(9, 30)),
                ("POST", hm(16, 0), hm(20, 0)),
            ],
        );
        check("crypto", "UTC", hm(0, 0), &[("24H", hm(0, 0), hm(24, 0))]);
    }

    #[test]
    fn settings_are_read() {
        let market = Market::from_json(
            &json!({"timezone": "america/new_york", "sessions": {"Lunch": ["12:00", "13:30:15"],
                    "night": ["22:00", "00:00"]}, "day_start": "17:00", "week_start": "Sunday"}),
            "/market",
        )
        .expect("valid settings");
        assert_eq!(market.timezone.as_deref(), Some("America/New_York"));
        assert_eq!((market.day_start, market.week_start), (hm(17, 0), 6));
        let lunch = market.session("LUNCH").expect("in any case");
        assert_eq!(
            (lunch.start.to_string(), lunch.end.to_string()),
            ("12:00".into(), "13:30:15".into())
        );
        assert_eq!(market.session("night").map(|s| s.end), Some(Clock::END));
        assert!(market.session("RTH").is_none());
        assert_eq!(Market::from_json(&json!(null), ""), Ok(Market::default()));
        assert_eq!(
            Json::from(market.clone()),
            json!({"timezone": "America/New_York", "sessions": {"Lunch": ["12:00", "13:30:15"],
                   "night": ["22:00", "24:00"]}, "day_start": "17:00", "week_start": "sun"})
        );
        let back: Market = serde_json::from_value(serde_json::to_value(&market).unwrap()).unwrap();
        assert_eq!(back, market);
    }

    #[test]
    fn bad_settings_say_what_is_wrong() {
        let check = |json: Json, wanted: &[(&str, Option<&str>)]| {
            let problems = Market::from_json(&json, "/market").expect_err(&json.to_string());
            let seen: Vec<_> = problems
                .iter()
                .map(|p| (p.pointer.as_str(), p.choices.first().map(String::as_str)))
                .collect();
            assert_eq!(seen, wanted, "{json}");
            assert!(problems.iter().all(|p| p.code == Code::BadOption));
        };
        check(json!("futures"), &[("/market", Some("futures-us-index"))]);
        check(json!(7), &[("/market", Some("futures-us-index"))]);
        check(json!({"timezone": "New York"}), &[("/market/timezone", Some("America/New_York"))]);
        check(json!({"timezone": "EST5"}), &[("/market/timezone", Some("EST"))]);
        check(json!({"timezone": -5}), &[("/market/timezone", None)]);
        check(json!({"daystart": "18:00"}), &[("/market/daystart", Some("day_start"))]);
        check(json!({"day_start": "24:00"}), &[("/market/day_start", None)]);
        check(json!({"day_start": "6pm"}), &[("/market/day_start", None)]);
        check(json!({"week_start": "mond"}), &[("/market/week_start", Some("mon"))]);
        check(json!({"sessions": ["RTH"]}), &[("/market/sessions", None)]);
        check(
            json!({"sessions": {"a": ["09:30"], "b": ["9:30", "16:00"], "": ["01:00", "02:00"],
                    "c": ["10:00", "10:00"], "d/e": ["24:00", "01:00"], "F": ["01:00", "02:00"],
                    "f": ["01:00", "02:00"]}}),
            &[
                ("/market/sessions/a", None),
                ("/market/sessions/b/0", None),
                ("/market/sessions/", None),
                ("/market/sessions/c", None),
                ("/market/sessions/d~1e", None),
                ("/market/sessions/f", None),
            ],
        );
    }

    #[test]
    fn trading_dates() {
        let market = Market { day_start: hm(18, 0), ..Market::default() };
        let at = |day: i64, clock: Clock| day * DAY + clock.micros();
        assert_eq!(market.trading_day(at(10, hm(17, 59))), 10);
        assert_eq!(market.trading_day(at(10, hm(18, 0)) - 1), 10);
        assert_eq!(market.trading_day(at(10, hm(18, 0))), 11);
        assert_eq!(market.trading_day(at(11, hm(0, 0))), 11);
        assert_eq!(market.trading_day(at(-1, hm(23, 0))), 0);
        assert_eq!(Market::default().trading_day(at(10, hm(23, 59))), 10);
        // as the settings say: from then on it is the next trading date, early hours included
        let early = Market { day_start: hm(4, 0), ..Market::default() };
        assert_eq!(early.trading_day(at(10, hm(3, 59))), 10);
        assert_eq!(early.trading_day(at(10, hm(4, 0))), 11);
    }

    proptest! {
        #[test]
        fn clocks_read_what_they_write(seconds in 0u32..=86_400) {
            prop_assert_eq!(Clock::parse(&Clock(seconds).to_string()), Some(Clock(seconds)));
        }

        #[test]
        fn sessions_that_follow_each_other_part_the_day(
            mut cuts in proptest::collection::btree_set(0u32..86_400, 2..8),
            time in 0i64..DAY,
        ) {
            let first = cuts.pop_first().expect("at least two");
            let mut starts: Vec<u32> = std::iter::once(first).chain(cuts).collect();
            starts.rotate_left(1);
            let sessions = starts.iter().enumerate().map(|(i, &start)| Session {
                name: i.to_string(),
                start: Clock(start),
                end: Clock(starts[(i + 1) % starts.len()]),
            });
            prop_assert_eq!(sessions.filter(|s| s.holds(time)).count(), 1);
        }

        #[test]
        fn trading_dates_never_go_back(a in -DAY * 40_000..DAY * 40_000, step in 0..DAY * 3, start in 0u32..86_400) {
            let market = Market { day_start: Clock(start), ..Market::default() };
            prop_assert!(market.trading_day(a) <= market.trading_day(a + step));
            let daily = market.trading_day(a + DAY) - market.trading_day(a);
            prop_assert_eq!(daily, 1);
        }
    }
}
