//! Common nouns of tables in both languages, so that a Russian question finds an English column.
//! The words of a domain come from a table's labels and synonyms; this list stays small.

use super::stem::{Fnv, fold, parts, stem};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

/// What a noun of a column says about its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nature {
    /// Money that adds up (an amount, a revenue).
    Money,
    /// Something else that adds up (a quantity, a volume).
    Additive,
    /// What comes or goes, and is added up where nothing else is said (an output, a fine).
    Flow,
    /// Not a number that adds up.
    Other,
}

const NOUNS: &[(&str, Nature)] = &[
    ("amount sum сумма сумм суммы", Nature::Money),
    (
        "revenue gross takings proceeds sales turnover income earnings earn earned bring brought выручка оборот доход продажи продаж заработали заработал заработано принес принесла принесли приносит приносят выручили зачисление зачисления deposit deposits deposited",
        Nature::Money,
    ),
    (
        "cost costs expense expenses expenditure outlay spend spending spent стоит стоят стоил стоила стоило стоили стоимость затраты расходы расход траты потратил потратила потратили потрачено трачу тратим тратить ушло уходит обходится обходятся обошлось обошелся обошлась обошлись списание списания списано withdrawal withdrawals withdrawn",
        Nature::Money,
    ),
    ("profit прибыль", Nature::Money),
    // of a profit to a revenue, or in money: another thing than the profit
    ("margin маржа", Nature::Other),
    (
        "takings gross grossed grosses grossing сборы сборов сбор касса кассы кассовый кассовых собрал собрала собрали собрало собрано собирает собирают",
        Nature::Money,
    ),
    ("payment paid payments платеж оплата", Nature::Money),
    ("bill bills billed", Nature::Money),
    ("fare fares тариф тарифа тарифы стоимость", Nature::Money),
    ("fee fees", Nature::Flow),
    ("fine fines penalty penalties штраф штрафы штрафов", Nature::Flow),
    ("tip tips tipped чаевые чаевых", Nature::Flow),
    ("tax taxes налог налоги налогов", Nature::Flow),
    ("donation donations donated donate пожертвование пожертвования пожертвований", Nature::Flow),
    ("energy энергия энергии электроэнергия", Nature::Flow),
    (
        "output production produced produces generation выработка выработано выработали выработал выработала выработало вырабатывает производство произвели произведено",
        Nature::Flow,
    ),
    ("consumption consumed consumes потребление потребил потребили потребляет", Nature::Flow),
    ("rain rainfall precipitation rained осадки осадков", Nature::Flow),
    (
        "harvest harvested yield crop урожай урожая намолот намолотили собрали собрано собирает собираем собирают собрал собрала",
        Nature::Flow,
    ),
    ("fuel топливо горючее бензин солярка", Nature::Flow),
    ("calories calorie burn burned burnt burns калории калорий сожгли сжигают", Nature::Flow),
    (
        "views viewed просмотры просмотров просматриваемый просматриваемая просматриваемое просматриваемые просматриваемых",
        Nature::Flow,
    ),
    ("clicks clicked клики кликов", Nature::Flow),
    ("downloads скачивания скачиваний", Nature::Flow),
    ("goals голы голов", Nature::Flow),
    ("budget бюджет", Nature::Flow),
    ("vote votes voted голос голоса голосов проголосовали", Nature::Flow),
    ("award awards awarded prize prizes награда награды наград приз призы призов", Nature::Flow),
    ("medal medals медаль медали медалей", Nature::Flow),
    ("spectator spectators viewer viewers зритель зрители зрителей", Nature::Flow),
    ("cargo freight груз груза грузы грузов", Nature::Flow),
    ("waste отходы отходов", Nature::Flow),
    ("royalty royalties роялти", Nature::Flow),
    ("dividend dividends дивиденд дивиденды дивидендов", Nature::Flow),
    ("commission commissions комиссия комиссии комиссий", Nature::Flow),
    ("grant grants грант гранты грантов", Nature::Flow),
    ("subsidy subsidies субсидия субсидии субсидий", Nature::Flow),
    ("loss losses убыток убытки убытков", Nature::Flow),
    ("refund refunds refunded", Nature::Flow),
    (
        "wait waits waited waiting ожидание ждут ждет ждал ждала ждали ждать ждем прождал прождали",
        Nature::Other,
    ),
    ("bonus bonuses премия премии премий", Nature::Other),
    ("rent rents", Nature::Other),
    ("attendance turnout audience spectators посещаемость", Nature::Flow),
    ("harvest crop урожай", Nature::Flow),
    ("emission emissions emitted выбросы выбросов", Nature::Flow),
    ("mileage пробег", Nature::Additive),
    ("supplier vendor поставщик", Nature::Other),
    ("teacher instructor tutor lecturer учитель преподаватель", Nature::Other),
    ("student pupil learner ученик студент", Nature::Other),
    ("doctor physician врач доктор", Nature::Other),
    ("car vehicle auto машина автомобиль", Nature::Other),
    ("team squad команда", Nature::Other),
    ("genre style жанр стиль", Nature::Other),
    ("artist performer band исполнитель артист", Nature::Other),
    ("district neighbourhood neighborhood borough район", Nature::Other),
    ("colour color цвет", Nature::Other),
    ("priority severity urgency приоритет срочность", Nature::Other),
    ("reason cause причина", Nature::Other),
    ("manager supervisor менеджер", Nature::Other),
    ("agent representative rep агент", Nature::Other),
    ("driver водитель", Nature::Other),
    ("language язык", Nature::Other),
    ("venue location площадка", Nature::Other),
    ("defect defects reject rejects flaw flaws дефект дефекты дефектов брак брака", Nature::Other),
    ("downtime stoppage outage простой", Nature::Other),
    ("review reviews отзыв", Nature::Other),
    ("nationality национальность", Nature::Other),
    ("price priced fare цена стоит стоят стоил стоила стоило стоили дорого", Nature::Other),
    (
        "salary wage pay paid earn earns earned зарплата оклад зарабатывают зарабатывает",
        Nature::Other,
    ),
    ("quantity qty units pieces количество кол штук штуки", Nature::Additive),
    ("volume объем объема объему объемом объемы объемов", Nature::Additive),
    ("open opening opened открытие открытия открылся открылась открылось", Nature::Other),
    (
        "close closing closes closed закрытие закрытия закрылся закрылась закрылось закрылись закрывался закрывалась закрывалось",
        Nature::Other,
    ),
    ("high highs максимум хай", Nature::Other),
    ("low lows минимум лоу", Nature::Other),
    ("shop shops store stores магазин", Nature::Other),
    ("category type kind категория тип вид", Nature::Other),
    ("product item goods товар товары продукт", Nature::Other),
    ("customer client buyer клиент покупатель заказчик", Nature::Other),
    ("rider client customer клиент", Nature::Other),
    ("city town город города городам городов", Nature::Other),
    ("country страна стран", Nature::Other),
    ("region регион область", Nature::Other),
    ("date день дата", Nature::Other),
    ("name имя название", Nature::Other),
    ("age aged возраст", Nature::Other),
    ("sex gender пол", Nature::Other),
    ("department dept отдел подразделение департамент", Nature::Other),
    ("company firm компания компаний", Nature::Other),
    ("brand make manufacturer бренд марка производитель", Nature::Other),
    ("status статус состояние", Nature::Other),
    ("driver водитель шофер", Nature::Other),
    ("seller salesperson продавец продавцы продавцов", Nature::Other),
    ("manager менеджер управляющий", Nature::Other),
    ("doctor physician врач доктор", Nature::Other),
    ("teacher tutor учитель преподаватель", Nature::Other),
    ("student pupil ученик студент учащийся", Nature::Other),
    ("supplier vendor поставщик", Nature::Other),
    ("warehouse depot склад", Nature::Other),
    ("branch office филиал отделение офис", Nature::Other),
    ("district area район", Nature::Other),
    ("street улица", Nature::Other),
    ("room комната номер помещение", Nature::Other),
    ("car vehicle автомобиль машина авто", Nature::Other),
    ("vehicle transport транспорт транспорта", Nature::Other),
    ("size размер", Nature::Other),
    ("color colour цвет", Nature::Other),
    ("reason cause причина", Nature::Other),
    ("channel канал", Nature::Other),
    ("source источник", Nature::Other),
    ("device устройство прибор", Nature::Other),
    ("language язык", Nature::Other),
    ("team команда бригада", Nature::Other),
    ("author автор", Nature::Other),
    ("genre жанр", Nature::Other),
    ("method способ метод", Nature::Other),
    ("capacity вместимость емкость", Nature::Other),
    ("experience стаж опыт", Nature::Other),
    ("guest гость гостей постоялец", Nature::Other),
    ("ticket tickets билет билетов", Nature::Other),
    ("load нагрузка загрузка", Nature::Other),
    ("humidity влажность", Nature::Other),
    ("pressure давление", Nature::Other),
    ("depth глубина глубины глубиной", Nature::Other),
    ("width ширина", Nature::Other),
    ("length длина", Nature::Other),
    ("area square площадь площади площадью", Nature::Other),
    ("frequency частота", Nature::Other),
    ("distance расстояние дистанция", Nature::Additive),
    (
        "duration length срок срока сроки сроков хронометраж время продлился продлилась продлилось lasts lasted lasting длительность продолжительность длится длятся длился длилась длилось длились длиться",
        Nature::Additive,
    ),
    ("weight weigh weighs weighed вес веса весит весят весил весила", Nature::Additive),
    ("height рост высота", Nature::Other),
    ("thickness толщина", Nature::Other),
    (
        "release releases released выпуск выпущен выпущена выпущены выпущенные выпущенных",
        Nature::Other,
    ),
    ("girth обхват", Nature::Other),
    ("balance баланс остаток сальдо", Nature::Other),
    ("population население населения жители жителей", Nature::Additive),
    ("speed скорость", Nature::Other),
    ("temperature temp температура", Nature::Other),
    (
        "delay задержка задержек опоздание опаздывают опаздывает опоздали опоздал опоздала",
        Nature::Other,
    ),
    ("zone зона зоны", Nature::Other),
    ("route маршрут", Nature::Other),
    ("pickup посадка", Nature::Other),
    ("dropoff высадка", Nature::Other),
    ("island остров острова острове островам островов", Nature::Other),
    ("species вид видов", Nature::Other),
    ("mass масса массы", Nature::Other),
    ("beak bill клюв клюва", Nature::Other),
    ("flipper wing крыло крыла плавник плавника", Nature::Other),
    ("symbol ticker тикер символ инструмент", Nature::Other),
    ("discount скидка скидок", Nature::Other),
    ("satisfaction удовлетворенность", Nature::Other),
    (
        "rating score mark grade оценка оценок рейтинг балл баллов баллы оценивают оценивает оценили оценил отметка",
        Nature::Other,
    ),
    (
        "order ordered заказ заказывают заказывали заказывает заказали заказал заказано",
        Nature::Other,
    ),
    (
        "purchase purchased buy bought покупка покупок купил купили куплено покупали покупаю",
        Nature::Other,
    ),
    (
        "sale sold sell sells продажа продаж продано продали продал продают продает продавали продаются",
        Nature::Other,
    ),
    ("transaction транзакция операция", Nature::Other),
    ("receipt чек чека чеки чеков", Nature::Other),
    ("flight flew fly flies рейс рейсов летают летали вылет вылетов", Nature::Other),
    ("airline авиакомпания", Nature::Other),
    ("airport аэропорт", Nature::Other),
    ("passenger пассажир", Nature::Additive),
    ("tourist tourists турист туристы туристов", Nature::Additive),
    ("employee worker staff сотрудник работник персонал", Nature::Other),
    ("user rider пользователь пользователей юзер аккаунт", Nature::Other),
    ("person people человек люди людей", Nature::Other),
    ("trade сделка сделок", Nature::Other),
    ("time время времени", Nature::Other),
    ("place position rank место позиция", Nature::Other),
    ("trip ride rode ridden поездка поездок катались ездили проехали", Nature::Other),
    ("visit visited visits визит посещение посещений посетили приходили", Nature::Other),
    (
        "return returned returns возврат возвратов вернули вернул вернула вернулся возвращали возвращен возвращены",
        Nature::Other,
    ),
    (
        "cancel cancelled canceled cancellation cancellations отмена отмен отменен отменены отменили отменила отмененн отменяют",
        Nature::Other,
    ),
    (
        "start started starts begin began begins старт начало начался началось началась начались начинается начинаются",
        Nature::Other,
    ),
    (
        "end ended ends finish finished конец окончание закончился закончилась закончилось закончились заканчивается заканчиваются финиш финишировали",
        Nature::Other,
    ),
];

