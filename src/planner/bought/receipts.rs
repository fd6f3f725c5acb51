//! Questions that are about the receipts alone, among the tables of purchases: what was spent by month
//! or shop, the mean receipt, the dearest one.

use super::among;
use crate::planner::restated;
use crate::planner::token::{Token, TokenKind, tokenise};

const SPENDING: &str = "spending spendings expenses expenditure расходы расходов расходам трат траты тратам \
                        затраты затрат";
const SHOPS: &str = "shop shops магазин магазины магазинов магазинам магазина";
const SELLERS: &str = "store stores merchant merchants";
const BASKET: &str = "basket корзина корзину корзины";
const RECEIPTS: &str = "receipt receipts чек чеки чека чеков чекам";
const LARGE: &str = "biggest largest highest smallest expensive cheapest дешевая дорогая дорогие большая большие крупная крупные крупнейшая крупнейшие \
                     маленькая маленькие";
const PURCHASES: &str = "purchase purchases покупка покупки покупок";
const TOP: &str = "top топ";
/// Entries where no number is named.
const FEW: u64 = 10;

/// How often somebody goes shopping, in words of its own: so many receipts a week.
const OFTEN: [&[&str]; 3] = [&["how", "often"], &["how", "frequently"], &["как", "часто"]];
const GO_SHOPPING: &str = "do did does we i shop shopping go to the stores store grocery groceries for buy my our \
                           usually visit мы я ходим хожу в магазин магазины за покупками закупаемся \
                           закупаюсь делаем делаю покупки бываем бываю магазине магазинах обычно \
                           покупаем";

/// `сколько раз в месяц я хожу в магазин`, `how many times a month do I go shopping`.
fn of_times_in(tokens: &[Token], russian: bool) -> Option<String> {
    const EACH: [(&str, &str); 4] =
        [("week", "неделю"), ("month", "месяц"), ("day", "день"), ("year", "год")];
    let said = |n: usize| tokens.get(n).map_or("", |t| t.folded.as_str());
    let (from, each) = match (said(0), said(1), said(2)) {
        ("сколько", "раз", "в") => (4, said(3)),
        ("how", "many", "times") if among(said(3), "a per each") => (5, said(4)),
        _ => return None,
    };
    let (en, ru) = EACH.iter().find(|(en, ru)| *en == each || *ru == each)?;
    let words = tokens.get(from..)?.iter().filter(|t| t.kind == TokenKind::Word);
    let shops =
        "shop shopping store stores groceries магазин магазины покупками закупаемся закупаюсь";
    let named = words.clone().any(|t| among(&t.folded, shops));
    let all = words.clone().all(|t| among(&t.folded, GO_SHOPPING));
    (named && all).then(|| {
        if russian {
            format!("среднее число чеков в {ru}")
        } else {
            format!("mean number of receipts per {en}")
        }
    })
}

/// `how much per month on average`, `сколько в среднем в месяц`: of what each month comes to.
fn of_each(tokens: &[Token], total: &str) -> Option<String> {
    const KNOWN: &str =
        "how much money is it that per a each every on average and а и сколько это в среднем";
    const EACH: [(&str, &str, &str); 8] = [
        ("day", "average daily", ""),
        ("week", "average weekly", ""),
        ("month", "average monthly", ""),
        ("year", "average yearly", ""),
        ("день", "средняя сумма", "в день"),
        ("неделю", "средняя сумма", "в неделю"),
        ("месяц", "средняя сумма", "в месяц"),
        ("год", "средняя сумма", "в год"),
    ];
    let mut words =
        tokens.iter().filter(|t| t.kind != TokenKind::Symbol).map(|t| t.folded.as_str());
    let has = |list: &str| tokens.iter().any(|t| among(&t.folded, list));
    let (each, lead, behind) =
        EACH.iter().find(|(each, ..)| tokens.iter().any(|t| t.folded == *each))?;
    let asks = has("how сколько") && has("average среднем");
    (asks && words.all(|word| word == *each || among(word, KNOWN))).then(|| {
        let of = if behind.is_empty() { " total" } else { "" };
        format!("{lead}{of} `{total}` {behind}").trim_end().to_owned()
    })
}

/// `how many times did we go shopping in 2024`, `сколько раз мы ходили в магазин`: receipts.
fn of_times(question: &str, tokens: &[Token], russian: bool) -> Option<String> {
    const WENT: &str =
        "went been gone have had ходили ходил ходила были был была бывали закупались закупался";
    const SHOP: &str =
        "shop shopping store stores магазин магазине магазины покупками закупались закупался";
    let said = |n: usize| tokens.get(n).map_or("", |t| t.folded.as_str());
    let from = match (said(0), said(1), said(2)) {
        ("сколько", "раз", _) => 2,
        ("how", "many", "times") => 3,
        _ => return None,
    };
    let last = (from..tokens.len()).rfind(|&at| among(said(at), SHOP))?;
    let known = |at: usize| among(said(at), GO_SHOPPING) || among(said(at), WENT);
    if !(from..=last).all(known) {
        return None;
    }
    let rest = question.get(tokens.get(last)?.span.end..)?;
    Some(if russian {
        format!("сколько чеков{rest}")
    } else {
        format!("how many receipts{rest}")
    })
}

