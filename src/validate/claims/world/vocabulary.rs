//! Words of other languages for what a column is called: those of a list, and those that are the same
//! word in other letters.

use crate::validate::claims::lex::is_cyrillic;

/// Other words for the usual words of column names, which stand in the singular.
const WORDS: &[(&str, &[&str])] = &[
    ("gap", &["гэп", "разрыв"]),
    ("volume", &["объем"]),
    ("open", &["открытие", "открытия"]),
    ("close", &["закрытие", "закрытия", "closing"]),
    ("price", &["цена"]),
    ("amount", &["сумма", "оборот"]),
    ("revenue", &["выручка", "выручил", "earner", "earn"]),
    ("sales", &["продажи"]),
    ("sale", &["продажа"]),
    ("cost", &["стоимость", "затраты", "расходы"]),
    ("profit", &["прибыль"]),
    ("change", &["изменение"]),
    ("range", &["диапазон", "размах"]),
    ("return", &["доходность"]),
    ("delay", &["задержка", "опоздание"]),
    ("quantity", &["количество", "quantity"]),
    ("qty", &["количество", "quantity"]),
    ("temperature", &["температура", "temperature"]),
    ("temp", &["температура", "temperature"]),
    ("distance", &["расстояние"]),
    ("duration", &["длительность", "продолжительность"]),
    ("salary", &["зарплата", "оклад"]),
    ("wage", &["зарплата"]),
    ("rating", &["рейтинг"]),
    ("weight", &["вес"]),
    ("mass", &["масса", "вес"]),
    ("age", &["возраст"]),
    ("order", &["заказ"]),
    ("customer", &["клиент", "покупатель"]),
    ("client", &["клиент"]),
    ("visitor", &["посетитель"]),
    ("guest", &["гость"]),
    ("user", &["пользователь"]),
    ("visit", &["визит", "посещение"]),
    ("population", &["население"]),
    ("inhabitant", &["житель"]),
    ("area", &["площадь"]),
    ("employee", &["сотрудник", "работник"]),
    ("staff", &["сотрудник", "персонал"]),
    ("people", &["человек", "люди"]),
    ("person", &["человек", "люди"]),
    ("founded", &["основан", "основана", "основание"]),
    ("built", &["построен", "построена", "постройка"]),
    ("goal", &["гол", "голы", "забил", "забито"]),
    ("scored", &["гол", "голы", "забил", "забито"]),
    ("conceded", &["пропущено", "пропустил"]),
    ("win", &["победа"]),
    ("loss", &["убыток", "потеря"]),
    ("lost", &["потерян", "потеряна", "потеряно", "потерял"]),
    ("error", &["ошибка"]),
    ("income", &["доход"]),
    ("earnings", &["заработок"]),
    ("expense", &["расход", "трата"]),
    ("spent", &["трата", "потратили", "потрачено", "расход"]),
    ("spending", &["расход", "трата"]),
    ("speed", &["скорость"]),
    ("height", &["высота", "рост"]),
    ("length", &["длина"]),
    ("width", &["ширина"]),
    ("depth", &["глубина"]),
    ("rain", &["осадки", "дождь"]),
    ("rainfall", &["осадки"]),
    ("snow", &["снег"]),
    ("wind", &["ветер"]),
    ("power", &["мощность"]),
    ("capacity", &["мощность", "вместимость", "емкость"]),
    ("load", &["нагрузка"]),
    ("consumption", &["потребление", "расход"]),
    ("energy", &["энергия"]),
    ("output", &["выработка", "выпуск"]),
    ("yield", &["урожай", "выход"]),
    ("production", &["производство"]),
    ("water", &["вода"]),
    ("gas", &["газ"]),
    ("electricity", &["электричество"]),
    ("heat", &["тепло"]),
    ("humidity", &["влажность"]),
    ("pressure", &["давление"]),
    ("noise", &["шум"]),
    ("passenger", &["пассажир"]),
    ("trip", &["поездка", "рейс"]),
    ("ride", &["поездка"]),
    ("flight", &["рейс", "полет"]),
    ("train", &["поезд", "поезда"]),
    ("bus", &["автобус"]),
    ("car", &["машина", "автомобиль"]),
    ("vehicle", &["машина", "автомобиль"]),
    ("driver", &["водитель"]),
    ("parcel", &["посылка"]),
    ("package", &["посылка", "упаковка"]),
    ("letter", &["письмо"]),
    ("delivery", &["доставка"]),
    ("shipment", &["отправка", "поставка"]),
    ("pack", &["пачка", "упаковка"]),
    ("bottle", &["бутылка"]),
    ("box", &["коробка"]),
    ("piece", &["штука"]),
    ("unit", &["единица"]),
    ("item", &["товар"]),
    ("product", &["товар"]),
    ("goods", &["товар"]),
    ("purchase", &["покупка"]),
    ("payment", &["платеж"]),
    ("receipt", &["чек"]),
    ("invoice", &["счет"]),
    ("transaction", &["транзакция", "операция"]),
    ("booking", &["бронь", "бронирование"]),
    ("reservation", &["бронь", "бронирование"]),
    ("ticket", &["билет", "заявка"]),
    ("request", &["запрос", "заявка"]),
    ("call", &["звонок", "вызов"]),
    ("complaint", &["жалоба"]),
    ("review", &["отзыв"]),
    ("answer", &["ответ"]),
    ("response", &["ответ"]),
    ("question", &["вопрос"]),
    ("message", &["сообщение"]),
    ("session", &["сеанс", "сессия"]),
    ("click", &["клик"]),
    ("view", &["просмотр"]),
    ("play", &["прослушивание"]),
    ("download", &["загрузка", "скачивание"]),
    ("signup", &["регистрация"]),
    ("registration", &["регистрация"]),
    ("subscriber", &["подписчик"]),
    ("member", &["участник", "член"]),
    ("participant", &["участник"]),
    ("runner", &["бегун"]),
    ("player", &["игрок"]),
    ("match", &["матч"]),
    ("game", &["игра"]),
    ("point", &["очко", "балл"]),
    ("score", &["балл", "оценка"]),
    ("mark", &["оценка", "отметка"]),
    ("grade", &["оценка"]),
    ("exam", &["экзамен"]),
    ("test", &["тест"]),
    ("lesson", &["урок"]),
    ("course", &["курс"]),
    ("pupil", &["ученик"]),
    ("student", &["студент", "ученик"]),
    ("teacher", &["учитель", "преподаватель"]),
    ("school", &["школа"]),
    ("patient", &["пациент"]),
    ("doctor", &["врач"]),
    ("appointment", &["прием"]),
    ("operation", &["операция"]),
    ("death", &["смерть"]),
    ("birth", &["рождение"]),
    ("bed", &["койка"]),
    ("room", &["комната", "номер"]),
    ("night", &["ночь"]),
    ("stay", &["пребывание"]),
    ("stop", &["остановка", "простой"]),
    ("fault", &["неисправность", "сбой"]),
    ("failure", &["отказ", "сбой"]),
    ("defect", &["брак", "дефект"]),
    ("incident", &["инцидент"]),
    ("accident", &["авария", "происшествие"]),
    ("wait", &["ожидание"]),
    ("waiting", &["ожидание"]),
    ("time", &["время"]),
    ("minute", &["минута"]),
    ("hour", &["час"]),
    ("day", &["день"]),
    ("fee", &["плата", "сбор"]),
    ("fare", &["тариф", "проезд"]),
    ("tip", &["чаевые"]),
    ("tax", &["налог"]),
    ("discount", &["скидка"]),
    ("bonus", &["премия", "бонус"]),
    ("debt", &["долг"]),
    ("loan", &["кредит", "заем"]),
    ("deposit", &["вклад"]),
    ("donation", &["пожертвование"]),
    ("gift", &["подарок"]),
    ("budget", &["бюджет"]),
    ("margin", &["маржа"]),
    ("share", &["доля"]),
    ("stock", &["запас"]),
    ("balance", &["остаток", "баланс"]),
    ("investment", &["инвестиция", "вложение"]),
    ("rent", &["аренда"]),
    ("harvest", &["урожай"]),
    ("tree", &["дерево", "деревья"]),
    ("animal", &["животное"]),
    ("fish", &["рыба"]),
    ("book", &["книга"]),
    ("page", &["страница"]),
    ("word", &["слово"]),
    ("photo", &["фотография", "снимок"]),
    ("video", &["видео"]),
    ("reader", &["читатель"]),
    ("viewer", &["зритель"]),
    ("seat", &["место"]),
    ("kilometre", &["километр"]),
    ("kilometer", &["километр"]),
    ("mileage", &["пробег"]),
    ("fuel", &["топливо"]),
    ("litre", &["литр"]),
    ("liter", &["литр"]),
    ("ton", &["тонна"]),
    ("tonne", &["тонна"]),
    ("shop", &["магазин"]),
    ("store", &["магазин"]),
    ("market", &["рынок"]),
    ("city", &["город"]),
    ("town", &["город"]),
    ("country", &["страна"]),
    ("region", &["регион", "область"]),
    ("district", &["район"]),
    ("street", &["улица"]),
    ("line", &["линия"]),
    ("route", &["маршрут"]),
    ("station", &["станция"]),
    ("carrier", &["перевозчик"]),
    ("brand", &["бренд", "марка"]),
    ("model", &["модель"]),
    ("category", &["категория"]),
    ("department", &["отдел", "отделение"]),
    ("team", &["команда"]),
    ("company", &["компания"]),
    ("supplier", &["поставщик"]),
    ("manager", &["менеджер"]),
    ("warehouse", &["склад"]),
    ("branch", &["филиал"]),
    ("office", &["офис"]),
    ("project", &["проект"]),
    ("channel", &["канал"]),
    ("type", &["тип", "вид"]),
    ("sector", &["сектор"]),
    ("bank", &["банк"]),
    ("hotel", &["отель", "гостиница"]),
    ("park", &["парк"]),
    ("subject", &["предмет"]),
    ("farm", &["ферма", "хозяйство"]),
    ("plant", &["завод"]),
    ("factory", &["завод", "фабрика"]),
    ("machine", &["машина", "станок"]),
    ("service", &["сервис", "служба"]),
    ("language", &["язык"]),
    ("club", &["клуб"]),
    ("genre", &["жанр"]),
    ("author", &["автор"]),
    ("kw", &["квт"]),
    ("mw", &["мвт"]),
    ("mwh", &["мвт"]),
    ("gw", &["гвт"]),
    ("gwh", &["гвт"]),
    ("ha", &["га"]),
];

