//! Words of those who watch markets, and of statistics, beside the common ones in
//! [`super::phrases`].

use super::words::{Agg, Concept, Derived, Hours, Part, Wick};
use Concept as C;

/// Phrases and what they stand for, in the manner of [`super::phrases::PHRASES`].
pub(super) const TRADERS: &[(&str, Concept)] = &[
    // statistics
    (
        "how volatile is|how volatile are|how volatile was|how volatile were|how wild are|how wild is|how wild|how choppy|how choppy is|how jumpy|how jumpy is|how noisy is|how stable is|how scattered|how much variation|choppiness|скачет|скачут|скакал*|прыгает|прыгают|гуляет|гуляют|болтает|болтанка|болтанку|шатает|насколько волатиль*|насколько сильно скач*|насколько изменчив*|volatility|volatility of|the volatility of|vary|varies|varied|varying|fluctuate|fluctuates|fluctuated|fluctuation|fluctuations|variability|variation|sigma|st . dev|st . dev .|st dev|std . dev|st . deviation|волатильност*|изменчивост*|колеблется|колеблются|колебался|колебалась|колебалось|колебались|колебани*|варьируется|варьируются|варьировал*|вариативност*|сигма|сигмы|сигму|отклонение|отклонения|ст . отклонени*|станд . отклонени*|станд отклонени*|стандартн* разброс*",
        C::Agg(Agg::Std),
    ),
    (
        "track|tracks|tracked|mirror|mirrors|correspond to|corresponds to|correspond with|corresponds with|responds to|respond to|react to|reacts to|driven by|explained by|explains|coincide with|coincides with|vary with|varies with|vary together|vary together with|change together|changes together|change together with|changes with|change with|sensitive to|tied in with|in step with|effect|effects|effect of|the effect of|effects of|impact of|the impact of|influence of|the influence of|affected by|influenced by|determined by|in sync with|in sync|have to do with|has to do with|anything to do with|something to do with|завязан*|совпадает ли с|реагирует на|реагируют на|следует за|следуют за|идет вслед за|имеет отношение к|correlation with|correlating|relationship|relationships|relation|relation of|relation to|relates to|relate|related with|interrelated|interrelation|connection|connected|connected to|connected with|are connected|link|linked|linked to|linked with|tied to|tied together|association|association between|associated|associated with|dependence|dependence of|dependency|dependency between|dependent on|interdependence|go together|goes together|go together with|goes together with|go with|goes with|go hand in hand|goes hand in hand|go hand in hand with|goes hand in hand with|hand in hand|move together|moves together|moved together|move together with|moves together with|move with|moves with|move in line with|moves in line with|go up together|go up together with|goes up together with|go up with|goes up with|rise together|rise together with|rises together with|rise with|rises with|grow together|grow together with|grow with|grows with|increase together with|increase with|increases with|correlation coefficient|correlation coefficient of|correlation coefficient between|how related|how closely related|how strongly related|how correlated|how connected|how linked|relation coefficient|взаимосвяз*|взаимозависим*|зависимост*|зависят|зависит|зависел*|корр|насколько связан*|насколько взаимосвязан*|насколько коррелир*|насколько завис*|насколько сильно связан*|насколько сильно завис*|насколько тесно связан*|тесно связан*|сильно связан*|как связан*|коэффициент корреляции|коэффициента корреляции|коэф корреляции|коэф . корреляции|связи|связь у|движутся вместе|двигаются вместе|движется вместе с|движутся вместе с|двигается вместе с|ходят вместе|растут вместе|растут вместе с|растет вместе с|растет ли вместе с|меняются вместе|меняется вместе с|влияние|сказывается на|сказываются на",
        C::Agg(Agg::Correlation),
    ),
    (
        "probability|the probability|probability of|the probability of|probability that|the probability that|what is the probability|what is the probability of|what's the probability of|chance|the chance|chances|the chances|chance of|the chance of|chances of|the chances of|what are the chances of|what is the chance of|what's the chance of|chance that|odds|the odds|odds of|the odds of|what are the odds of|odds that|likelihood|the likelihood|likelihood of|the likelihood of|how likely|how likely is|how likely is it that|how probable|вероятность|вероятности|вероятностью|вероятность того , что|вероятность что|какова вероятность|какая вероятность|какова вероятность того , что|с какой вероятностью|шанс|шансы|шансов|шанс на|шансы на|каков шанс|каковы шансы|какой шанс|какие шансы|насколько вероятен|насколько вероятно|насколько вероятна",
        C::Agg(Agg::Pct),
    ),
    (
        "probability|probability of|the probability of|probability that|the probability that|chance|chance of|the chance of|chances of|the chances of|chance that|chances that|odds of|the odds of|odds|odds that|likelihood|likelihood of|the likelihood of|how likely|how likely is|how likely is it that|вероятность|вероятности|вероятностью|вероятность того , что|вероятность что|какова вероятность|с какой вероятностью|шанс|шансы|шансов|шанс на|каков шанс|каковы шансы|насколько вероятен|насколько вероятно",
        C::Chance,
    ),
    (
        "the day after|day after|the next day after|next day after|on the next day after|the day following|day following|the day right after|the session after|the next session after|next session after|days after|days following|the days after|a day after|the trading day after|the bar after|the candle after|на следующий день после|на следующий торговый день после|в следующий день после|на другой день после|день после|дни после|дня после|дней после|в день после|днем после|через день после|свеча после|бар после",
        C::DayAfter,
    ),
    ("middle value|the middle value|midmost|срединн*|серединн*", C::Agg(Agg::Median)),
    // prices that go up and down
    (
        "pump|pumps|pumped|pumping|rip|rips|ripped|rocket|rockets|rocketed|skyrocket|skyrockets|skyrocketed|ran up|runs up|run up|popped|pops|add|adds|added|put on|дорожал*|дорожает|дорожают|подорож*|отскочил*|отскакивал*|rallies|rallying|rallied|surge|surges|surged|surging|soar|soars|soared|soaring|spiked|spiking|leap|leaps|leapt|leaped|jumps|jumping|advance|advances|advanced|appreciate|appreciates|appreciated|strengthen|strengthens|strengthened|climbs|climbing|gaining|increases|going up|growing|upmove|up move|up moves|shot up|moved up|moved higher|moves higher|move higher|closed higher|closes higher|close higher|closing higher|finished higher|finishes higher|ended higher|ends higher|settled higher|close up|closes up|closed up|closing up|finished up|ended up|upswing|upswings|uptick|upticks|взлет*|взлёт|подскоч*|подскак*|скакнул*|прыгнул*|взмыл*|укрепи*|укрепл*|ралли|отрос*|прирастал*|прирос*|рванул*|выстрелил*|подрос*|закрылся выше вчерашнего|закрылся ростом|закрылась ростом|закрылось ростом|закрылись ростом|закрылся с ростом|закрылась с ростом|закрывался ростом|закрывалась ростом|закрывался с ростом|закрывалась с ростом|закрытие с ростом|повысил*|повышал*|повышени*|пошел вверх|пошла вверх|ушел вверх|ушла вверх|шел вверх|шла вверх|растут|растет",
        C::Move(true),
    ),
    (
        "crater|craters|cratered|bleed|bleeds|bled|dump|dumps|dumped|dumping|sagged|sags|sag|lose|loses|losing|tank|fell off|gave up|gives up|give up|обесценил*|дешевел*|дешевеет|дешевеют|selloff|selloffs|sell - off|sell - offs|sell off|sell offs|sold off|tumble|tumbles|tumbled|tumbling|slump|slumps|slumped|slumping|slide|slides|slid|sliding|crashed|crashes|collapse|collapses|collapsed|plummet|plummets|plummeted|plummeting|dip|dips|dipped|dived|dove|nosedive|nosedives|nosedived|tanked|tanks|slip|slips|slipped|slipping|retreat|retreats|retreated|weaken|weakens|weakened|depreciate|depreciates|depreciated|sinks|sinking|sunk|shed|sheds|plunges|plunging|plunge|dropping|declining|declines|decreases|going down|pulled back|pulls back|went lower|moved down|moved lower|moves lower|down move|down moves|downmove|closed lower|closes lower|close lower|closing lower|finished lower|finishes lower|ended lower|ends lower|settled lower|close down|closes down|closed down|closing down|finished down|ended down|downswing|downswings|обвал*|обруш*|провалил*|проваливал*|пролив*|пролил*|пролива*|слил*|сполз*|скатил*|скатывал*|осел|осела|ослаб*|откат*|откаты*|просад*|просед*|минусовал*|сниж*|понижал*|понизил*|понижени*|теряет|теряла|терял|теряли|закрылся падением|закрылась падением|закрылось падением|закрылись падением|закрылся снижением|закрылась снижением|закрылся с падением|закрылась с падением|закрылся со снижением|закрылась со снижением|закрывался падением|закрывалась падением|закрывался с падением|закрывалась с падением|рушил*|рухнет|сыпал*|посыпал*|валил*|завалил*|пошел вниз|пошла вниз|ушел вниз|ушла вниз|шел вниз|шла вниз|падают|упали",
        C::Move(false),
    ),
    (
        "finished in the green|ended in the green|closed in the green|close in the green|closes in the green|closing in the green|ended green|finished green|settled green|close green|closes green|closed green|bull candle|bull candles|bull bar|bull bars|white|up candle|up candles|up bar|up bars|green candle|green candles|up close|up closes|зеленое закрытие|растущая свеча|бычья свеча|закрылся зеленым|закрылась зеленой|закрывается зеленым|закроется зеленым|закрывался зеленым",
        C::Colour(true),
    ),
    (
        "finished in the red|ended in the red|closed in the red|close in the red|closes in the red|closing in the red|ended red|finished red|settled red|close red|closes red|closed red|bear candle|bear candles|bear bar|bear bars|down candle|down candles|down bar|down bars|red candle|red candles|down close|down closes|красное закрытие|падающая свеча|медвежья свеча|закрылся красным|закрылась красной|закрывается красным|закроется красным|закрывался красным",
        C::Colour(false),
    ),
    // measures of bars
    (
        "upper wick|upper wicks|upper shadow|upper shadows|upper tail|upper tails|top wick|top wicks|top shadow|wick above|верхн* тен*|верхн* хвост*|верхн* фитил*|тен* сверху|фитил* сверху|хвост* сверху",
        C::Derived(Derived::Wick(Wick::Upper)),
    ),
    (
        "lower wick|lower wicks|lower shadow|lower shadows|lower tail|lower tails|bottom wick|bottom wicks|bottom shadow|wick below|нижн* тен*|нижн* хвост*|нижн* фитил*|тен* снизу|фитил* снизу|хвост* снизу",
        C::Derived(Derived::Wick(Wick::Lower)),
    ),
    (
        "overnight gap|overnight gaps|opening gap|opening gaps|gap at the open|gap on the open|gap at open|gap at opening|gaps at the open|gaps at open|гэп на открытии|гэпы на открытии|гэп при открытии|гэп открытия|утренн* гэп*|ночн* гэп*|гэпа на открытии",
        C::Derived(Derived::Gap),
    ),
    (
        "price range|price ranges|range of price|range of the price|range of prices|диапазон* цен*|размах* цен*|диапазон* движени*|колебани* цен*|amplitude|amplitudes|swing|swings|price swing|price swings|high - low range|high low range|high - low spread|high low spread|high to low|from high to low|high - to - low|high - to - low range|day range|day's range|trading range|intraday range|intraday ranges|амплитуд*|внутридневн* диапазон*|внутридневн* размах*|от хая до лоя|от лоя до хая|от максимума до минимума|от минимума до максимума|диапазон дня|диапазоном дня|диапазона дня|ширина диапазона|ширину диапазона",
        C::Derived(Derived::Range),
    ),
    (
        "open to close|open - to - close|open to close change|open - to - close change|open to close move|open - to - close move|from open to close|change from open to close|move from open to close|candle bodies|bar body|real body|real bodies|от открытия до закрытия|от открытия к закрытию|изменение от открытия до закрытия|изменение от открытия к закрытию|движение от открытия до закрытия|тело бара|тела бара|тело свечей|тел свечей|тела свечей|телом|телу",
        C::Derived(Derived::Body),
    ),
    (
        "close to close|close - to - close|close to close change|close - to - close change|price change|price changes|price move|price moves|price movement|изменени* цен*|движени* цен*|изменени* закрыти*",
        C::Derived(Derived::Change),
    ),
    (
        "close to close return|close - to - close return|daily return|daily returns|дневн* доходност*|доходность за день|процентн* доходност*",
        C::Derived(Derived::Return),
    ),
    // hours and lengths
    (
        "trading hours|market hours|regular market hours|cash hours|during market hours|regular hours session|rth session|торговые часы|торговых часов|часы торгов|основные часы|основных часов|основное время|основные торги|основных торгах|основных торгов|основн* торгов* сесси*",
        C::Hours(Hours::Regular),
    ),
    (
        "at night|night|nights|night - time|overnight hours|globex|the overnight|ночн*|по ночам|ночь|ночи|в ночь|за ночь|овернайт*",
        C::Hours(Hours::Overnight),
    ),
    (
        "asia|asian|asian trading|asian trading hours|asian market hours|азия|азию|азии|азиатск*|азиат|азиаты|в азию",
        C::Hours(Hours::Asian),
    ),
    (
        "europe|european|european trading|european trading hours|europe session|европа|европу|европы|европе|европейск*",
        C::Hours(Hours::European),
    ),
    ("morning|mornings|in the morning|утром|утренн*|по утрам|утро", C::Hours(Hours::Morning)),
    (
        "afternoon|afternoons|in the afternoon|после обеда|после полудня|послеобеденн*|во второй половине дня|вторая половина дня",
        C::Hours(Hours::Afternoon),
    ),
    (
        "first hour|the first hour|first trading hour|opening hour|the opening hour|первый час|первого часа|первом часе|первому часу|в первый час|за первый час|час открытия|часа открытия",
        C::Hours(Hours::FirstHour),
    ),
    (
        "last hour|the last hour|last trading hour|final hour|the final hour|closing hour|the closing hour|power hour|последний час|последнего часа|последнем часе|последнему часу|в последний час|за последний час|час закрытия|часа закрытия|час перед закрытием",
        C::Hours(Hours::LastHour),
    ),
    (
        "premarket|pre - market|pre market|premarket session|pre - market session|pre - market hours|premarket hours|pre - market trading|before the open|before the opening bell|before market open|before the bell|before the opening|pre - open|до звонка|премаркет*|пре - маркет*|до открытия|до открытия рынка|до открытия торгов|перед открытием",
        C::Hours(Hours::Before),
    ),
    (
        "after hours|after - hours|afterhours|after - hours session|after hours session|after - hours trading|post - market|postmarket|post market|post - market session|after the close|after the closing bell|after the bell|after - market|aftermarket|extended hours|after market close|постмаркет*|пост - маркет*|после закрытия|после закрытия рынка|после закрытия торгов|по закрытии|по закрытии рынка|по закрытии торгов",
        C::Hours(Hours::After),
    ),
    (
        "trading session|trading sessions|торговая сессия|торговых сессий|торговые сессии|торговую сессию|торговой сессии|торговым сессиям|торговых сессиях|торговых днях|trading days'|торговый день|торговому дню",
        C::Part(Part::Day),
    ),
    ("минутк*|m1", C::Length(60)),
    ("пятиминутк*|5 - минутк*|5m", C::Length(300)),
    ("пятнадцатиминутк*|15 - минутк*|quarter - hour|quarter - hourly", C::Length(900)),
    ("получасовк*|half - hour|half - hourly|half hour|half hourly", C::Length(1800)),
    ("часовик*|часовк*|h1|hourlies", C::Length(3600)),
    ("двухчасов*|two - hour|2 - hourly|h2", C::Length(7200)),
    ("четырехчасов*|four - hour|4 - hourly|h4", C::Length(14400)),
    ("дневк*|дневник*|d1|dailies", C::Length(86400)),
    ("недельк*|w1|weeklies", C::Length(604_800)),
    (
        "candlestick|candle's|bar's|барах|барами|бару|бара|свечах|свечами|свечке|свечек|свечки|свечка|свечку|свечной|свечных|свечу|свечой|японских свечей|candle bars",
        C::Bars,
    ),
    // the one that stands out
    (
        "самый широк*|самый объемн*|самый активн*|самый мощн*|most active|the most active|heaviest volume|widest|the widest|fattest|максимален|максимальна|максимально|максимальны|шире всего|самый длинн*|самый размашист*",
        C::Most(true),
    ),
    (
        "самый узк*|самый тих*|самый тонк*|самый слаб*|самый вял*|tightest|the tightest|thinnest|the thinnest|quietest|the quietest|calmest|the calmest|least active|the least active|narrowest|минимален|минимальна|минимально|минимальны|уже всего|тише всего",
        C::Most(false),
    ),
    (
        "max number of|maximum number of|largest number of|highest number of|greatest number of|longest ever|the longest ever|record|record number of|at most|at the most|at maximum|максимальное число|максимальное количество|наибольшее число|наибольшее количество|макс число|рекордное число|рекордное количество|самая большая|самую большую|самый длинный|самая долгая|самую долгую|самый долгий|рекордная|рекордную|максимальная|максимальную|макс|как максимум|больше всего",
        C::Longest,
    ),
    (
        "consecutively|one after another|one after the other|in succession|straight days|back - to - back|друг за другом|один за другим|одна за другой|последовательн*",
        C::InARow,
    ),
    ("цепь|стрик*|streaks of|winning run|losing run", C::Streak),
    (
        "opened with|opens with|open with|closed with|closes with|close with|открывался с|открывалась с|открывалось с|открывались с|открылся с|открылась с|открылось с|открылись с|открывается с|открываются с|закрылся с|закрылась с|закрывался с|закрывалась с|gimme|gimmie|lemme see|in a single|in any single|a single|in one single",
        C::Stop,
    ),
    ("till|until|up to|вплоть до", C::To),
    (
        "закрыться в плюс|закрыться в плюсе|закроется в плюс|закроется в плюсе|закрываемся в плюс|закрывается в плюс|закрывается в плюсе|закрыться выше|закроется выше|вырасти|подрасти|закрыться ростом",
        C::Move(true),
    ),
    (
        "закрыться в минус|закрыться в минусе|закроется в минус|закроется в минусе|закрываемся в минус|закрывается в минус|закрывается в минусе|закрыться ниже|закроется ниже|упасть|просесть|снизиться|закрыться падением",
        C::Move(false),
    ),
    ("в плюс|в зеленую зону|в зеленой|above water", C::Direction(true)),
    ("его|ее|торгов|traded|trading|торговый|торговая|торгового|торговом", C::Light),
];
