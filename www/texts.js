// The page's texts in English and Russian: those of the package's elements, and its own. `{name}` is
// filled in.

import { TEXTS as SHARED } from "./pinhole/element/all-texts.js";

export const TEXTS = {
  ...SHARED,
  headline: [
    "Ask your table a question. It never leaves this page.",
    "Задайте вопрос своей таблице. Она не покинет эту страницу.",
  ],
  language: ["Language", "Язык"],
  settings: ["Settings", "Настройки"],
  policy: ["Policy: {level}", "Политика: {level}"],
  sent_none: ["Nothing sent", "Ничего не отправлено"],
  sent_none_since: ["Nothing sent since the page opened", "С открытия ничего не отправлено"],
  sent_some: [
    "{n} {n?request|requests} sent",
    "{n?Отправлен|Отправлено|Отправлено} {n} {n?запрос|запроса|запросов}",
  ],
  sent_only_silent: [
    "{n} {n?request|requests} unanswered",
    "Без ответа: {n} {n?запрос|запроса|запросов}",
  ],
  sent_also_silent: ["{n} unanswered", "{n} без ответа"],
  sent_silent: [
    "No server answered this request. The browser does not say whether it left this page.",
    "На этот запрос никто не ответил. Покинул ли он страницу, браузер не говорит.",
  ],
  model_none: ["no model named", "модель не указана"],
  model_missing: [
    "Name the model: the endpoint needs it to answer",
    "Укажите модель: без её имени отвечать некому",
  ],
  engine_starting: ["The engine is starting…", "Движок запускается…"],
  engine_ready: ["The engine is ready", "Движок готов"],
  engine_failed: ["The engine could not start", "Движок не запустился"],
  drop_title: ["Drop a file with a table here", "Перетащите сюда файл с таблицей"],
  drop_hint: [
    "CSV, TSV, JSON, NDJSON, Arrow or Parquet, text also as .gz or .zst. It is read on this device.",
    "CSV, TSV, JSON, NDJSON, Arrow или Parquet; текстовые – также в .gz или .zst. Файл читается на этом устройстве.",
  ],
  choose: ["Choose a file", "Выбрать файл"],
  sample: ["Try minute bars", "Пример: котировки"],
  household: ["Try sample receipts", "Пример: чеки"],
  penguins: ["Try penguins", "Пример: пингвины"],
  url_label: ["or the address of a file", "или адрес файла"],
  url_load: ["Load", "Загрузить"],
  url_bad: [
    "This is not the address of a file: it begins with https:// or http://, or names a file beside this page",
    "Это не адрес файла: он начинается с https:// или http:// либо называет файл рядом со страницей",
  ],
  host_title: ["Let this page reach {host}?", "Разрешить странице обращаться к {host}?"],
  host_text: [
    "It may not yet. The host is remembered until you remove it in the settings, and the page reloads: tables and the ledger of what was sent come back, answers are found in History where it keeps conversations.",
    "Пока не разрешено. Адрес запомнится, его можно убрать в настройках; страница перезагрузится: таблицы и журнал отправленного вернутся, а ответы будут в истории, если беседы хранятся.",
  ],
  host_allow: ["Allow and load", "Разрешить и загрузить"],
  loading_finish: ["Finishing {name}", "Заканчиваю: {name}"],
  loading_stop: ["It can be cancelled.", "Загрузку можно отменить."],
  skip_bad_rows: [
    "Leave such rows out and load the rest",
    "Пропустить такие строки и загрузить остальное",
  ],
  load_cancelled: [
    "Loading was cancelled, nothing was kept",
    "Загрузка отменена, ничего не осталось",
  ],
  loaded: [
    "{name} is loaded: {rows} {rows?row|rows}",
    "{name} загружена: {rows} {rows?строка|строки|строк}",
  ],
  suggestions_more: ["More questions", "Ещё вопросы"],
  table: ["Table", "Таблица"],
  rows: ["Rows", "Строк"],
  columns: ["Columns", "Столбцов"],
  period: ["Period", "Период"],
  interval: ["Interval", "Шаг"],
  file_format: ["Format", "Формат"],
  memory: ["Memory", "Память"],
  column: ["Column", "Столбец"],
  kind: ["Type", "Тип"],
  unit: ["Unit", "Единица"],
  time_column: ["time", "время"],
  series_column: ["series", "ряд"],
  remove: ["Remove", "Убрать"],
  look_rows: ["Look at the rows", "Посмотреть строки"],
  note_odd: [
    "column `{column}` is text, and nothing is computed from it: most of its values are numbers, but not all",
    "столбец `{column}` – текст, и по нему ничего не вычисляется: большинство значений – числа, но не все",
  ],
  note_cells: [
    "{n} {n?cell is|cells are} no number: {n?row|rows} {rows}",
    "Не {n?число|числа|числа}: {n} {n?ячейка|ячейки|ячеек}, {n?строка|строки|строки} {rows}",
  ],
  note_looked: ["Of the first {rows} rows.", "Среди первых {rows} строк."],
  note_do: [
    "Empty these cells in the file or write numbers there, and load it again.",
    "Очистите эти ячейки в файле или впишите числа и загрузите его снова.",
  ],
  notes_count: ["{n} {n?note|notes}", "{n} {n?замечание|замечания|замечаний}"],
  show_columns: ["Columns and types", "Столбцы и типы"],
  load_notes: ["Notes on reading", "Замечания к чтению"],
  kind_int: ["integer", "целое"],
  kind_float: ["number", "число"],
  kind_decimal: ["decimal", "десятичное"],
  kind_bool: ["yes/no", "да/нет"],
  kind_text: ["text", "текст"],
  kind_date: ["date", "дата"],
  kind_timestamp: ["date and time", "дата и время"],
  kind_list: ["list", "список"],
  answers: ["Answers", "Ответы"],
  thinking: ["Working…", "Считаю…"],
  claim_draft: ["the draft said {text}", "в черновике было {text}"],
  claim_actual: ["in the data: {text}", "в данных: {text}"],
  claims: [
    "{n} {n?statement|statements}: {found}",
    "{n} {n?утверждение|утверждения|утверждений}: {found}",
  ],
  claims_confirmed: ["{n} confirmed", "подтверждено {n}"],
  claims_corrected: ["{n} corrected", "исправлено {n}"],
  claims_withheld: ["{n} withheld", "скрыто {n}"],
  claims_contradicted: ["{n} contradicted", "опровергнуто {n}"],
  claims_unchecked: ["{n} could not be checked", "не удалось проверить {n}"],
  unrun: [
    "No query gave a result for this answer: nothing in it could be checked.",
    "Ни один запрос не дал результата для этого ответа: сверить его числа не с чем.",
  ],
  to_compare: [
    "To compare it with the results that were computed:",
    "Сверить с тем, что вычислено:",
  ],
  see_data: ["See the data", "посмотреть данные"],
  no_numbers: ["No numbers to check in this answer.", "В этом ответе нет чисел для проверки."],
  rows_shown: [
    "Showing {shown} of {all} {all?row|rows}",
    "{shown?Показана|Показаны|Показано} {shown} из {all} {all?строки|строк|строк}",
  ],
  rows_cut: ["{all} without the limit", "без ограничения было бы {all}"],
  rows_all: ["Scroll all rows", "Показать все строки"],
  rows_in_time: [
    "The table keeps its rows in the order of {column}, whatever their order in the file.",
    "Таблица хранит строки по порядку столбца {column}, каким бы ни был их порядок в файле.",
  ],
  rows_paged: ["A hundred rows at a time", "По сто строк"],
  rows_grid: ["As a grid", "Сеткой"],
  rows_plain: ["As a plain table", "Обычной таблицей"],
  ledger_title: ["What left this page", "Что покинуло страницу"],
  endpoint: ["Model endpoint", "Адрес модели"],
  endpoint_example: [
    "The whole address that takes the requests, as `https://api.example.com{route}`. Where it ends in `/v1` the rest is added.",
    "Полный адрес, который принимает запросы, например `https://api.example.com{route}`. Если он кончается на `/v1`, остальное добавится само.",
  ],
  endpoint_hint: [
    "Empty: the built-in planner answers, and nothing is sent. When this changes the page reloads: loaded tables and the ledger of what was sent come back, and answers are found in History where it keeps conversations.",
    "Пусто: отвечает встроенный планировщик, ничего не отправляется. При изменении страница перезагрузится: загруженные таблицы и журнал отправленного вернутся, а ответы будут в истории, если беседы хранятся.",
  ],
  gets_schema: [
    "A model there gets names, types and row counts (level “schema”).",
    "Модель получит названия, типы и число строк (уровень «схема»).",
  ],
  gets_aggregate: [
    "A model there gets names, types and aggregates over at least 5 rows (level “aggregates”).",
    "Модель получит названия, типы и агрегаты не менее чем по 5 строкам (уровень «агрегаты»).",
  ],
  gets_summary: [
    "A model there gets names, types and a short summary of each result (level “summaries”).",
    "Модель получит названия, типы и краткую сводку каждого результата (уровень «сводки»).",
  ],
  gets_preview: [
    "A model there gets names, types, summaries and the first rows of tables (level “previews”).",
    "Модель получит названия, типы, сводки и первые строки таблиц (уровень «образцы»).",
  ],
  gets_personal: [
    "Open to it, though perhaps personal: {n} {n?column|columns}.",
    "Ей открыты столбцы, похожие на личные данные: {n}.",
  ],
  gets_review: ["See and change", "Посмотреть и изменить"],
  hosts: ["File hosts", "Серверы с файлами"],
  hosts_text: [
    "Files may be loaded from these servers, beside this page's own. To remove one the page reloads as well.",
    "С этих серверов, кроме собственного, можно загружать файлы. Если убрать сервер, страница тоже перезагрузится.",
  ],
  hosts_none: ["None was allowed.", "Пока ни один не разрешён."],
  remembered: ["Protected columns", "Защищённые столбцы"],
  remembered_text: [
    "Where conversations are kept, the columns that you hide or open for aggregates only stay so when the same file is loaded again. Their names are on this device, and nothing of what is in them.",
    "Если беседы хранятся, столбцы, которые вы скрыли или открыли только для агрегатов, останутся такими и при следующей загрузке того же файла. На устройстве хранятся их названия, но не содержимое.",
  ],
  remembered_none: ["None is remembered.", "Пока ничего не запомнено."],
  remembered_of: [
    "Remembered of {n?this table|these tables}: {names}",
    "Запомнены в {n?таблице|таблицах|таблицах}: {names}",
  ],
  remembered_forget: ["Forget", "Забыть"],
  carry_title: ["The page reloads", "Страница перезагружается"],
  carry_keeping: [
    "{name} is kept on this device until the page is back…",
    "{name} сохраняется на устройстве, пока страница не вернётся…",
  ],
  carry_lost_title: ["Reload and lose tables?", "Перезагрузить и потерять таблицы?"],
  carry_lost: [
    "{n?This table|These tables} cannot be kept on this device until the page is back. Load {n?it|them} again afterwards:",
    "{n?Эту таблицу|Эти таблицы|Эти таблицы} не удалось сохранить на устройстве на время перезагрузки. После неё загрузите {n?её|их|их} снова:",
  ],
  carry_ledger_title: [
    "Reload and lose the ledger?",
    "Перезагрузить и потерять журнал отправленного?",
  ],
  carry_ledger: [
    "The ledger of what was sent, {n} {n?request|requests}, is too long to come back with the page.",
    "Журнал отправленного ({n} {n?запрос|запроса|запросов}) слишком длинный, чтобы вернуться вместе со страницей.",
  ],
  carry_ledger_save: ["Save the ledger", "Сохранить журнал"],
  carry_go: ["Reload all the same", "Всё равно перезагрузить"],
  carry_back: ["The tables are coming back…", "Таблицы возвращаются…"],
  carry_gone: [
    "After the page was reloaded, these could not be brought back: {names}. Load them once more.",
    "После перезагрузки страницы не удалось вернуть: {names}. Загрузите их ещё раз.",
  ],
  model: ["Model", "Модель"],
  wire: ["Format", "Формат"],
  save: ["Save", "Сохранить"],
  endpoint_bad: [
    "This is not an http(s) address: it begins with https:// or http://, or with / on this server",
    "Это не адрес http(s): он начинается с https:// или http:// либо с / на этом сервере",
  ],
  tables_lost: [
    "The engine was restarted and the table could not be read again. Load it once more.",
    "Движок перезапущен, таблицу не удалось прочитать снова. Загрузите её ещё раз.",
  ],
  null: ["no value", "нет значения"],
  footer: [
    "Files are read in this page and stay there. Without an endpoint nothing is sent at all.",
    "Файлы читаются на этой странице и остаются на ней. Без адреса модели не отправляется ничего.",
  ],
  offline_ready: ["Ready offline.", "Готово к работе без сети."],
  leaves: [
    "What leaves this page, and how to check it",
    "Что покидает страницу и как это проверить",
  ],
  new_tab: [" (opens in a new tab)", " (откроется в новой вкладке)"],
  leaves_how: ["How to check that", "Как это проверить"],
  step_load: ["Load a table", "Загрузите таблицу"],
  step_load_text: [
    "A CSV, JSON, Parquet or Arrow file of yours, or a sample. It is read in this page: there is no upload.",
    "Свой файл CSV, JSON, Parquet или Arrow либо пример. Он читается прямо на странице и никуда не загружается.",
  ],
  step_ask: ["Ask in plain words", "Спросите обычными словами"],
  step_ask_text: [
    "“Average by month”, “top 5 shops”. English or Russian, no account and no model needed.",
    "«Среднее по месяцам», «топ-5 магазинов». По-русски или по-английски, без регистрации и без модели.",
  ],
  step_check: ["Check the answer", "Проверьте ответ"],
  step_check_text: [
    "Each number is marked as checked and leads to the rows behind it. What was sent is listed byte for byte.",
    "Каждое число помечено как проверенное и ведёт к строкам, из которых получено. Всё отправленное видно до байта.",
  ],
  sample_text: [
    "Samples: a million minute bars of an imaginary index future, two years of an imaginary household’s receipts, both made in this page; 344 penguins measured in the Antarctic.",
    "Примеры: миллион минутных баров вымышленного фьючерса и чеки вымышленной семьи за два года, созданные на этой странице; 344 пингвина, измеренных в Антарктике.",
  ],
  // The same of each button, beside a table
  sample_about: [
    "A million minute bars of an imaginary index future, made in this page",
    "Миллион минутных баров вымышленного фьючерса, созданных на этой странице",
  ],
  household_about: [
    "Two years of an imaginary household’s receipts, made in this page",
    "Чеки вымышленной семьи за два года, созданные на этой странице",
  ],
  penguins_about: [
    "344 penguins measured in the Antarctic",
    "344 пингвина, измеренных в Антарктике",
  ],
  same_name: [
    "There is a table {old} already. {file} was loaded beside it, as {name}: name the one you mean in a question.",
    "Таблица {old} уже есть. {file} загружен рядом под именем {name}: называйте в вопросе нужную.",
  ],
  replace_old: ["Remove the earlier {old}", "Убрать прежнюю {old}"],
  // A number's mark
  kept_rows: [
    "The rows as they were kept on this device.",
    "Строки в том виде, в каком они сохранены на устройстве.",
  ],
  // The policy
  disclosure: ["What a model may receive", "Что может получить модель"],
  disclosure_text: [
    "This binds what is sent to a model at an endpoint. You see everything, and the built-in planner sends nothing.",
    "Это относится к тому, что отправляется модели. Вам видно всё, а встроенный планировщик ничего не отправляет.",
  ],
  level: ["Level", "Уровень"],
  level_schema_text: [
    "Names and types of tables and columns, and row counts; nothing of any result.",
    "Имена и типы таблиц и столбцов, число строк; из результатов ничего.",
  ],
  level_aggregate_text: [
    "Also totals, means and groups over at least 5 rows; never a single row.",
    "А также суммы, средние и группы не менее чем по 5 строкам; ни одной отдельной строки.",
  ],
  level_summary_text: [
    "Beside names, types and totals a short summary of each result: its size, its extremes, its first and last row; and of open text columns the different values, where those are 20 at most.",
    "Кроме имён, типов и итогов – короткая сводка каждого результата: размер, крайние значения, первая и последняя строка; а у открытых текстовых столбцов – их различные значения, если тех не больше 20.",
  ],
  level_preview_text: [
    "Also the first 5 rows of a table, and what its columns hold.",
    "А также первые 5 строк таблицы и то, что есть в её столбцах.",
  ],
  columns_for_model: ["Columns", "Столбцы"],
  for_model: ["For the model", "Для модели"],
  class_of: ["What a model may see of {column}", "Что модели видно из {column}"],
  class_open: ["open", "открыт"],
  class_aggregate: ["aggregates only", "только агрегаты"],
  class_hidden: ["hidden", "скрыт"],
  class_open_text: ["open: as the level says", "открыт: по правилам уровня"],
  class_aggregate_text: ["aggregates only: of 5 rows or more", "только агрегаты: от 5 строк"],
  class_all_open: ["all open", "все открыты"],
  class_aggregate_count: ["{n} for aggregates only", "только для агрегатов: {n}"],
  class_hidden_count: ["{n} hidden from the model", "скрыто от модели: {n}"],
  class_aggregate_short: ["{n} in aggregates only", "агрегаты: {n}"],
  class_hidden_short: ["{n} hidden", "скрыто: {n}"],
  class_hidden_text: ["hidden: no name, no values", "скрыт: ни имени, ни значений"],
  by_name: ["from its name", "по названию"],
  by_content: ["from its content", "по содержимому"],
  flag_hidden: [
    "looks like {kind} ({by}): hidden from the model until you open it",
    "похоже на {kind} ({by}): скрыто от модели, пока вы не откроете столбец",
  ],
  flag_aggregate: [
    "looks like {kind} ({by}): the model gets aggregates only",
    "похоже на {kind} ({by}): модель получает только агрегаты",
  ],
  flag_open: [
    "looks like {kind} ({by}): you opened it to the model",
    "похоже на {kind} ({by}): вы открыли это модели",
  ],
  flags: ["Personal data", "Личные данные"],
  open_column: ["Open", "Открыть"],
  hide_column: ["Hide", "Скрыть"],
  maybe_personal: [
    "{n} {n?column|columns} may be personal:",
    "{n} {n?столбец может|столбца могут|столбцов могут} быть личными данными:",
  ],
  maybe_open: [
    "Nothing hides {n?it|them} from a model so far.",
    "От модели {n?он пока не скрыт|они пока не скрыты|они пока не скрыты}.",
  ],
  as_before_hidden: [
    "{n?The column hidden last time stays|Columns hidden last time stay} hidden:",
    "{n?Столбец, скрытый в прошлый раз, остаётся скрытым|Столбцы, скрытые в прошлый раз, остаются скрытыми|Столбцы, скрытые в прошлый раз, остаются скрытыми}:",
  ],
  as_before_aggregate: [
    "As last time, for aggregates only:",
    "Как и в прошлый раз, только для агрегатов:",
  ],
  maybe_review: ["Review", "Проверить"],
  maybe_hide: [
    "Hide {n?this column|these columns}",
    "Скрыть {n?этот столбец|эти столбцы|эти столбцы}",
  ],
  maybe_leave: ["Leave as it is", "Оставить как есть"],
  // The ledger
  // Conversations that are kept
  history: ["History", "История"],
  history_title: ["Conversations on this device", "Беседы на этом устройстве"],
  history_consent: ["Keep conversations on this device", "Хранить беседы на этом устройстве"],
  history_consent_text: [
    "Off: no conversation is kept on this device, and your questions are forgotten when this tab is closed or reloaded. On: your questions, what answered them, the answers and the full tables of their results stay in this browser’s private storage, unencrypted, until you delete them; so does a conversation already under way, from its first question on. From the next visit on the ledger of what was sent stays too. So do the names of the columns that you protect. Nothing of it is sent by being kept.",
    "Выключено: беседы на устройстве не хранятся, а вопросы забываются, когда вкладку закрывают или перезагружают. Включено: ваши вопросы, запросы, которыми получены ответы, сами ответы и полные таблицы результатов остаются в личном хранилище этого браузера, без шифрования, пока вы их не удалите; уже начатая беседа хранится с первого её вопроса. Со следующего визита остаётся и журнал отправленного. Остаются и названия столбцов, которые вы защитили. Само хранение ничего не отправляет.",
  ],
  history_empty: ["No conversation is kept yet.", "Сохранённых бесед пока нет."],
  history_off: [
    "No conversation is kept on this device: what you ask is here until this page is closed or reloaded.",
    "На этом устройстве беседы не хранятся: вопросы и ответы есть, пока страницу не закрыли и не перезагрузили.",
  ],
  alone: ["This conversation is answered without the model.", "В этой беседе ответы без модели."],
  alone_end: ["Ask the model again", "Снова спрашивать модель"],
  elsewhere: [
    "Another tab has changed which model answers. This tab goes on as it was until it is reloaded.",
    "В другой вкладке изменили, какая модель отвечает. В этой всё по-прежнему, пока её не перезагрузят.",
  ],
  elsewhere_reload: ["Reload", "Перезагрузить"],
  history_keep: ["Keep them from now on", "Хранить с этого момента"],
  history_keep_this: ["Keep this one and those to come", "Хранить эту беседу и следующие"],
  unkept: [
    "This conversation is kept only until the page is closed or reloaded.",
    "Беседа хранится, пока страницу не закрыли и не перезагрузили.",
  ],
  unkept_keep: ["Keep conversations…", "Хранить беседы…"],
  unkept_read: ["Got it", "Понятно"],
  earlier: ["Earlier conversations on this device: {n}", "Прежние беседы на этом устройстве: {n}"],
  history_turns: ["{n} {n?question|questions}", "{n} {n?вопрос|вопроса|вопросов}"],
  history_open: ["Open", "Открыть"],
  history_delete: ["Delete", "Удалить"],
  history_delete_sure: ["Delete for good?", "Удалить навсегда?"],
  history_delete_text: [
    "Its questions are forgotten below, too, with what answered them, unless another conversation asks them.",
    "Её вопросы и то, что на них ответило, будут забыты и ниже, в заданных вопросах, если их нет в другой беседе.",
  ],
  history_deleted: [
    "It is deleted, on the screen too. Your next question begins another conversation.",
    "Беседа удалена, с экрана тоже. Следующий вопрос начнёт новую.",
  ],
  history_stop: [
    "Conversations kept so far: {n}. To stop keeping them they are deleted, with their tables. The ledger of what was sent stays until you clear this site’s data in the browser.",
    "Сохранено бесед: {n}. Чтобы перестать их хранить, они будут удалены вместе с таблицами. Журнал отправленного останется, пока вы не очистите данные сайта в браузере.",
  ],
  history_stop_sure: ["Delete them and stop", "Удалить и не хранить"],
  history_problem: [
    "The last question could not be kept: {text}",
    "Последний вопрос не сохранился: {text}",
  ],
  history_shown: [
    "A conversation from {when}. Load its {n?table|tables} again to go on with it.",
    "Беседа от {when}. Чтобы продолжить её, загрузите {n?таблицу|таблицы|таблицы} снова.",
  ],
  history_about: ["It was about {names}.", "Беседа шла о {n?таблице|таблицах|таблицах}: {names}."],
  history_load: ["Choose its file", "Выбрать её файл"],
  history_load_several: ["Choose their files", "Выбрать файлы"],
  history_go_on: [
    "A conversation from {when}. Your next question goes on with it.",
    "Беседа от {when}. Следующий вопрос её продолжит.",
  ],
  // A key in the page
  key_title: ["Send a key from this page", "Отправлять ключ с этой страницы"],
  key_text: [
    "Whoever can run a script or an extension in this page can read a key that is typed here. Safer: npx pinhole proxy keeps the key outside the page.",
    "Ключ, введённый здесь, доступен любому скрипту и расширению на этой странице. Надёжнее npx pinhole proxy: ключ остаётся вне страницы.",
  ],
  key_allow: ["I know, send it all the same", "Понимаю, всё равно отправлять"],
  key: ["Key", "Ключ"],
  key_kept: [
    "It stays in memory until this page is left; it is not saved and not in the ledger. Only the reload for a new address does not take it away.",
    "Он остаётся в памяти, пока открыта страница; не сохраняется и не попадает в журнал. Только перезагрузка ради нового адреса его не стирает.",
  ],
  // What to do
  ledger_empty: [
    "Nothing was asked of a model yet: what is sent to one is listed here, byte for byte.",
    "Модель пока ни о чём не спрашивали: всё, что ей отправлено, появится здесь до байта.",
  ],
  edit_statement: ["Change the statement", "Исправить запрос"],
  open_settings: ["Open settings", "Открыть настройки"],
  hint_unreachable: [
    "Is the server at {host} running? Check the address in the settings.",
    "Работает ли сервер {host}? Проверьте адрес в настройках.",
  ],
  hint_cross_origin: [
    "A browser does not say why. Either nothing answers at {host}, or it answers but does not let pages of {origin} read it (CORS). Start it so that it allows this origin, for example: npx pinhole proxy … --origin {origin}",
    "Браузер не говорит почему. Либо {host} не отвечает, либо отвечает, но не разрешает страницам {origin} читать ответ (CORS). Запустите его с разрешением для этого адреса, например: npx pinhole proxy … --origin {origin}",
  ],
  hint_mixed: [
    "This page came over https, and browsers do not let it call {host} over http. Use an https address.",
    "Страница открыта по https, и браузер не даёт ей обращаться к {host} по http. Укажите адрес https.",
  ],
  hint_not_json: [
    "Something answers at {host}, but no model does. Check the whole address (it often ends in /v1/chat/completions) and the format in the settings.",
    "{host} отвечает, но это не модель. Проверьте в настройках полный адрес (часто он кончается на /v1/chat/completions) и формат.",
  ],
  hint_file_unreachable: [
    "Check the address and the connection. The server must let other pages read the file (CORS); else save the file and drop it here.",
    "Проверьте адрес и связь. Сервер должен разрешать чтение другим страницам (CORS); иначе сохраните файл и перетащите его сюда.",
  ],
  hint_file_status: [
    "Open the address in a tab of its own to see whether there is a file.",
    "Откройте адрес в отдельной вкладке и проверьте, есть ли там файл.",
  ],
  hint_file_kind: [
    "This page reads CSV, TSV, JSON, NDJSON, Arrow and Parquet, all but the last also packed as .gz or .zst. In a spreadsheet: save as, CSV (UTF-8).",
    "Страница читает CSV, TSV, JSON, NDJSON, Arrow и Parquet, все, кроме последнего, и сжатыми .gz или .zst. В табличном редакторе: сохранить как CSV (UTF-8).",
  ],
  hint_file_broken: [
    "The file may have been cut off or changed on its way. Save or download it again.",
    "Возможно, файл оборвался или изменился по пути. Сохраните или скачайте его ещё раз.",
  ],
};
