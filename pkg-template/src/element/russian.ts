// The genitive of Russian words, as far as rules give it: `сумма выручки`. What is irregular has none.

/** Words of ours that no rule here is right about. */
const OWN: Record<string, string> = {
  день: "дня",
  время: "времени",
  перцентиль: "перцентиля",
  тень: "тени",
  разных: "разных",
};

const ADJECTIVES: [end: RegExp, of: string][] = [
  [/ое$/u, "ого"],
  [/ее$/u, "его"],
  [/ая$/u, "ой"],
  [/яя$/u, "ей"],
];

/** Nouns in which a vowel falls out, or that are declined otherwise; those of many, and adjectives. */
const IRREGULAR =
  /(?:ок|ек|ёк|ец|ень|мя|ый|ий|ой|ая|яя|ое|ее|ые|ие|уда|ения|ания|места|числа|слова)$/u;
const REGULAR = /(?:ание|ение|ятие|стие)$/u;

/** `Выручка` within a sentence; capitals of an abbreviation stay. */
function plain(name: string): string {
  const rest = name.slice(1);
  return rest === rest.toLowerCase() ? name.toLowerCase() : name;
}

/** The genitive of one regular noun in the singular; none of anything else. */
export function genitive(name: string): string | undefined {
  const word = plain(name);
  if (!/^[а-яё]{3,}$/iu.test(word)) return undefined;
  if (IRREGULAR.test(word) && !REGULAR.test(word)) return undefined;
  if (/[гкхжчшщ]а$/u.test(word)) return word.replace(/а$/u, "и");
  if (word.endsWith("а")) return word.replace(/а$/u, "ы");
  if (/(?:я|сть)$/u.test(word)) return word.replace(/[яь]$/u, "и");
  if (word.endsWith("ие")) return word.replace(/е$/u, "я");
  if (word.endsWith("о")) return word.replace(/о$/u, "а");
  return /[бвгджзклмнпрстфхцчшщ]$/u.test(word) ? `${word}а` : undefined;
}

/** Words of ours in the genitive: their noun, and what stands before it. */
export function ofPhrase(phrase: string): string {
  const [first = "", ...rest] = phrase.split(" ");
  const [end, of = ""] = ADJECTIVES.find(([one]) => one.test(first)) ?? [];
  // «Среднее» is a noun of its own.
  const alone = first === "среднее" || rest.length === 0;
  const tail = end && !alone ? ofPhrase(rest.join(" ")) : rest.join(" ");
  const head = OWN[first] ?? (end ? first.replace(end, of) : (genitive(first) ?? first));
  return [head, tail].filter(Boolean).join(" ");
}