/// `how much do we spend on weekends compared with weekdays`.
fn of_weekends(tokens: &[Token], russian: bool) -> Option<&'static str> {
    const KNOWN: &str = "how much do does did we i is more less spend spent on at the in and or vs versus \
                         compared to with than against weekend weekends weekday weekdays money сколько мы я \
                         трачу тратим потратил потратили в во по и или а против сравнению с чем больше \
                         меньше выходные выходным выходными будни будням буднями";
    let has = |list: &str| tokens.iter().any(|t| among(&t.folded, list));
    let words = tokens.iter().filter(|t| t.kind == TokenKind::Word);
    let both = has("weekend weekends") && has("weekday weekdays")
        || has("выходные выходным выходными") && has("будни будням буднями");
    let spent = has("spend spent трачу тратим потратил потратили");
    (both && spent && words.clone().all(|t| among(&t.folded, KNOWN))).then_some(if russian {
        "траты в выходные и в будни"
    } else {
        "spending on weekends vs weekdays"
    })
}

/// Words of a question for the shop where one goes most.
const WHERE: &str = "where do i we shop go most often usually the buy my our groceries где я мы чаще всего бываю                      бываем покупаю покупаем закупаюсь закупаемся хожу ходим обычно делаю делаем покупки                      продукты";

/// `where do I shop most often`, `где я чаще всего бываю`.
fn of_where(tokens: &[Token], russian: bool) -> Option<&'static str> {
    let has = |list: &str| tokens.iter().any(|t| among(&t.folded, list));
    // `which shop do we visit most often`
    let which = has("which what какой") && has("shop store магазин");
    let first = tokens.first().is_some_and(|t| among(&t.folded, "where где")) || which;
    let mut words = tokens.iter().filter(|t| {
        let named =
            among(&t.folded, "which what shop store at to visit какой магазин в посещаю посещаем");
        t.kind == TokenKind::Word && !(which && named)
    });
    let verb = has(
        "visit посещаю посещаем shop buy go бываю бываем покупаю покупаем закупаюсь закупаемся хожу ходим покупки",
    );
    let all = words.all(|t| among(&t.folded, WHERE));
    (first && all && verb && has("most usually чаще обычно")).then_some(if russian {
        "магазин с наибольшим числом чеков"
    } else {
        "shop with the most receipts"
    })
}

/// `compare 2023 and 2024`: what was spent in them.
fn of_years(tokens: &[Token], russian: bool) -> Option<String> {
    let word = |n: usize| tokens.get(n).map_or("", |t| t.folded.as_str());
    let year =
        |n: usize| tokens.get(n).filter(|t| matches!(t.kind, TokenKind::Number { year: true, .. }));
    let first = among(word(0), "compare сравни сравните сравнить");
    let joined = among(word(2), "and with to vs versus и с против");
    let (one, other) = (year(1)?, year(3)?);
    let end = tokens.get(4).is_none_or(|t| t.kind == TokenKind::Symbol);
    (first && joined && end).then(|| {
        if russian {
            format!("сравни траты за {} и {}", one.raw, other.raw)
        } else {
            format!("compare spending in {} and {}", one.raw, other.raw)
        }
    })
}

/// Words of a question for the day of the week on which one goes shopping most.
const WEEKDAY: &str = "which what on weekday day of the week weekdays days most often usually в по какой какие день дни \
                       недели чаще всего больше";

fn of_weekday(tokens: &[Token], russian: bool) -> Option<&'static str> {
    let has = |list: &str| tokens.iter().any(|t| among(&t.folded, list));
    let words = tokens.iter().filter(|t| t.kind == TokenKind::Word);
    let all = words.clone().all(|t| among(&t.folded, WEEKDAY) || among(&t.folded, GO_SHOPPING));
    let day =
        has("weekday weekdays") || has("day") && has("week") || has("день дни") && has("недели");
    let shops =
        has("shop shopping store stores магазин магазины покупками покупки закупаемся закупаюсь");
    let most = has("most often чаще больше");
    (all && day && shops && most).then_some(if russian {
        "число чеков по дням недели по убыванию"
    } else {
        "number of receipts by weekday, largest first"
    })
}

