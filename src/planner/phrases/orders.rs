//! Phrases for the order of what comes out and for a place in it.
//!
//! `[a/b] [c/d]` stands for each of the first followed by each of the second.

use super::super::words::Concept;
use Concept as C;

/// Phrases and what they stand for, read after [`super::PHRASES`].
pub(in super::super) const ORDERS: &[(&str, Concept)] = &[
    (
        "highest first|longest first|oldest first|most expensive first|heaviest first|largest \
         first|biggest first|descending|desc|in descending order|sorted descending|from \
         highest to lowest|from largest to smallest|from high to low|sort it from highest to \
         lowest|from most to least|most to least|from best to worst|from longest to shortest|\
         from biggest to smallest|from greatest to least|largest to smallest|highest to lowest|\
         biggest first|в убывающем порядке|по убывающей|от лучших к худшим|от высоких к низким|\
         по убыванию|от большего к меньшему|от большей к меньшей|от больших к меньшим|в \
         порядке убывания|отсортируй по убыванию|most first|top first|сначала большие|сначала \
         больше|сначала самые большие|начиная с самых больших|[highest/largest/biggest/\
         greatest/longest/heaviest/deepest/tallest] [first/at the top/on top/at top/ones first/\
         to lowest/to smallest/to least]|[starting with the/starting from the/from the] \
         [highest/largest/biggest/greatest/longest/heaviest/deepest/tallest]|best paid first|\
         richest first|from the top down|from more to less|[from] [expensive to cheap/most \
         expensive to cheapest/most to fewest/most to fewest rows/many to few]|most to fewest|\
         [большие/высокие/дорогие/крупные/самые большие/самые высокие/самые дорогие/самые \
         крупные/наибольшие] [сверху/вверху/наверху/первыми/в начале/вначале]|[сначала/сперва] \
         [дорогие/высокие/крупные/длинные/наибольшие/самые дорогие/самые высокие/самые крупные/\
         самые длинные/самая большая/самый большой/самое большое]|[начиная с самой] [высокой/\
         дорогой/крупной]|[начиная с самого] [высокого/дорогого/крупного/длинного]|[начиная с \
         самых] [высоких/дорогих/длинных]|[начиная с] [наибольшего/наибольшей/наибольших/\
         максимальной]|[от] [больших к маленьким/самых больших к самым маленьким/самого \
         большого к самому маленькому/самых дорогих к самым дешевым/крупных к мелким/самых \
         крупных к самым мелким/длинных к коротким/высокого к низкому/лучшего к худшему/лучшей \
         к худшей]|[отсортированные/упорядочи/упорядочить] [по убыванию]|убывание",
        C::Sorted(true),
    ),
    (
        "lowest first|shortest first|youngest first|cheapest first|lightest first|smallest \
         first|ascending|asc|in ascending order|sorted ascending|from lowest to highest|from \
         smallest to largest|from low to high|from least to most|least to most|from worst to \
         best|from shortest to longest|smallest to largest|lowest to highest|в возрастающем \
         порядке|по возрастающей|от низких к высоким|по возрастанию|от меньшего к большему|от \
         меньшей к большей|в порядке возрастания|отсортируй по возрастанию|least first|сначала \
         маленькие|сначала меньшие|начиная с самых маленьких|[lowest/smallest/shortest/least/\
         cheapest/lightest/shallowest] [first/at the top/on top/at top/ones first]|[starting \
         with the/starting from the/from the] [lowest/smallest/shortest/least/cheapest/\
         lightest/shallowest]|from the bottom up|from less to more|[from] [cheap to expensive/\
         cheapest to most expensive/fewest to most/few to many]|fewest to most|[маленькие/\
         низкие/дешевые/самые маленькие/самые низкие/самые дешевые/наименьшие] [сверху/вверху/\
         наверху/первыми/в начале/вначале]|[сначала/сперва] [дешевые/низкие/короткие/\
         наименьшие/самые дешевые/самые маленькие/самые низкие/самые короткие/самая маленькая/\
         самый маленький]|[начиная с самой] [низкой/дешевой]|[начиная с самого] [низкого/\
         дешевого]|[начиная с самых] [низких/дешевых/коротких/мелких]|[начиная с] [маленьких/\
         наименьшего/наименьшей/наименьших/минимальной]|[от] [маленьких к большим/самых \
         маленьких к самым большим/самого маленького к самому большому/самых дешевых к самым \
         дорогим/мелких к крупным/коротких к длинным/низкого к высокому/худшего к лучшему]|\
         [отсортировано/отсортированные/упорядочи/упорядочить] [по возрастанию]",
        C::Sorted(false),
    ),
    (
        "newest first|latest first|the latest first|the newest first|most recent first|from \
         newest to oldest|newest to oldest|from latest to earliest|in reverse chronological \
         order|сначала новые|сначала самые новые|сначала свежие|сначала последние|сначала \
         недавние|от новых к старым|от последних к первым|новые сверху|recent first|recent \
         ones first|new ones first|[newest/latest/most recent] [on top/at the top]|[starting \
         with the/starting from the] [newest/latest/most recent]|from the newest|latest to \
         earliest|most recent to oldest|new to old|from new to old|reverse chronological order|\
         reverse chronologically|[by date] [descending/desc/in descending order]|sorted by date descending|[новые/свежие/последние/недавние/поздние/самые новые/\
         самые свежие/самые последние] [сверху/вверху/наверху/первыми/в начале/вначале]|\
         [сначала/сперва] [новые/свежие/последние/недавние/поздние/самые новые/самые свежие/\
         самые последние]|[начиная с] [новых/свежих/последних/недавних/поздних/последней/\
         последнего/самых новых/самых свежих/самых последних]|[от] [самых новых к самым старым/\
         свежих к старым/поздних к ранним]|в обратном хронологическом порядке|по дате по \
         убыванию|по убыванию даты",
        C::TimeOrder(true),
    ),
    (
        "earliest first|the earliest first|from oldest to newest|oldest to newest|from \
         earliest to latest|in chronological order|chronologically|сначала старые|сначала \
         ранние|от старых к новым|в хронологическом порядке|по хронологии|earliest to latest|\
         old to new|from old to new|chronological order|earliest on top|[by date] [ascending/\
         asc]|[sorted/ordered] [chronologically]|[starting with the/starting from the] \
         [earliest]|in order of date|in date order|date order|[сначала/сперва] [старые/ранние/\
         первые/самые старые/самые ранние]|[старые/ранние/первые/самые старые/самые ранние] \
         [сверху]|[начиная с] [ранних/первых/самых старых/самых ранних]|[от] [самых старых к \
         самым новым/ранних к поздним/первых к последним]|хронологически|в порядке хронологии|\
         по дате по возрастанию|по возрастанию даты",
        C::TimeOrder(false),
    ),
    (
        "best first|the best first|сначала лучшие|начиная с лучших|лучшие сначала|[лучшие] \
         [сверху/вверху/наверху/первыми/в начале/вначале]|[сначала/сперва] [самые лучшие]|\
         [начиная с] [лучшего/лучшей/самых лучших]",
        C::BestFirst(true),
    ),
    (
        "worst first|the worst first|сначала худшие|начиная с худших|худшие сначала|[худшие] \
         [сверху/вверху/наверху/первыми/в начале/вначале]|[начиная с] [худшего/худшей]",
        C::BestFirst(false),
    ),
    (
        "in alphabetical order|alphabetically|alphabetical order|in alphabetic order|\
         alphabetical|in abc order|a to z|a - z|from a to z|sorted alphabetically|в алфавитном \
         порядке|по алфавиту|в порядке алфавита|отсортируй по алфавиту|от а до я|по азбуке",
        C::Alphabet,
    ),
    (
        "ranked by|sorted by|ordered by|sort by|order by|sort them by|sort it by|order them by|\
         rank by|отсортируй* по|отсортирова* по|упорядоч* по|сортировк* по|сортируй по|\
         ранжируй по|отсортировав по|sort according to|sorted in order of|[sort these/order \
         these/sort results/sort the results/sort the list/with sorting/rank it] [by]|sort by \
         the|в порядке|[упорядочив/упорядочить/расположи/расположить/ранжировать/ранжируйте/\
         сортировать/отсортировать/отсортировано/отсортируй их/с сортировкой/выстрой/\
         рассортируй] [по]",
        C::SortBy,
    ),
    ("first|1st|первый|первое|первая|первого|первой|первом|первую", C::Ordinal(1)),
    (
        "second|2nd|второй|второе|вторая|второго|втором|вторую|втором месте|второе место|\
         второго места|second place|in second place|second in line|вторым",
        C::Ordinal(2),
    ),
    (
        "third|3rd|третий|третье|третья|третьего|третьей|третьем|третью|третьем месте|третье \
         место|третьего места|third place|in third place|третьим",
        C::Ordinal(3),
    ),
    (
        "fourth|4th|четвертый|четвертое|четвертая|четвертого|четвертой|четвертом|четвертом \
         месте|четвертое место|fourth place|in fourth place|четвертым",
        C::Ordinal(4),
    ),
    (
        "fifth|5th|пятый|пятое|пятая|пятого|пятой|пятом|пятом месте|пятое место|fifth place|in \
         fifth place|пятым",
        C::Ordinal(5),
    ),
];
