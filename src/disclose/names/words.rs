//! Words that are names of people, words that are names and ordinary words too, and words that are no
//! names at all.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words, looked up one by one.
pub(super) type Words = LazyLock<HashSet<&'static str>>;

fn of(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

/// Words of which questions about tables are made, and titles: a name that says the same is masked
/// inside a sentence with a capital alone.
pub(super) static ASKED: Words = LazyLock::new(|| {
    of("all and any are art average best bill bills book brand but can card case cases cash \
     chart city class close coin cost count date day days did does dr each field fields first \
     for game games good great gross group had has have high hour how key land last level \
     line list long loss low lower made mark max may mean median min miss month more most mr \
     mrs ms name new north not off old only open order orders out over page paid pay plot \
     point post price prices prof rank rate room row rows sale sales sell share shop short \
     show side sir small sold south spend staff state store street sum table tell ten test \
     than that the their them then there they this time top total town trade type under unit \
     upper was way week were west what when where which who will with word work year young \
     east big little company department team unknown other none null house без был вид все \
     всех где год года дата два для его если еще или имя как какая какие какой кем кому кто \
     макс мин мне над нет они под покажи при про раз сам самая самый себе сколько там тем тип \
     том тому тоже три тут чей чем что это этом левом любая любого любой любом любую любые \
     любым любых другое неизвестно прочее отдел отдела компания")
});

/// Russian words of the same kind in all their forms, by what stands before the ending.
pub(super) static ASKED_BASES: Words = LazyLock::new(|| {
    of("билет групп дата день дн дом доход заказ закуп категори магазин марк медиан месяц минут \
     неделя недел покупк продаж рубл сред столб строк сумм счет таблиц товар цен час чек числ \
     шт перв последн нов стар больш мал хорош отдел город год")
});

/// English words that are names, too: a name that says the same is masked with a capital, or beside
/// another one.
pub(super) static ORDINARY: Words = LazyLock::new(|| {
    of("abbey ace amber angel apple april archer armstrong ash august baker ball bank banks \
     barber barker baron basil bay beach bean bell berry bird bishop black blue bloom bond \
     bone boss bowl branch bridge bridges bright brook brooks brown bull bush butcher butler \
     camp carpenter carter chance charity chase cherry christian church clay clear cliff \
     cloud coffee cold cook cooper coral crane cross crown dale dawn dean diamond dollar dove \
     drew drive duke eagle earl ever faith farmer finch fish fisher flint flower flowers \
     forest foster fox frank french frost gale garden gardener gates gay gene glass gold \
     golden goose grace grant gray grape green grey grove guy hall harp hawk hazel heath herb \
     hill holiday hood hope hunt hunter ivory ivy jack jade jewel joy judge june king knight \
     lake lane law lily lord love major maple mason mercer mercy mile miles mill mills miller \
     money monk moon moss noble olive orange page park parks parsons patience pearl pen penny \
     pepper perk pike pine pink pool pope porter potter power powers prince purple rain ray \
     red reed rice rich river rivers robin rock rose rowan royal ruby sage salt sand sandy \
     savage sharp shepherd silver singer smart snow sparks spring stack star steel stone \
     stones strong sue summer summers sun sunny sweet swift tailor taylor temple thorn tower \
     turner van victor violet walker wall walls ward water waters weaver weeks well wells \
     wheeler white wild winter winters wise wolf wood woods worth yellow light dark food box \
     bar pack mini super")
});

/// Russian words that are names, too, by what stands before the ending.
pub(super) static ORDINARY_BASES: Words = LazyLock::new(|| {
    of("бел баран боб бык весн волк ворон гончар горьк гус дан добр долг дуб жен жук журавл \
     зелен зим золот иной картин княз козл корол кот красн крив кузнец лад лев лес лет лил \
     лили лук льв май мак медвед мельник мил мир мороз недел ноч орл осен остр перец перц пол \
     поп прост пчел рай рак роз роман ром рог рыб рыж сад свет сер син снег сокол сон сто сух \
     сыр ткач тих толст том трет умн цар цвет черн чист шаг широк щук яблок ясн")
});

/// What makes a company, a department or a rank of a value, never a person.
pub(super) static ORGANISATIONS: Words = LazyLock::new(|| {
    of("ab ag airlines agency association bank bv cafe center centre club co college company \
     consulting corp corporation department dept desk energy enterprises foods foundation \
     global gmbh group holding holdings hospital hotel inc industries institute international \
     kg labs limited llc llp logistics ltd market media nv office oy partners plc restaurant \
     retail sa sales sarl school services shop software solutions spa srl store stores studio \
     support systems team tech technologies trade trading university ventures works ао ип ооо \
     оао пао зао тоо гуп муп нко фгуп банк бригада группа завод клиника компания магазин \
     отдел отделение служба склад смена торг трест фирма фонд холдинг школа центр админ \
     администратор господин один")
});

/// Given names of the Russian-speaking, folded, in the nominative.
pub(super) static GIVEN: Words = LazyLock::new(|| {
    of("александр александра алексей алена алина алиса алла анастасия анатолий андрей анна антон \
     антонина арина артем артур борис вадим валентин валентина валерий валерия варвара \
     василий вера вероника виктор виктория виталий владимир владислав всеволод вячеслав \
     галина геннадий георгий глеб григорий дарья денис диана дмитрий евгений евгения егор \
     екатерина елена елизавета зинаида зоя иван игорь илья инна ирина карина кира кирилл \
     константин кристина ксения лариса лев леонид лидия любовь людмила майя макар максим \
     маргарита марина мария марк матвей михаил надежда наталия наталья нелли никита николай \
     нина оксана олег олеся ольга павел петр полина раиса римма роман руслан светлана семен \
     сергей софия софья станислав степан таисия тамара татьяна тимофей тимур федор филипп \
     эдуард элина эльвира юлия юрий яков яна ярослав")
});
