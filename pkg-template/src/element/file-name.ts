// What a file is called that a person saves of an answer: after the question.

/** Characters of the question that a name has room for. */
const LONG = 60;

/** The words of a question as the name of a file, some `parts` behind them; empty where there are none. */
export function fileName(question: string, ...parts: string[]): string {
  const words = question.normalize("NFC").toLowerCase();
  let name = "";
  for (const word of words.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []) {
    const longer = name === "" ? Array.from(word).slice(0, LONG).join("") : `${name}-${word}`;
    if (longer.length > LONG && name !== "") break;
    name = longer;
  }
  return [name, ...parts].filter(Boolean).join("-");
}
