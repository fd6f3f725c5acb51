//! Values that stand in a table in English, by the words a Russian question has for them: `Германия`
//! is no sound of `Germany`, nor is `отменён` one of `cancelled`.

use super::super::token::Token;
use crate::schema::TableSchema;

/// How a Russian word begins, and what it may be in English.
const MEANT: &[(&[&str], &[&str])] = &[
    // what became of an order
    (&["отмен"], &["cancelled", "canceled"]),
    (&["возвра", "вернул"], &["returned", "refunded", "return", "refund"]),
    (&["доставл"], &["delivered"]),
    (&["отправл", "отгруж"], &["shipped", "sent"]),
    (&["оплач"], &["paid"]),
    (&["ожида"], &["pending", "waiting"]),
    (&["открыт"], &["open", "opened"]),
    (&["закрыт"], &["closed"]),
    (&["заверш"], &["completed", "complete", "finished", "done"]),
    (&["наличн"], &["cash"]),
    // what people ride
    (&["самокат"], &["scooter", "scooters", "e-scooter"]),
    (&["велосипед"], &["bike", "bikes", "bicycle"]),
    (&["машин", "автомобил"], &["car", "cars"]),
    (&["автобус"], &["bus", "buses"]),
    (&["поезд"], &["train", "trains"]),
    // where they ride to
    (&["аэропорт"], &["airport"]),
    (&["вокзал", "станци"], &["station", "railway station"]),
    (&["университет"], &["university"]),
    (&["гаван", "порт", "порта", "порту"], &["harbour", "harbor", "port"]),
    (&["замок", "замка", "замке", "замку"], &["castle"]),
    (&["рынок", "рынка", "рынке", "рынку"], &["market"]),
    (&["стадион"], &["stadium"]),
    (&["больниц"], &["hospital"]),
    (&["музей", "музея", "музее", "музею"], &["museum"]),
    (&["центр", "центра", "центре", "центру"], &["center", "centre", "downtown", "city centre"]),
    // what is sold
    (&["книг"], &["books", "book"]),
    (&["игрушк", "игрушек"], &["toys", "toy"]),
    (&["одежд"], &["clothing", "clothes", "apparel"]),
    (&["обув"], &["shoes", "footwear"]),
    (&["мебел"], &["furniture"]),
    // countries and cities that are called otherwise
    (&["германи"], &["germany"]),
    (&["франци"], &["france"]),
    (&["испани"], &["spain"]),
    (&["итали"], &["italy"]),
    (&["польш"], &["poland"]),
    (&["австри"], &["austria"]),
    (&["швейцари"], &["switzerland"]),
    (&["нидерланд", "голланди"], &["netherlands", "the netherlands"]),
    (&["бельги"], &["belgium"]),
    (&["великобритани", "англи"], &["united kingdom", "uk", "great britain", "england"]),
    (&["сша", "америк"], &["united states", "usa", "us"]),
    (&["китай", "китая", "китае", "китаю"], &["china"]),
    (&["япони"], &["japan"]),
    (&["росси"], &["russia"]),
    (&["турци"], &["turkey", "türkiye"]),
    (&["швеци"], &["sweden"]),
    (&["норвеги"], &["norway"]),
    (&["мюнхен"], &["munich"]),
    (&["кельн"], &["cologne"]),
    (&["гамбург"], &["hamburg"]),
    (&["дрезден"], &["dresden"]),
    (&["лейпциг"], &["leipzig"]),
    (&["штутгарт"], &["stuttgart"]),
    (&["барселон"], &["barcelona"]),
    (&["лиссабон"], &["lisbon"]),
    (&["праг"], &["prague"]),
    (&["варшав"], &["warsaw"]),
    (&["париж"], &["paris"]),
    (&["москв"], &["moscow"]),
    (&["рим", "риме", "рима"], &["rome"]),
    (&["вена", "вене", "вены", "вену"], &["vienna"]),
];

/// The one value of the table that a word means.
pub(super) fn value<'a>(token: &Token, table: &'a TableSchema) -> Option<&'a str> {
    let word = token.folded.as_str();
    let begins = |begin: &&str| {
        if begin.chars().count() < 5 && !matches!(*begin, "книг" | "обув" | "праг") {
            word == *begin
        } else {
            word.starts_with(begin)
        }
    };
    let (_, names) = MEANT.iter().find(|(words, _)| words.iter().any(&begins))?;
    let values = table.columns.iter().flat_map(|c| c.values.iter().flatten());
    let mut fitting = values.filter(|value| names.contains(&value.to_lowercase().as_str()));
    let one = fitting.next()?;
    fitting.all(|other| other == one).then_some(one.as_str())
}
