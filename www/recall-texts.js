// The page's texts about questions asked before, in English and Russian; those that the panel has as
// well come with its own.

export const RECALL_TEXTS = {
  answered_from_before: ["answered as before", "ответ найден среди прежних"],
  // The list
  recall_title: ["Questions asked before", "Заданные вопросы"],
  recall_text: [
    "Each with the query that answered it and the last answer in words; tables are not among them. The same question is answered at once, without a model.",
    "К каждому хранятся запрос, который на него ответил, и последний ответ словами; таблиц здесь нет. На тот же вопрос ответ будет сразу, без модели.",
  ],
  recall_memory: [
    "They are in this tab alone, until it is closed or reloaded; none of them is kept on this device.",
    "Они есть только в этой вкладке, пока её не закроют и не перезагрузят; на устройстве их нет.",
  ],
  recall_device: ["They are kept on this device.", "Они хранятся на этом устройстве."],
  recall_none: [
    "There is nothing here yet that can be answered again.",
    "Пока здесь нет ничего, на что можно ответить снова.",
  ],
  recall_after: [
    "used where the same questions come before it as then",
    "сработает, если перед этим заданы те же вопросы, что и в прошлый раз",
  ],
  recall_about: [
    "first asked {when} · answered from here: {n}",
    "впервые {when} · ответов отсюда: {n}",
  ],
  recall_invalid: [
    "it failed when it last ran and is not used",
    "в последний раз не выполнился и не используется",
  ],
  recall_import: ["Import", "Загрузить из файла"],
  recall_imported: [
    "Added: {added}, replaced: {updated}, kept as they were: {kept}, unreadable lines: {bad}",
    "Добавлено: {added}, заменено: {updated}, оставлено: {kept}, нечитаемых строк: {bad}",
  ],
  recall_trust: [
    "What is imported runs once its question is asked: import only what you trust.",
    "Загруженное выполнится, когда зададут его вопрос: загружайте только то, чему доверяете.",
  ],
  recall_stop: [
    "Questions with what answered them: {n}. They are forgotten on this device, too.",
    "Вопросов с запросами, которыми получены ответы: {n}. Они тоже будут забыты на этом устройстве.",
  ],
};