/// `how often do I go to Birch`, `как часто я хожу в Берёзку`: how many receipts are from there.
fn of_often_there(question: &str, tokens: &[Token]) -> Option<String> {
    const GO: &str = "go went gone shop shopped visit visited хожу хожу ходим ходил ходила ходили бываю бываем был была";
    const WHO: &str = "do did does have i we я мы";
    const ANY: &str = "the a store stores shop shops shopping grocery groceries магазин магазины магазине покупками";
    let said = |n: usize| tokens.get(n).map_or("", |t| t.folded.as_str());
    let begins =
        OFTEN.iter().find(|lead| lead.iter().enumerate().all(|(n, word)| said(n) == *word))?;
    let verb = (begins.len()..tokens.len()).find(|&at| !among(said(at), WHO))?;
    let mut at = verb + 1;
    if among(said(at), "to at in в во") {
        at += 1;
    } else if !said(verb).starts_with("visit") {
        return None;
    }
    let named = tokens.get(at).filter(|t| t.kind == TokenKind::Word && !among(&t.folded, ANY))?;
    if !among(said(verb), GO) {
        return None;
    }
    let rest = question.get(named.span.start..)?;
    let russian = said(0) == "как";
    Some(if russian {
        format!("сколько чеков в {rest}")
    } else {
        format!("how many receipts from {rest}")
    })
}

fn of_often(tokens: &[Token], russian: bool) -> Option<&'static str> {
    let said = |n: usize| tokens.get(n).map(|t| t.folded.as_str());
    let begins = |lead: &&[&str]| lead.iter().enumerate().all(|(n, word)| said(n) == Some(*word));
    let rest = tokens.get(OFTEN.iter().find(|lead| begins(lead))?.len()..)?;
    let words = rest.iter().filter(|t| t.kind == TokenKind::Word);
    let (mut named, mut all) = (false, true);
    for word in words {
        named |= among(
            &word.folded,
            "shop shopping store stores groceries магазин магазины покупками покупки \
                        закупаемся закупаюсь магазине магазинах",
        );
        all &= among(&word.folded, GO_SHOPPING);
    }
    (named && all).then_some(if russian {
        "среднее число чеков в неделю"
    } else {
        "mean number of receipts per week"
    })
}

/// What is cheap or dear of a shop are its prices, which no column has: the mean receipt is offered.
pub fn of_cheap_shops(question: &str, total: &str) -> Option<String> {
    const CHEAP: &str = "cheap cheaper cheapest дешевле дешевый дешевого дешевом";
    const DEAR: &str = "expensive dearest priciest дороже дорогой дорогом дорогого";
    const FRAME: &str = "which what where is are it the a most least do i we to at on average in всего всех самый \
                         самом какой каком где в у нас";
    let tokens = tokenise(question);
    let has = |list: &str| tokens.iter().any(|t| among(&t.folded, list));
    let known = [CHEAP, DEAR, FRAME, SHOPS, SELLERS, "магазине"];
    let mut words = tokens.iter().filter(|t| t.kind == TokenKind::Word);
    let shops = has(SHOPS) || has(SELLERS) || has("магазине where где");
    let all = words.all(|t| known.iter().any(|list| among(&t.folded, list)));
    if !(shops && all && has(CHEAP) != has(DEAR)) {
        return None;
    }
    let russian = tokens.iter().any(|t| t.folded.chars().any(|c| ('а'..='я').contains(&c)));
    let least = has(CHEAP) != has("least");
    Some(match (russian, least) {
        (false, true) => format!("shop with the lowest mean `{total}`"),
        (false, false) => format!("shop with the highest mean `{total}`"),
        (true, true) => format!("магазин с наименьшим средним `{total}`"),
        (true, false) => format!("магазин с наибольшим средним `{total}`"),
    })
}

fn token_before<'a>(tokens: &'a [Token], token: &Token) -> Option<&'a Token> {
    tokens.iter().rev().find(|t| t.span.end <= token.span.start)
}

/// Words for some of what is bought, which the receipts do not tell apart.
const SOME: &str = "groceries grocery food products продукты еду";
/// Words for all of it.
const ALL: &str = "shopping goods покупки товары";

/// Where the tokens say what money goes on in such a word.
fn on_all(tokens: &[Token]) -> Option<usize> {
    (1..tokens.len()).find(|&at| {
        let on = tokens.get(at - 1).is_some_and(|t| among(&t.folded, "on for на"));
        on && tokens.get(at).is_some_and(|t| among(&t.folded, ALL) || among(&t.folded, SOME))
    })
}

/// A word of the question that its reading over the receipts leaves out.
pub fn left_out(question: &str) -> Option<String> {
    let tokens = tokenise(question);
    let word = tokens.get(on_all(&tokens)?)?;
    among(&word.folded, SOME).then(|| word.raw.clone())
}

