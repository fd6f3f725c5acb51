// The texts of questions asked before, in English and Russian.

import { withTexts } from "./texts.js";

export const RECALLED_TEXTS = {
  recall_from: [
    "Asked before, first on {when}. What answered it then has run again over the tables as they are now, without a model.",
    "Этот вопрос уже задавали, впервые {when}. То, что дало ответ тогда, выполнено заново по нынешним таблицам, без модели.",
  ],
  recall_fresh: ["Ask afresh", "Спросить заново"],
  recall_forget: ["Forget", "Забыть"],
  recall_forget_hint: [
    "Forget this question and the query that answered it",
    "Забыть этот вопрос и запрос, который на него ответил",
  ],
  recall_forgotten: [
    "Forgotten. Asked again, it is answered anew.",
    "Забыто. В следующий раз ответ будет новым.",
  ],
  recall_meant: [
    "Perhaps you meant an earlier question:",
    "Возможно, вы имели в виду прежний вопрос:",
  ],
  recall_alike: ["Similar questions asked before: {n}", "Похожие вопросы, заданные раньше: {n}"],
  recall_differs: ["differs in: {what}", "отличия: {what}"],
  recall_problem: [
    "Not all is well with the kept questions: {text}",
    "С хранением вопросов не всё в порядке: {text}",
  ],
  recall_last: ["Then the answer was: {text}", "Тогда ответ был: {text}"],
} satisfies Record<string, readonly [en: string, ru: string]>;

export const text = withTexts(RECALLED_TEXTS);