/// Russian and English words for a usual word of column names, in the singular or in the plural.
pub(in super::super) fn translations(word: &str) -> &'static [&'static str] {
    let of = |word: &str| WORDS.iter().find(|(own, _)| *own == word).map(|(_, words)| *words);
    let singular = || word.strip_suffix('s').and_then(of);
    let ies = || word.strip_suffix("ies").and_then(|start| of(&format!("{start}y")));
    let es = || word.strip_suffix("es").and_then(of);
    of(word).or_else(singular).or_else(ies).or_else(es).unwrap_or_default()
}

/// `тест` of `test`, `клиент` of `client`: stems that begin alike and have the same consonants.
pub(super) fn same_word(russian: &str, english: &str) -> bool {
    if !is_cyrillic(russian) || is_cyrillic(english) {
        return false;
    }
    let (russian, english) = (sounds(russian), sounds(english));
    let start = |s: &str| s.chars().take(2).collect::<String>();
    let consonants = |s: &str| s.chars().filter(|c| !"aeiou".contains(*c)).collect::<String>();
    let own = consonants(&russian);
    own.len() > 2 && start(&russian) == start(&english) && own == consonants(&english)
}

/// A word in letters that both languages have, one for each sound.
fn sounds(word: &str) -> String {
    let mut out = String::new();
    let mut add = |s: &str| {
        for c in s.chars() {
            if !out.ends_with(c) {
                out.push(c);
            }
        }
    };
    let mut chars = word.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            'а' | 'я' => add("a"),
            'б' => add("b"),
            'в' | 'w' => add("v"),
            'г' => add("g"),
            'д' => add("d"),
            'е' | 'э' => add("e"),
            'ж' => add("j"),
            'и' | 'й' | 'ы' | 'y' => add("i"),
            'л' => add("l"),
            'м' => add("m"),
            'н' => add("n"),
            'о' => add("o"),
            'п' => add("p"),
            'р' => add("r"),
            'з' | 'с' | 'z' => add("s"),
            'т' => add("t"),
            'у' | 'ю' => add("u"),
            'ф' => add("f"),
            'х' => add("h"),
            'ц' => add("ts"),
            'ч' => add("ch"),
            'ш' | 'щ' => add("sh"),
            'c' if chars.peek() == Some(&'h') => {
                chars.next();
                add("ch");
            }
            'к' | 'q' | 'c' => add("k"),
            'p' if chars.peek() == Some(&'h') => {
                chars.next();
                add("f");
            }
            'x' => add("ks"),
            'ь' | 'ъ' => {}
            other => add(other.encode_utf8(&mut [0; 4])),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_the_same_in_both_languages_are_told_from_others() {
        for (russian, english) in [("тест", "test"), ("клиент", "client"), ("литр", "litr")]
        {
            assert!(same_word(russian, english), "{russian}");
        }
        for (russian, english) in [("минут", "month"), ("пик", "peak"), ("лидер", "letter")]
        {
            assert!(!same_word(russian, english), "{russian}");
        }
    }

    #[test]
    fn plurals_have_the_words_of_their_singular() {
        assert_eq!(translations("deliveries"), translations("delivery"));
        assert_eq!(translations("parcels"), ["посылка"]);
        assert!(translations("bus").contains(&"автобус"));
    }
}