/// `spend on groceries per month`: all of it.
fn without_groceries(question: &str) -> Option<String> {
    let tokens = tokenise(question);
    let at = on_all(&tokens)?;
    let (on, all) = (tokens.get(at - 1)?, tokens.get(at)?);
    let (before, behind) = (question.get(..on.span.start)?, question.get(all.span.end..)?);
    let plain = format!("{}{behind}", before.trim_end());
    // `сколько в месяц я трачу`
    let mut words: Vec<&str> = plain.split_whitespace().collect();
    if let ["сколько", "в", each @ ("неделю" | "месяц" | "день" | "год"), rest @ ..] = &words[..]
    {
        let each = *each;
        words = ["сколько"].iter().chain(rest).copied().chain(["в", each]).collect();
        return Some(words.join(" "));
    }
    Some(plain)
}

/// Words for what stands on a receipt.
const LINES: &str = "item items line lines product products goods товар товара товаров позиций позиции \
                     продуктов строк";

/// The question over the receipts, of which `total` is what one comes to; nothing where it names
/// none of what they have.
pub fn of_receipts(question: &str, total: &str) -> Option<String> {
    let all = without_groceries(question);
    let question = all.as_deref().unwrap_or(question);
    let each = restated::each_time(question);
    let question = each.as_deref().unwrap_or(question);
    let tokens = tokenise(question);
    let has = |list: &str| tokens.iter().any(|t| among(&t.folded, list));
    let russian = tokens.iter().any(|t| t.folded.chars().any(|c| ('а'..='я').contains(&c)));
    // `how many items per receipt`: no table of receipts alone knows their lines
    if has(LINES) && has(RECEIPTS) && has("per each every в на каждом каждый") {
        return None;
    }
    if let Some(said) = of_often_there(question, &tokens) {
        return Some(said);
    }
    if let Some(often) = of_often(&tokens, russian).or_else(|| of_weekday(&tokens, russian)) {
        return Some(often.to_owned());
    }
    if let Some(said) = of_each(&tokens, total) {
        return Some(said);
    }
    if let Some(said) = of_times_in(&tokens, russian) {
        return Some(said);
    }
    if let Some(said) = of_times(question, &tokens, russian) {
        return Some(said);
    }
    if let Some(said) = of_weekends(&tokens, russian) {
        return of_receipts(said, total);
    }
    if let Some(said) = of_where(&tokens, russian) {
        return Some(said.to_owned());
    }
    if let Some(said) = of_years(&tokens, russian)
        .or_else(|| restated::versus::of_difference(&tokens))
        .or_else(|| restated::versus::of_both_years(&tokens))
    {
        return of_receipts(&said, total);
    }
    // `my biggest purchase`: what one shopping comes to
    let large = has(LARGE) && has(PURCHASES);
    if !large && ![SPENDING, SHOPS, SELLERS, RECEIPTS, BASKET].iter().any(|list| has(list)) {
        return None;
    }
    let mut said = String::new();
    let mut last = 0;
    for token in tokens.iter().filter(|t| t.kind == TokenKind::Word) {
        let word = token.folded.as_str();
        let other = if among(word, SPENDING) {
            let by = tokens.iter().rev().find(|t| t.span.end <= token.span.start);
            if by.is_some_and(|t| among(&t.folded, "by по")) {
                format!("`{total}`")
            } else if russian {
                format!("сумма `{total}`")
            } else {
                format!("total `{total}`")
            }
        } else if large && among(word, PURCHASES) {
            match (russian, word.ends_with('s') || among(word, "покупки покупок")) {
                (false, false) => "receipt",
                (false, true) => "receipts",
                (true, false) => "чек",
                (true, true) => "чеки",
            }
            .to_owned()
        } else if among(word, "суммы суммой итога sum amount")
            && token_before(&tokens, token).is_some_and(|t| among(&t.folded, "без without with с"))
        {
            format!("`{total}`")
        } else if among(word, BASKET) {
            if russian { "чек" } else { "receipt" }.to_owned()
        } else if among(word, SELLERS) {
            "shops".to_owned()
        } else if among(word, TOP)
            && !tokens.iter().any(|t| matches!(t.kind, TokenKind::Number { .. }))
        {
            format!("{} {FEW}", token.raw)
        } else {
            continue;
        };
        said += question.get(last..token.span.start)?;
        said += &other;
        last = token.span.end;
    }
    said += question.get(last..)?;
    // `top shops`: by what was spent there
    if has(TOP) && !has("by по") && !has(SPENDING) && (has(SHOPS) || has(SELLERS)) {
        said += if russian { " по сумме" } else { " by total" };
        said += " `";
        said += total;
        said += "`";
    }
    Some(said)
}