type Groups = HashMap<String, Vec<usize>, BuildHasherDefault<Fnv>>;

static GROUPS: LazyLock<Groups> = LazyLock::new(|| {
    let mut groups = Groups::default();
    for (number, (words, _)) in NOUNS.iter().enumerate() {
        for word in words.split(' ') {
            let list = groups.entry(stem(&fold(word))).or_default();
            if !list.contains(&number) {
                list.push(number);
            }
        }
    }
    groups
});

/// True when two stems are words for the same thing.
pub(super) fn same_noun(a: &str, b: &str) -> bool {
    match (GROUPS.get(a), GROUPS.get(b)) {
        (Some(a), Some(b)) => a.iter().any(|g| b.contains(g)),
        _ => false,
    }
}

/// True when a word in a question stands for a value of people's sex.
///
/// In a column of people's sex a letter is enough.
pub(super) fn same_sex(value: &str, word: &str, letters: bool) -> bool {
    const FEMALE: &[&str] = &[
        "women",
        "woman",
        "females",
        "женщина",
        "женщины",
        "женщин",
        "женщинам",
        "женщинами",
        "girls",
        "девушки",
        "девушек",
        "самка",
        "самки",
        "самок",
        "самкам",
        "самками",
    ];
    const MALE: &[&str] = &[
        "men",
        "man",
        "males",
        "мужчина",
        "мужчины",
        "мужчин",
        "мужчинам",
        "мужчинами",
        "boys",
        "парни",
        "парней",
        "самец",
        "самцы",
        "самцов",
        "самцам",
        "самцами",
    ];
    match value {
        "f" | "w" | "ж" if letters => FEMALE.contains(&word),
        "m" | "м" if letters => MALE.contains(&word),
        "female" | "женский" => FEMALE.contains(&word),
        "male" | "мужской" => MALE.contains(&word),
        _ => false,
    }
}

