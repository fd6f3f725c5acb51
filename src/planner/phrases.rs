//! The phrases of both languages and what they stand for.

mod english;
mod orders;

use super::sketch::Recent;
use super::token::Unit;
use super::words::{Agg, Cmp, Concept, Derived, Hours, Indicator, Part, Pattern, Quality};
use crate::query::ast::Arith;
use Concept as C;

pub(super) use english::ENGLISH;
pub(super) use orders::ORDERS;

/// Phrases and what they stand for. A phrase may stand in several lines.
pub(super) const PHRASES: &[(&str, Concept)] = &[
    // aggregates
    (
        "average|averages|averaged|avg|mean|means|on average|средн*|в среднем|авг|typical|typically|типичн*|avg.|mean value|average value|усредненн*|usually|normally|обычно|как правило",
        C::Agg(Agg::Mean),
    ),
    (
        "total|totals|sum|sums|overall|combined|altogether|in total|сумма|сумму|суммы|сумме|суммой|сумм|суммарн*|всего|итог|итого|сколько всего|общая|общий|общее|общую|общей|общего|общие|в сумме|summed|summed up|add up|совокупн*|суммируй|how much money|сколько денег|общим|общими|общих|общему",
        C::Agg(Agg::Sum),
    ),
    ("max|maximum|maximal|peak|record|макс|максимум*|максимальн*", C::Agg(Agg::Max)),
    ("min|minimum|minimal|мин|минимум*|минимальн*", C::Agg(Agg::Min)),
    ("median|medians|медиан*", C::Agg(Agg::Median)),
    (
        "standard deviation|std|stdev|stddev|std dev|стандартное отклонение|стандартного отклонения|среднеквадратичное отклонение|среднеквадратическое отклонение|ско|стандартн* отклонени*|среднеквадратичн* отклонени*|spread|spread of|spread in|how spread out|standard dev|std. deviation|deviation|разброс*|насколько разбросан*|sd",
        C::Agg(Agg::Std),
    ),
    ("variance|дисперси*", C::Agg(Agg::Var)),
    ("first|earliest|перв*", C::Agg(Agg::First)),
    ("last|latest|most recent|последн*", C::Agg(Agg::Last)),
    (
        "percentage of|сколько процентов|какую часть|какой частью|how many percent|how many percent of|what is the share of|what's the share of|percent of|share of|proportion of|fraction of|what percentage of|what percent of|what share of|in what share of|what fraction of|what part of|part of|share|what share|what percentage|what percent|доля|долю|доли|процент|какой процент|какая доля|какую долю|какая часть|в какой доле|what %|what % of|% of|какой %|в скольких процентах|у скольких процентов|what proportion of|what portion of|portion of|доле|долей|percentage|процентная доля|удельный вес",
        C::Agg(Agg::Pct),
    ),
    (
        "correlation|correlations|correlation between|correlation of|correlated|correlate|correlates|correlate with|коррелир*|корреляци*|связан*|как связаны|связаны ли|related|related to|relate to|is related to|relationship between|relation between|link between|connection between|depends on|depend on|связь между|связь|взаимосвязь|взаимосвязь между|зависимость между|зависит ли|зависит от|зависят от|corr|affect|affects|influence|influences|impact|impacts|влияет|влияет ли|влияют|как влияет|как влияют",
        C::Agg(Agg::Correlation),
    ),
    (
        "how many|number of|headcount of|amount of rows|count|counts|count of|the number of|quantity of|how often|как часто|сколько|количество|количества|количеству|количеством|число|числа|числу|числом|кол - во|скок|скока|сколько всего|сколько было|скольких|distribution of|breakdown of|распределение|frequency of|total number of|counting|численность",
        C::Count,
    ),
    (
        "different|distinct|unique|kinds of|sorts of|different kinds of|different types of|видов|сортов|разных|разные|различн*|уникальн*",
        C::Distinct,
    ),
    ("how much|how much is|how much was|во сколько|на сколько|насколько|сколько", C::Agg(Agg::Sum)),
    // grouping
    (
        "by|grouped by|broken down by|split by|group by|по|в разбивке по|с разбивкой по|сгруппировать по|сгруппируй по|split that by|split it by|broken out by|break down by|break it down by|break that down by|breakdown by|group it by|group that by|depending on|отдельно по|с группировкой по|разбей по|раздели по|разложи по|в зависимости от|в разбивке на",
        C::By,
    ),
    (
        "per|each|for each|in each|for every|every|on each|across|каждый|каждая|каждое|каждого|каждой|каждому|каждую|каждым|за каждый|за каждую|на каждый|на каждую|в разные|в разных|for different|across different|in different|для каждого|для каждой|в каждом|в каждой|по каждому|по каждой|по каждым|в разрезе|на каждом|на каждой|у каждого|у каждой|из каждого|из каждой|с каждого|с каждой|в каждый|в каждую|за каждое|каждом|from each|from every|at each|at every|in every|on every|of every|separately for each|отдельно для каждого|отдельно для каждой|отдельно за каждый|отдельно за каждую|отдельно на каждый|on different|at different|разным|по разным|на разных|у разных",
        C::Each,
    ),
    ("year|years|год|годом|года|году|годам|годах|годы|лет", C::Part(Part::Year)),
    (
        "quarter|quarters|квартал|кварталу|кварталом|квартала|квартале|кварталам|кварталы|кварталах",
        C::Part(Part::Quarter),
    ),
    (
        "month|months|month of the year|месяц|месяцу|месяцем|месяца|месяце|месяцам|месяцы|месяцев|месяцах",
        C::Part(Part::Month),
    ),
    (
        "day|days|date|dates|trading day|trading days|день|дня|дню|дней|дни|дням|сутки|суток|торговый день|торговых дней|торговые дни|торговым дням|торговых дня",
        C::Part(Part::Day),
    ),
    (
        "weekday|weekdays|day of week|day of the week|days of the week|days of week|dow|день недели|дня недели|дню недели|дни недели|дней недели|дням недели|днях недели",
        C::Part(Part::Weekday),
    ),
    (
        "hour|hours|hour of day|hour of the day|time of day|час|часа|часу|часам|часы|часов|часах|час дня|часам дня|часа дня|часов дня|час суток|часам суток|часы суток|часа суток|time of the day|время суток|времени суток",
        C::Part(Part::Hour),
    ),
    ("week|weeks|неделя|недели|неделе|неделям|недель|неделях|неделю", C::Part(Part::Week)),
    (
        "monthly|month by month|помесячно|помесячн*|ежемесячн*|месячн*|среднемесячн*",
        C::Every(Part::Month),
    ),
    ("weekly|еженедельн*|недельн*|понедельно", C::Every(Part::Week)),
    ("hourly|почасов*|по часам|ежечасн*|часов*", C::Every(Part::Hour)),
    (
        "yearly|annual|annually|year by year|погодов*|ежегодн*|годов*|среднегодов*",
        C::Every(Part::Year),
    ),
    ("quarterly|поквартально|поквартальн*|ежеквартальн*|квартальн*", C::Every(Part::Quarter)),
    ("daily|дневн*|ежедневн*|суточн*|среднедневн*", C::Every(Part::Day)),
    ("a day|per day|each day|every day|в день|в сутки", C::PerPart(Part::Day)),
    ("a week|per week|each week|в неделю", C::PerPart(Part::Week)),
    ("a month|per month|each month|в месяц", C::PerPart(Part::Month)),
    ("a year|per year|each year|в год", C::PerPart(Part::Year)),
    // bars
    ("minute|minutes|min|минут*|мин", C::Minutes),
    ("5min|m5|пятиминутн*", C::Length(300)),
    ("15min|m15|пятнадцатиминутн*", C::Length(900)),
    ("30min|m30|тридцатиминутн*|получасов*", C::Length(1800)),
    ("1h", C::Length(3600)),
    ("2h", C::Length(7200)),
    ("4h|четырехчасов*", C::Length(14400)),
    (
        "regular hours|regular trading hours|regular session|regular trading session|main session|cash session|основн* сесси*|регулярн* сесси*",
        C::Hours(Hours::Regular),
    ),
    ("overnight|overnight session|night session|ночн* сесси*|ночью", C::Hours(Hours::Overnight)),
    ("asian session|asian hours|asia session|азиатск* сесси*", C::Hours(Hours::Asian)),
    ("european session|european hours|европейск* сесси*", C::Hours(Hours::European)),
    ("morning session|утренн* сесси*", C::Hours(Hours::Morning)),
    ("afternoon session|дневн* сесси*", C::Hours(Hours::Afternoon)),
    ("session|sessions|сессия|сессию|сессии|сессиям", C::SessionWord),
    (
        "inside day|inside days|inside bar|inside bars|inside candles|внутренн* дн*|внутренн* день|внутренн* бар*|внутренн* свеч*",
        C::Pattern(Pattern::Inside),
    ),
    (
        "outside day|outside days|outside bar|outside bars|внешн* дн*|внешн* день|внешн* бар*|внешн* свеч*",
        C::Pattern(Pattern::Outside),
    ),
    ("doji|dojis|doji days|доджи", C::Pattern(Pattern::Doji)),
    ("rsi", C::Indicator(Indicator::Rsi)),
    ("atr|average true range|средн* истинн* диапазон*", C::Indicator(Indicator::Atr)),
    ("true range|истинн* диапазон*", C::Indicator(Indicator::TrueRange)),
    ("adx", C::Indicator(Indicator::Adx)),
    ("cci", C::Indicator(Indicator::Cci)),
    ("mfi|money flow index", C::Indicator(Indicator::Mfi)),
    ("macd", C::Indicator(Indicator::MacdLine)),
    ("williams r|williams %r", C::Indicator(Indicator::WilliamsR)),
    ("sma|moving average|simple moving average|скользящ* средн*", C::Indicator(Indicator::Sma)),
    ("ema|exponential moving average|экспоненциальн* средн*", C::Indicator(Indicator::Ema)),
    (
        "in a row|in row|consecutive|consecutively|straight|подряд|кряду|running|on the trot|back to back|successive",
        C::InARow,
    ),
    ("streak|streaks|run|series|sequence|серия|серию|серии|серий|полоса|полосу|цепочка", C::Streak),
    (
        "longest|the longest|самая длинная|самую длинную|самой длинной|наибольшая|сколько максимум|максимум|maximum|max",
        C::Longest,
    ),
    // arithmetic
    (
        "times|multiplied by|*|×|умножить на|умноженн* на|умножен* на|умноженн* , на",
        C::Math(Arith::Mul),
    ),
    ("minus|less|-|–|−|минус|за вычетом", C::Math(Arith::Sub)),
    ("plus|+|плюс|вместе с", C::Math(Arith::Add)),
    ("divided by|/|деленн* на|разделить на|разделенн* на", C::Math(Arith::Div)),
    (
        "contains|contain|containing|that contains|whose name contains|name contains|with a name containing|includes the text|includes|include|has the word|with the word|mentions|mentioning|has in the name|name includes|name has|есть слово|встречается|включает|упоминает*|в имени есть|в имени содержится|имя содержит|в названии есть|в названии содержится|содержит|содержат|содержащ*|содержится|в названии которых есть|в названии которого есть|название содержит|названия содержат|containing the word|contains the word|that contain the word|that contains the word|having the word|mentioning the word|with the text|with a word|с текстом|содержащие слово|содержит слово|содержащий слово|содержат слово",
        C::Contains,
    ),
    // order and comparison of groups
    (
        "as change|as a change|the change|change|changes|changed|its change|the change|how it changed|growth|difference|differs|differ|отличается|отличаются|отличалась|отличался|изменение|изменения|изменилась|изменился|изменилось|изменились|менялась|менялся|менялось|менялись|насколько изменилась|насколько она изменилась|как изменилась|как менялась|прирост",
        C::Difference(false),
    ),
    (
        "percent change|percentage change|% change|change in percent|percent growth|на сколько процентов менялась|на сколько процентов изменилась|на сколько процентов менялось|на сколько процентов изменилось|изменение в процентах|процентное изменение",
        C::Difference(true),
    ),
    (
        "against the previous|against previous|from the previous|from previous|vs the previous|vs previous|versus the previous|compared to the previous|compared with the previous|to the previous|to previous|over the previous|on the previous|than the previous|к предыдущему|к предыдущей|по сравнению с предыдущим|по сравнению с предыдущей|относительно предыдущего|to the last|vs last|vs the last|from the last|compared to last|compared with last|against last|от предыдущего|от предыдущей|к прошлому|к прошлой|по сравнению с прошлым",
        C::Previous,
    ),
    (
        "to the month before|than the month before|compared to the month before|compared with the month before|over the month before|month over month|month to month|month on month|from month to month|month by month change|mom|against the month before|to the month before|from the month before|vs the month before|от месяца к месяцу|месяц к месяцу",
        C::Over(Part::Month),
    ),
    (
        "year over year|year to year|year on year|from year to year|yoy|against the year before|от года к году|год к году|to the year before|from the year before|vs the year before|than the year before|over the year before|compared to the year before|compared with the year before",
        C::Over(Part::Year),
    ),
    (
        "quarter over quarter|quarter to quarter|quarter on quarter|from quarter to quarter|qoq|от квартала к кварталу|квартал к кварталу",
        C::Over(Part::Quarter),
    ),
    ("week over week|week to week|from week to week|wow|от недели к неделе", C::Over(Part::Week)),
    ("day over day|day to day|from day to day|от дня к дню|день ко дню", C::Over(Part::Day)),
    // sets of days and ends of the data
    (
        "weekend|weekends|at weekends|on weekends|on a weekend|weekend days|выходные|выходным|выходных|выходной день|выходным дням|выходной|выходного дня",
        C::Weekend(true),
    ),
    (
        "on weekdays|during weekdays|working days|workdays|business days|a working day|будни|будний день|буднего дня|будням|будние дни|будним дням|рабочие дни|рабочим дням",
        C::Weekend(false),
    ),
    (
        "first half|first half of|h1|первое полугодие|первого полугодия|первом полугодии|первой половине|первую половину",
        C::Half(1),
    ),
    (
        "second half|second half of|h2|второе полугодие|второго полугодия|втором полугодии|второй половине|вторую половину",
        C::Half(2),
    ),
    (
        "last month|the last month|past month|прошлый месяц|прошлом месяце|прошлого месяца|последний месяц|последнего месяца|последнем месяце",
        C::Recent(Recent::Month),
    ),
    (
        "last week|the last week|past week|прошлую неделю|прошлой неделе|прошлой недели|последнюю неделю|последней недели|последней неделе|последняя неделя",
        C::Recent(Recent::Week),
    ),
    (
        "last year|the last year|past year|прошлый год|прошлом году|прошлого года|последний год|последнего года|последнем году",
        C::Recent(Recent::Year),
    ),
    ("last|past|the last|the past|latest|последние|последних|последний", C::LastFew),
    ("o'clock|o’clock|oclock|часов|часа|час|ч", C::OClock),
    // comparison
    (
        ">|above|over|more than|greater than|larger than|bigger than|higher than|exceeds|exceed|exceeding|exceeded|more|greater|higher|beyond|выше|больше|более|свыше|превыша*|превыси*|больше чем|более чем|выше чем|дороже|старше|older than|longer than|older|longer|later than|дольше|длиннее|bigger|сильнее|сильнее чем|steeper than|stronger than|harder than|in excess of|upwards of|дороже чем|старше чем|дольше чем|длиннее чем|taller than|heavier than|farther than|further than|hotter than|warmer than|more expensive than|costlier than|dearer than|slower than|slower|медленнее|медленнее чем|тяжелее|тяжелее чем|дальше|дальше чем|теплее|теплее чем|жарче|deeper|deeper than|глубже",
        C::Cmp(Cmp::Gt),
    ),
    (
        "<|below|under|less than|lower than|smaller than|fewer than|less|lower|fewer|beneath|ниже|меньше|менее|меньше чем|менее чем|ниже чем|дешевле|младше|younger than|shorter than|cheaper than|younger|shorter|cheaper|короче|быстрее|быстрее чем|under|дешевле чем|младше чем|моложе|моложе чем|короче чем|легче|легче чем|холоднее|холоднее чем|faster than|faster|quicker than|lighter than|colder than|cooler than|less expensive than|nearer than|shallower|shallower than",
        C::Cmp(Cmp::Lt),
    ),
    (
        ">=|=>|≥|at least|no shorter than|no younger than|no cheaper than|no lower than|not below|not under|at minimum|a minimum of|не дешевле|не младше|не моложе|не короче|не легче|не раньше|начиная от|greater than or equal to|more than or equal to|больше или равно|больше или равен|от|from|no less than|not less than|minimum of|не менее|не меньше|не ниже|как минимум|по меньшей мере|минимум",
        C::Cmp(Cmp::Ge),
    ),
    (
        "<=|=<|≤|at most|no longer than|no older than|no higher than|no later than|not longer than|not exceeding|not above|not over|no greater than|no heavier than|max of|не дороже|не старше|не дольше|не длиннее|не тяжелее|не позднее|не позже|самое большее|less than or equal to|меньше или равно|меньше или равен|до|no more than|not more than|up to|maximum of|не более|не больше|не выше|не превыша*|максимум|no deeper than|not deeper than|не глубже",
        C::Cmp(Cmp::Le),
    ),
    (
        "=|==|equals|equal to|equal|exactly|is exactly|равен|равно|равна|равны|равняется|ровно",
        C::Cmp(Cmp::Eq),
    ),
    ("!=|≠|<>|not equal to|not equal|не равен|не равно|не равна|не равны", C::Cmp(Cmp::Ne)),
    ("after the end of|after|later than|после|позже", C::TimeCmp(Cmp::Gt)),
    ("before|earlier than|prior to|до|раньше|ранее", C::TimeCmp(Cmp::Lt)),
    (
        "since the start of|since the beginning of|from the start of|from the beginning of|с начала|since|starting from|starting with|beginning in|beginning with|starting in|from|начиная с|с|со",
        C::TimeCmp(Cmp::Ge),
    ),
    (
        "until the end of|up to the end of|through the end of|до конца|по конец|until|till|through|up to and including|по",
        C::TimeCmp(Cmp::Le),
    ),
    ("between|ranging from|между|в диапазоне от|в диапазоне|в пределах", C::Between),
    ("from|от|с", C::From),
    ("to|and|through|до|по|и|..|-|–|—", C::To),
    ("and|as well as|but|&|но|и|а также|,", C::And),
    ("or|nor|или|либо|ни|, ни", C::Or),
    (
        "not|yet to be|yet to|have yet to be|has yet to be|neither|ни|except|except for|excluding|excluding those|exclude|leave out|remove|drop|ignoring|ignore|not counting|not including|besides|but not|all but|everything but|anything but|никак не|исключи|исключив|убери|убрав|не считая|не учитывая|помимо|не включая|за вычетом|without|other than|isn't|aren't|isnt|apart from|no|outside|outside of|not in|not from|not on|не|кроме|без|исключая|за исключением|вне|не в|не из|не по|не на|не -|w / o|w/o",
        C::Not,
    ),
    (
        "or more|and more|or higher|or above|or greater|and above|and up|or over|plus|+|и более|и больше|или более|или больше|и выше|или выше|or later|or older|or longer|and later|and older|and over|or after|и позже|или позже|и старше|или старше|и дольше|или дольше",
        C::OrMore,
    ),
    (
        "or less|or fewer|or lower|or below|and below|or under|и менее|и меньше|или менее|или меньше|и ниже|или ниже|or earlier|or younger|or shorter|or before|and under|and younger|и моложе|или моложе|и раньше|или раньше|и короче|или короче",
        C::OrLess,
    ),
    // order
    ("top|топ", C::Top(true)),
    ("bottom", C::Top(false)),
    (
        "highest|largest|biggest|greatest|самый больш*|самый высок*|самый крупн*|по величине|наибольш*|самый большой|самая большая|самое большое|самые большие|самым большим|самой большой|самую большую|самый высокий|самая высокая|самое высокое|самые высокие|самым высоким|самой высокой|самую высокую|самых больших|самых высоких|самых крупных|самых дорогих|наибольшем|наибольшими|widest|longest|busiest|greatest|крупнейш*|самый крупный|самая крупная|самые крупные|самую крупную|самая дорогая|самый дорогой|самые дорогие|высш*",
        C::Most(true),
    ),
    (
        "lowest|smallest|narrowest|shortest|самый маленьк*|самый низк*|самый небольш*|самый мал*|самых маленьких|самых низких|самых дешевых|самую низкую|наименьш*|самый маленький|самая маленькая|самое маленькое|самые маленькие|самую маленькую|самый низкий|самая низкая|самое низкое|самые низкие|самым низким|самой низкой|самая дешевая|самый дешевый|самые дешевые",
        C::Most(false),
    ),
    (
        "most|the most|most often|больше прочих|больше остальных|чаще других|чаще прочих|чаще остальных|most frequently|leads|leads by|чаще всего|лидирует|больше всего|наибольшее число|наибольшее количество|больше всех|with the most|наибольшим числом|наибольшим количеством|наиболее",
        C::MostMany(true),
    ),
    (
        "busiest|the busiest|самый читаем*|самый продаваем*|самый посещаем*|самый покупаем*|самый востребованн*|самый заказываем*|самый ходов*|самый используем*|самый загруженн*|самый популярн*|самый част*|самый распространенн*|most used|most frequently used|used the most|used most|most busy|самый загруженный|самая загруженная|самые загруженные|самое загруженное|самых загруженных|most popular|the most popular|most common|the most common|most frequent|самый популярный|самая популярная|самое популярное|самые популярные|самый частый|самая частая|самые частые|самых популярных|самых частых|самыми популярными|most prolific|the most prolific|самый плодовит*",
        C::Popular(true),
    ),
    (
        "quietest|the quietest|самый редк*|самый непопулярн*|least used|least frequent|used the least|used least|least busy|least popular|the least popular|least common|rarest|самый редкий|самая редкая|самые редкие|самый непопулярный|самая непопулярная|самые непопулярные|самых непопулярных|самых редких",
        C::Popular(false),
    ),
    (
        "least|fewest|the fewest|least often|реже всего|меньше всех|the least|with the fewest|with the least|наименьшим числом|меньше всего|наименьшее число|наименьшее количество|наименее",
        C::MostMany(false),
    ),
    (
        "which|what|какой|какая|какое|какие|каком|какую|каких|в какой|в каком|в какие|у какого|у какой|на какой|на каком|на какую|на какие|с какой|с какого|из какого|из какой|по какой|по какому|к какой|какому|кто|в какое|с каким|с какими|за какое|какого|которая из|который из|which of the|which one of the|which among the",
        C::Which,
    ),
    (
        "when|at what moment|at which moment|at what time|on what day|on which day|date of|the date of|on what date|когда|в какой день|дата|какого числа",
        C::When,
    ),
    (
        "who|кто|что|те кто|тех кто|those who|everyone|everybody|rows|row|records|record|entries|entry|observations|lines|строк|строки|строка|строку|строкам|запис*|наблюдени*|тикет*|обращени*|заявк*",
        C::Rows,
    ),
    (
        "bars|bar|candles|candle|candlesticks|свечей|свечи|свеча|свечам|бар|бары|баров|барам",
        C::Bars,
    ),
    ("times|occasions|раз|раза|случаев|случаи", C::Times),
    // bars
    (
        "gap|gaps|gapped|gapping|гэп*|геп*|гап|гапа|гапы|гапов|гапу|разрыв*",
        C::Derived(Derived::Gap),
    ),
    ("change|changes|move|moves|изменени*|движени*", C::Derived(Derived::Change)),
    ("return|returns|доходност*", C::Derived(Derived::Return)),
    ("range|ranges|диапазон*|размах*", C::Derived(Derived::Range)),
    ("gap_pct", C::DerivedPercent(Derived::Gap)),
    ("change_pct", C::DerivedPercent(Derived::Change)),
    ("range_pct", C::DerivedPercent(Derived::Range)),
    ("body|bodies|candle body|тело|тела|тело свечи|тела свечи|тел", C::Derived(Derived::Body)),
    (
        "rise|rises|rose|risen|rising|gain|gained|gains|grow|grew|grown|climb|climbed|increase|increased|rally|rallied|go up|goes up|went up|jump|jumped|вырос*|выраст*|рос|росл*|расте*|поднял*|подним*|подорожал*|увеличи*|рост|роста|ростом|росте|прибавил*|winning|increased by|увеличил*|прибавля*",
        C::Move(true),
    ),
    (
        "fall|falls|fell|fallen|falling|drop|dropped|drops|decline|declined|lose|lost|decrease|decreased|plunge|plunged|go down|goes down|went down|sink|sank|упал*|падал*|падае*|падени*|снизил*|снижал*|просел*|проседал*|потерял*|терял*|подешевел*|уменьши*|опустил*|losing|loss|losses|рухнул*",
        C::Move(false),
    ),
    ("up|higher|вверх|наверх|в плюс|в плюсе|в зеленой зоне", C::Direction(true)),
    ("down|вниз|в минус|в минусе|в красной зоне", C::Direction(false)),
    ("green|bullish|зелен*|растущ*|бычь*", C::Colour(true)),
    ("red|bearish|красн*|падающ*|медвеж*", C::Colour(false)),
    ("price|prices|цена|цены|цену|цене|ценой|цен|ценам", C::Price),
    (
        "market|markets|index|instrument|the market|stock|рынок|рынка|рынке|рынку|индекс|индекса|индексу|инструмент|инструмента|котировк*",
        C::Market,
    ),
    // adjectives by which a column is found
    (
        "longest|the longest|дольше всего|дольше всех|длиннее всего|самый длинн*|самый долг*|самый продолжительн*|самый длительн*|самый длинный|самая длинная|самые длинные|самых длинных|самый долгий|самая долгая|самые долгие|самых долгих|самое долгое|самую долгую|самую длинную|самая продолжительная|самый продолжительный|самые продолжительные|самых продолжительных|самую продолжительную",
        C::Superlative(Quality::Length, true),
    ),
    (
        "shortest|the shortest|короче всего|самый коротк*|самый короткий|самая короткая|самые короткие|самых коротких|самую короткую|самое короткое",
        C::Superlative(Quality::Length, false),
    ),
    (
        "most expensive|the most expensive|дороже всего|дороже всех|самый дорог*|priciest|costliest|dearest|самый дорогой|самая дорогая|самые дорогие|самых дорогих|самую дорогую|самое дорогое",
        C::Superlative(Quality::Price, true),
    ),
    (
        "cheapest|the cheapest|дешевле всего|дешевле всех|самый дешев*|least expensive|самый дешевый|самая дешевая|самые дешевые|самых дешевых|самую дешевую|самое дешевое",
        C::Superlative(Quality::Price, false),
    ),
    (
        "oldest|the oldest|eldest|старше всех|самый стар*|самый возрастн*|самый пожил*|самый старый|самая старая|самые старые|самых старых|самый старший|самая старшая|самый возрастной|самая возрастная|самый пожилой|самые пожилые|самого старшего",
        C::Superlative(Quality::Age, true),
    ),
    (
        "youngest|the youngest|моложе всех|младше всех|самый молод*|самый младш*|самый юн*|самый молодой|самая молодая|самые молодые|самых молодых|самый младший|самая младшая|самый юный|самого молодого",
        C::Superlative(Quality::Age, false),
    ),
    (
        "fastest|the fastest|quickest|быстрее всего|быстрее всех|самый быстр*|the quickest|самый быстрый|самая быстрая|самые быстрые|самых быстрых|самую быструю|самое быстрое",
        C::Superlative(Quality::Speed, true),
    ),
    (
        "slowest|the slowest|медленнее всего|медленнее всех|самый медленн*|самый медленный|самая медленная|самые медленные|самых медленных|самую медленную|самое медленное",
        C::Superlative(Quality::Speed, false),
    ),
    (
        "heaviest|the heaviest|тяжелее всего|тяжелее всех|самый тяжел*|самый тяжелый|самая тяжелая|самые тяжелые|самых тяжелых|самую тяжелую",
        C::Superlative(Quality::Weight, true),
    ),
    (
        "lightest|the lightest|легче всего|самый легк*|самый легкий|самая легкая|самые легкие|самых легких|самую легкую",
        C::Superlative(Quality::Weight, false),
    ),
    (
        "farthest|furthest|дальше всего|дальше всех|самый дальн*|самый далек*|the farthest|the furthest|самый дальний|самая дальняя|самые дальние|самых дальних",
        C::Superlative(Quality::Distance, true),
    ),
    (
        "nearest|closest|the nearest|самый ближний|самые близкие",
        C::Superlative(Quality::Distance, false),
    ),
    (
        "hottest|warmest|the hottest|жарче всего|теплее всего|самый жарк*|самый тепл*|the warmest|самый жаркий|самый теплый|самая теплая|самые теплые|самые жаркие|самых жарких|самых теплых",
        C::Superlative(Quality::Warmth, true),
    ),
    (
        "coldest|coolest|the coldest|холоднее всего|самый холодн*|самый холодный|самая холодная|самые холодные|самых холодных",
        C::Superlative(Quality::Warmth, false),
    ),
    (
        "highest paid|best paid|top paid|best paying|highest paying|top paying|самый высокооплачиваем*|лучше всех оплачиваем*|самый оплачиваем*|самый денежн*",
        C::Superlative(Quality::Pay, true),
    ),
    (
        "lowest paid|worst paid|lowest paying|worst paying|самый низкооплачиваем*",
        C::Superlative(Quality::Pay, false),
    ),
    (
        "deepest|the deepest|самый глубок*|глубочайш*|глубже всего|глубже всех",
        C::Superlative(Quality::Depth, true),
    ),
    ("shallowest|the shallowest|самый мелководн*", C::Superlative(Quality::Depth, false)),
    ("deeper|deeper than|глубже", C::Comparative(Quality::Depth, true)),
    ("shallower|shallower than", C::Comparative(Quality::Depth, false)),
    ("how deep|насколько глубок*|как глубоко", C::How(Quality::Depth)),
    ("tallest|the tallest|самый высокий", C::Superlative(Quality::Height, true)),
    (
        "longer|longer than|no longer than|no shorter than|дольше|длиннее|не дольше|не длиннее|не короче",
        C::Comparative(Quality::Length, true),
    ),
    ("shorter|shorter than|короче", C::Comparative(Quality::Length, false)),
    (
        "more expensive|more expensive than|costlier|dearer|no cheaper than|дороже|не дороже|не дешевле",
        C::Comparative(Quality::Price, true),
    ),
    (
        "cheaper|cheaper than|less expensive|less expensive than|дешевле",
        C::Comparative(Quality::Price, false),
    ),
    (
        "older|older than|or older|no older than|no younger than|старше|не старше|не младше|не моложе",
        C::Comparative(Quality::Age, true),
    ),
    ("younger|younger than|младше|моложе", C::Comparative(Quality::Age, false)),
    ("faster|faster than|quicker|quicker than|быстрее", C::Comparative(Quality::Speed, true)),
    ("slower|slower than|медленнее", C::Comparative(Quality::Speed, false)),
    (
        "heavier|heavier than|no heavier than|тяжелее|не тяжелее|не легче",
        C::Comparative(Quality::Weight, true),
    ),
    ("lighter|lighter than|легче", C::Comparative(Quality::Weight, false)),
    ("farther|further|farther than|further than|дальше", C::Comparative(Quality::Distance, true)),
    ("hotter|warmer|hotter than|warmer than|теплее|жарче", C::Comparative(Quality::Warmth, true)),
    ("colder|cooler|colder than|cooler than|холоднее", C::Comparative(Quality::Warmth, false)),
    ("taller|taller than", C::Comparative(Quality::Height, true)),
    (
        "how long|сколько длится|сколько длятся|сколько длился|сколько длилась|сколько длились|сколько длилось|сколько по времени|how much time|как долго|сколько времени|насколько долго",
        C::How(Quality::Length),
    ),
    ("how far|как далеко", C::How(Quality::Distance)),
    ("how old|сколько лет", C::How(Quality::Age)),
    ("how expensive", C::How(Quality::Price)),
    ("how heavy", C::How(Quality::Weight)),
    ("how warm|how hot|how cold", C::How(Quality::Warmth)),
    ("how fast", C::How(Quality::Speed)),
    ("how tall", C::How(Quality::Height)),
    ("best|the best|лучш*|самый лучший|самая лучшая", C::Best(true)),
    ("worst|the worst|худш*", C::Best(false)),
    // places in an order, what is not there, what is set apart
    ("percentile|перцентил*|процентил*|квантил*", C::Percentile),
    ("lower quartile|first quartile|нижний квартиль|первый квартиль", C::Agg(Agg::Percentile(250))),
    (
        "upper quartile|third quartile|верхний квартиль|третий квартиль",
        C::Agg(Agg::Percentile(750)),
    ),
    (
        "missing|is missing|are missing|empty|is empty|null|is null|unknown|is unknown|not given|is not given|not set|blank|is blank|not filled in|не указан*|не заполнен*|пуст*|отсутству*|неизвест*|не задан*|не известн*|нет данных|незаданн*|without a value|no value|is not recorded|not known|is not known|nan|нет значени*|без значени*|не приведен*",
        C::Missing,
    ),
    ("spring|весн*|весенн*", C::Season(2)),
    ("summer|summers|лето|летом|лета|лету|летн*", C::Season(5)),
    ("autumn|fall|осен*", C::Season(8)),
    ("winter|winters|зима|зимой|зимы|зиму|зиме|зимн*", C::Season(11)),
    ("am|a . m|утра", C::HalfDay(false)),
    ("pm|p . m|вечера|дня", C::HalfDay(true)),
    (
        "latest|newest|most recent|last|the last|the latest|the most recent|последн*|самых последних|самые последние|самых свежих|самые свежие|самых новых|самые новые|свежих|новейш*",
        C::Ends(true),
    ),
    (
        "earliest|first|the first|the earliest|перв*|самых первых|самые первые|самых ранних|самые ранние",
        C::Ends(false),
    ),
    (
        "participants|participant|участник*|people|persons|person|employees|employee|staff|сотрудник*|человек|люди|людей|человека",
        C::People,
    ),
    (
        "show them|list them|show me them|show these|show me these|show those|list those|display them|which ones|покажи их|покажи эти|выведи их|покажи сами|какие именно|какие это|перечисли их|покажи список|дай список|show as rows|as rows|as a list|show as a list|show it as a list|list them all|show them all|see them|покажи строками|строками|списком|покажи списком|выведи списком|в виде списка|в виде строк|покажи сами строки|покажи все их|покажи их все|выведи их все|сами строки",
        C::Listing,
    ),
    (
        "the other way round|the other way around|other way round|other way around|vice versa|in reverse order|reverse order|in the opposite order|reverse it|reversed|the opposite|conversely|наоборот|и наоборот|в обратном порядке|обратный порядок|переверни",
        C::Reverse,
    ),
    (
        "will|tomorrow|next month|next year|next week|next quarter|forecast*|predict*|projection|прогноз*|спрогноз*|предскаж*|предсказ*|будет|будут|будем|завтра|следующ*|продад*|продаст|заработаем|потратим|получим|купим|вырастет|вырастут|упадет|упадут",
        C::Future,
    ),
    ("vs|vs .|versus|against|против|по сравнению с|compared to|compared with", C::Versus),
    (
        "по отдельности|separately for|separately|отдельно для|отдельно у|отдельно|порознь|compare|comparing|comparison of|a comparison of|compare the|сравни|сравните|сравнить|сравнение",
        C::Apart,
    ),
    ("most often|most frequently|чаще всего|чаще других|чаще прочих", C::Often(true)),
    ("least often|least frequently|реже всего", C::Often(false)),
    ("rate|rates", C::Rate),
    ("money|деньги|денег|деньгам|деньгами|деньгах", C::Money),
    // numbers
    (
        "%|percent|per cent|pct|percentage|percent terms|in percent terms|in percentage terms|percents|in percent|in per cent|in percentage terms|процент*|в процентах",
        C::Unit(Unit::Percent),
    ),
    ("points|point|pts|ticks|пункт*|п", C::Unit(Unit::Points)),
    (
        "dollars|dollar|usd|euros|euro|eur|rub|rubles|roubles|руб|рубл*|доллар*|евро|$|€|£|₽",
        C::Unit(Unit::Money),
    ),
    ("thousand|thousands|тыс|тысяч*", C::Scale(1e3)),
    ("million|millions|mln|mio|млн|миллион*", C::Scale(1e6)),
    ("billion|billions|млрд|миллиард*", C::Scale(1e9)),
    ("полтора|полутора", C::Number(1.5)),
    ("one|один|одна|одно|одну", C::Number(1.0)),
    ("two|два|две|двух", C::Number(2.0)),
    ("three|три|трех", C::Number(3.0)),
    ("four|четыре|четырех", C::Number(4.0)),
    ("five|пять|пяти", C::Number(5.0)),
    ("six|шесть|шести", C::Number(6.0)),
    ("seven|семь|семи", C::Number(7.0)),
    ("eight|восемь|восьми", C::Number(8.0)),
    ("nine|девять|девяти", C::Number(9.0)),
    ("ten|десять|десяти|десятка|десятку", C::Number(10.0)),
    ("twenty|двадцать|двадцати", C::Number(20.0)),
    ("eleven|одиннадцать|одиннадцати", C::Number(11.0)),
    ("twelve|dozen|двенадцать|двенадцати", C::Number(12.0)),
    ("fifteen|пятнадцать|пятнадцати", C::Number(15.0)),
    ("thirty|тридцать|тридцати", C::Number(30.0)),
    ("forty|сорок|сорока", C::Number(40.0)),
    ("fifty|пятьдесят|пятидесяти", C::Number(50.0)),
    ("hundred|a hundred|one hundred|сто|ста", C::Number(100.0)),
    ("zero|ноль|нуля|нулю", C::Number(0.0)),
    ("positive|положительн*", C::Direction(true)),
    ("negative|отрицательн*", C::Direction(false)),
    // names in time
    ("monday|mondays|mon|понедельник*", C::Weekday(0)),
    ("tuesday|tuesdays|tue|tues|вторник*", C::Weekday(1)),
    ("wednesday|wednesdays|wed|среда|среды|среде|среду|средам|средой|средах", C::Weekday(2)),
    ("thursday|thursdays|thu|thurs|четверг*", C::Weekday(3)),
    ("friday|fridays|fri|пятниц*", C::Weekday(4)),
    ("saturday|saturdays|sat|суббот*", C::Weekday(5)),
    ("sunday|sundays|sun|воскресен*", C::Weekday(6)),
    ("january|jan|январ*", C::Month(0)),
    ("february|feb|феврал*", C::Month(1)),
    ("march|mar|март|марта|марте|мартам|мартом", C::Month(2)),
    ("april|apr|апрел*", C::Month(3)),
    ("may|май|мая|мае|маю|маем", C::Month(4)),
    ("june|jun|июн*", C::Month(5)),
    ("july|jul|июл*", C::Month(6)),
    ("august|aug|август|августа|августе|августу|августом", C::Month(7)),
    ("september|sep|sept|сентябр*", C::Month(8)),
    ("october|oct|октябр*", C::Month(9)),
    ("november|nov|ноябр*", C::Month(10)),
    ("december|dec|декабр*", C::Month(11)),
    ("q1|first quarter|первый квартал|первого квартала|первом квартале", C::Quarter(1)),
    ("q2|second quarter|второй квартал|второго квартала|втором квартале", C::Quarter(2)),
    ("q3|third quarter|третий квартал|третьего квартала|третьем квартале", C::Quarter(3)),
    (
        "q4|fourth quarter|last quarter of|четвертый квартал|четвертого квартала|четвертом квартале",
        C::Quarter(4),
    ),
    // words without a meaning of their own
    (
        "of|the|a|an|is|was|were|are|be|been|did|does|do|than|has|had|have|its|is the|was the|they|it|them|i|we|you|я|мы|на|чем|был|была|было|были|есть|быть|составля*|же|ли|,",
        C::Glue,
    ),
    // verbs that say no more than that there are such rows, and what is polite
    (
        "wore|wear|wears|надевали|надевает|надели|носят|arrive|arrives|arrived|treated|served|showed up|show up|signed up|borrow|borrowed|lent|rented|travelled|traveled|watched|брали|взяли|взял|взяла|брал|брала|берут|берет|ходим|ходили|ходит|ходят|бываем|бывали|ездим|лечил*|лечит|обслуживал*|посещали|обращались|обратил*|used|is used|are used|was used|were used|uses|using|flown|flew|fly|carried|carries|carry|raised|raises|brings|brought in|bring in|falls on|fall on|falls into|fall into|accounts for|account for|goes to|go to|belongs to|belong to|comes from|come from|generates|generated|generate|produced|produces|received|receives|receive|gave|gives|given|spent on|collected|attended|contained|include|happen|happens|handled|handles|submitted|booked|visited by|performed|carried out|conducted|issued|completed by|doing|out of all|in all|on record|dataset|in this dataset|in the table|in this table|in the dataset|in the file|quick question|i wonder|wondering|curious|do we have|do you have|have we got|i am looking for|i'm looking for|looking for|could you please|would you|kindly|перевез*|перевозил*|перевозит|перевозят|перевезли|принес|принесл*|приносит|приносят|принос*|дает|дают|дал|дала|дали|получил|получила|получили|получает|получают|приехал*|приезжа*|пришел|пришла|пришли|приходил*|приходит|приходят|встречаются|встречается|встречалось|использу*|использовал*|обслужил*|обработал*|выполнил*|выполнен|выполнена|выполнено|выполнены|выдал*|выдан|выдана|выдано|выданы|набрал*|собрал*|занимает|занимают|составляет|составляют|достается|идет|шло|шли|потребовалось|понадобилось|ушло|заняло|занимал*|занял*|довелось|вышли|выпало|выпадает|оформил*|провели|провел*|было сделано|будьте добры|не подскажете|скажи пожалуйста|прошу|необходимо|нужен|нужна|нужны|мне нужно|меня интересует|любопытно|хочется|хотел бы|хотела бы|можно ли узнать|подскажи пожалуйста|в таблице|в этой таблице|в данных|у нас есть|came out|come out|comes out|coming out|put out|shown|turn out|вышедш*|выходивш*|полученн*|разместивш*|размещенн*|опубликованн*|опубликовал*|разместил*|снял|сняла|сняли|снято|снимал|снимали|выпустил*|выпущенн*|расположен*|составивш*|набравш*|собравш*|located|situated|lying|публику*|публиков*|размеща*|rated|filed|lodged|cover|covers|covered|created|came in|come in|put in|handed in|turned in|подал*|подают|подан|подана|подано|поданы|поданн*|прислал*|прислан*|присыла*|завел|завели|заведен*|собира*",
        C::Light,
    ),
    (
        "w /|in|on|at|for|with|where|if|that|whose|having|during|only|just|there|me|show|list of|кому|чей|чья|чьи|show all|список|перечень|перечисли|перечислите|please|give|tell|list|find|get|display|i|want|to|see|know|would|like|can|you|us|we|all|any|it|this|these|those|what's|whats|which|what|our|my|their|calculate|compute|as|so|then|data|from|table|us|values|value|и|в|во|с|со|за|для|у|при|если|которых|которые|которая|который|которым|котором|том|только|покажи|покажите|дай|дайте|выведи|найди|посчитай|скажи|мне|пожалуйста|нам|это|этот|все|всех|всем|из|об|о|к|ко|от|данные|данных|таблиц*|таких|те|значени*|там|каков|какова|каково|каковы|какой|какая|какое|какие|хочу|знать|узнать|можно|а|ну|теперь|тоже|же самое|то же|то же самое|now|what about|how about|the same|same|ведь|происход*|случ*|наблюдал*|оказал*|где|ever|please|pls|plz|could|just|still|who|went|goes|go|come|comes|came|per cent of|work|works|i|my|then|one|each of|подскажи|подскажите|скажите|плиз|работают|работает|приходит|пришло|прошло|только|лишь|брать|взять|итак|время|за все время|всего времени|all time|of all time|ever|как|how|период|за период|period|размер|размера|size of|the size of|приходится|имеет|имеют|has the|instead|вместо|тех|кого|которого|ли|есть ли|has been|about|via|among|within|into|through|regarding|being|got|gets|make|makes|made|happened|take|takes|took|need|please tell me|could you|can you|i would like|i'd like|let me|help me|thanks|thank you|hi|so far|in the data|про|через|среди|внутри|интересно|интересует|хотелось бы|нужно|надо|давай|можешь|можете|спасибо|привет|бывает|бывают|стало|получилось|вышло|выходит|набралось|насчитывается|составил|составила|составило|оказалось|таких|such|of them|of those|of these|them|их|таковых|ones|by the way|overall period|took place|took part|take place|принял* участие|участвовал*|how strongly|насколько сильно|насколько тесно|был ли|было ли|были ли|есть ли|is there|are there|was there|were there|is there a|are there any|any|actually|exactly how|вообще|в общем|в целом|примерно|hey|hello|подсказать|вывести|показать|найти|посчитать|узнаем|let us|let's|compared|сделан*|made on|that|do|those|recorded|logged|registered|made|placed|held|reported|listed|found|occur|occurred|occurs|seen|observed|measured|exist|exists|existing|overall|each time|at all|altogether|tell me about|what can you say about|i need|interested in|зафиксирован*|зарегистрирован*|записан*|совершен*|оформлен*|оформили|проведен*|произошл*|случилось|имеется|имеются|существует|встретил*|отмечен*|измерен*|учтен*|состоял*|поступил*|пришлось|подсчитай|подсчитайте|определи|вычисли|рассчитай|укажи|назови|выдай|отобрази|выбери|отбери|отфильтруй|оставь|filter to|filter by|keep|leave|restrict to|limit to|что насчет|как насчет|а что насчет|having|got|было всего|всего было|вообще|имевш*|у нас|у меня|у них|ours|theirs|his|her|their",
        C::Stop,
    ),
    (".|?|!|;|:|(|)|,|\"|'|`|…|-|–|—|«|»", C::Stop),
];
