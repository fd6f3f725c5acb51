// Registers the editor of queries, which comes with the first look at a query.

import { define } from "./base.js";
import { QueryEditor } from "./query.js";

define("pinhole-query", QueryEditor);
