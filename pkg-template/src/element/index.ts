// The elements of the package: <pinhole-ask> and the parts that stand alone. Importing registers
// them where there are elements to register, and does nothing elsewhere.

import { Answer } from "./answer.js";
import { Ask } from "./ask.js";
import { define } from "./base.js";
import { CopyButton } from "./copy.js";
import { DataView } from "./data.js";
import { QuestionInput } from "./input.js";
import { LedgerView } from "./ledger.js";
import { TurnView } from "./turn-view.js";
import type { PinholeAnswerElement, PinholeAskElement, PinholeLedgerElement } from "./types.js";

export type * from "./types.js";

/** How an element is made by code: `new PinholeAsk()`. */
type Maker<T extends HTMLElement> = new () => T;

export const PinholeAsk: Maker<PinholeAskElement> = Ask;
export const PinholeAnswer: Maker<PinholeAnswerElement> = Answer;
export const PinholeLedger: Maker<PinholeLedgerElement> = LedgerView;

define("pinhole-answer", Answer);
define("pinhole-copy", CopyButton);
define("pinhole-data", DataView);
define("pinhole-ledger", LedgerView);
define("pinhole-input", QuestionInput);
define("pinhole-turn", TurnView);
define("pinhole-ask", Ask);
