// All texts at once, for the static page.

import { CHART_TEXTS } from "./chart/texts.js";
import { QUERY_TEXTS } from "./query-texts.js";
import { RECALLED_TEXTS } from "./recalled-texts.js";
import { TABLE_TEXTS } from "./table/texts.js";
import { TEXTS as FIRST } from "./texts.js";

export { fill, readingEnd, saysMore, statusHint, text } from "./texts.js";

export const TEXTS = {
  ...FIRST,
  ...TABLE_TEXTS,
  ...CHART_TEXTS,
  ...QUERY_TEXTS,
  ...RECALLED_TEXTS,
};