/// What the stem of a column's noun says about its numbers.
pub(super) fn nature(stem: &str) -> Option<Nature> {
    let group = *GROUPS.get(stem)?.first()?;
    NOUNS.get(group).map(|(_, nature)| *nature)
}

/// What the numbers of a name say by its head: `order amount` is an amount, `цена за штуку` a price.
pub(super) fn head_nature(
    name: &str,
    nature: impl FnMut(&String) -> Option<Nature>,
) -> Option<Nature> {
    let parts = parts(name);
    let russian = parts.iter().any(|part| part.chars().any(|c| ('а'..='я').contains(&c)));
    // the head of a Russian name comes first, that of an English one last, or before `of`
    if russian {
        return parts.iter().find_map(nature);
    }
    let end = parts.iter().position(|part| part == "of").filter(|&at| at > 0);
    parts.iter().take(end.unwrap_or(parts.len())).rev().find_map(nature)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_meet_across_languages() {
        for (a, b, same) in [
            ("shop", "магазинам", true),
            ("store", "shop", true),
            ("amount", "сумме", true),
            ("purchases", "покупок", true),
            ("volume", "объему", true),
            ("shop", "city", false),
            ("shop", "bogus", false),
        ] {
            assert_eq!(same_noun(&stem(&fold(a)), &stem(&fold(b))), same, "{a} {b}");
        }
        assert_eq!(nature(&stem("amounts")), Some(Nature::Money));
        for (name, money) in [
            ("order amount", true),
            ("price_of_sale", false),
            ("Сумма заказа", true),
            ("Цена за штуку", false),
            ("Количество_заказов", false),
        ] {
            let head = head_nature(name, |part| nature(&stem(part)));
            assert_eq!(head == Some(Nature::Money), money, "{name}");
        }
        assert_eq!(nature(&stem("bogus")), None);
    }
}
