// Stands in for the engine's questions asked before: the same question in any case is found, every
// other one is suggested. `shown` is what the results of the session are.

/** The day that counts as today. */
export const today = { now: "2024-12-15", told: "2024-12-15" };

/**
 * What several calls stand on: the rows, how often tables have come or gone, whether they were read.
 * Where they move, one comes as a call is made or a question is asked.
 */
export const rows = { now: "1", changes: 1, unread: false, moves: false };

const fault = (code, message) => ({ code, message, diagnostics: [] });

/** Calls `recall_*` of a session; mixed into it by {@link mix}. */
export class Recalls {
  #sets = new Map();
  #next = 1;
  #revision = 0;

  #set(number) {
    const set = this.#sets.get(number);
    if (!set) throw fault("cancelled", "these records are closed");
    return set;
  }

  #touch(number, id, known = false) {
    this.#revision += 1;
    const { changed } = this.#set(number);
    known &&= changed.get(id)?.known ?? true;
    changed.set(id, { at: this.#revision, known });
  }

  #of(number, context) {
    return [...this.#set(number).records.values()].filter((r) => r.context_code === context);
  }

  open(options) {
    const number = this.#next++;
    this.#sets.set(number, { options, records: new Map(), changed: new Map() });
    return number;
  }

  close(number) {
    this.#sets.delete(number);
  }

  take_in(number, records, gone) {
    const readable = records.filter(({ question }) => typeof question === "string");
    for (const record of readable) this.#take(number, record);
    for (const id of gone) this.#set(number).records.delete(id);
    return records.length - readable.length;
  }

  /** Of two records of one question the later stays; the other is to be forgotten. */
  #take(number, record) {
    const { records } = this.#set(number);
    const question = record.question.toLowerCase();
    const twin = this.#of(number, record.context_code).find(
      ({ id, question: text, after }) =>
        id !== record.id && text.toLowerCase() === question && after === record.after,
    );
    const age = ({ updated_at: at, id }) => `${at}|${String(id).padStart(16, "0")}`;
    if (records.get(record.id)?.updated_at > record.updated_at) return;
    if (twin && age(twin) > age(record)) {
      if (!records.has(record.id)) this.#touch(number, record.id);
      return;
    }
    if (twin) {
      records.delete(twin.id);
      this.#touch(number, twin.id);
    }
    records.set(record.id, record);
  }

  number(context, question) {
    const text = `${context}|${question.toLowerCase()}`;
    return [...text].reduce((sum, c) => sum + c.codePointAt(), 0);
  }

  ask(number, context, question, vector, after) {
    const valid = this.#of(number, context).filter((record) => record.is_valid);
    if (valid.some((record) => this.stands(record).bar === "unread"))
      return { found: "nothing", unread: true, unfit: [] };
    const own = valid.filter((record) => !this.stands(record).bar);
    const asked = own.filter((r) => r.question.toLowerCase() === question.toLowerCase());
    const same =
      asked.find((r) => r.after !== undefined && r.after === after) ??
      asked.find((r) => r.after === undefined);
    if (same) return { found: "run", by: "exact", recheck: false, record: same, unfit: [] };
    const list = this.suggest(number, context, question, {}, vector);
    if (list.suggestions.length === 0) return { found: "nothing", unfit: [] };
    return { found: "suggest", ...list, unfit: [] };
  }

  /** Of these questions all that begin with `and` go on, and of answers those that say `carried`. */
  alone(question) {
    return !question.startsWith("and ");
  }

  /** A day that moves is one of `lately`. */
  unsaid(question, _answered, script) {
    const carried = !this.alone(question) || script.includes("carried");
    return { carried, dated: script.includes("lately") };
  }

  after(before, question, answered) {
    return `${before}>${question.toLowerCase()}=${answered}`;
  }

  stands({ of_day = today.now, over }) {
    if (of_day !== today.now) return { bar: "day" };
    if (over && rows.unread) return { bar: "unread" };
    return over && over[0] !== rows.now ? { bar: "over" } : { standing: String(rows.changes) };
  }

  suggest(number, context, question, { limit = 5 }, vector) {
    const own = this.#of(number, context).filter((record) => record.is_valid && !record.after);
    const suggestions = own.slice(0, limit).map(({ id, question: text }) => ({
      id,
      question: text,
      similarity: vector ? vector[0] : 0.9,
      by: "semantic",
      differs: [],
    }));
    return { high_confidence: false, suggestions };
  }

  save(number, context, { vector, of_today, since, ...kept }, now) {
    if (since !== undefined && (since !== String(rows.changes) || rows.unread))
      throw fault("bad_option", "the tables have changed");
    const same = this.#of(number, context).find(
      (r) => r.question === kept.question && r.after === kept.after,
    );
    const id = same?.id ?? this.number(context, kept.question + (kept.after ?? ""));
    const record = {
      created_at: now,
      usage_count: 0,
      ...same,
      ...kept,
      ...(of_today ? { of_day: today.now } : {}),
      ...(since === undefined ? {} : { over: [rows.now] }),
      id,
      context_code: context,
      updated_at: now,
      ...(vector ? { embedding: { embedder: "own", values: [...vector] } } : {}),
    };
    this.#set(number).records.set(id, record);
    this.#touch(number, id);
    return id;
  }

  get(number, context, id) {
    return this.#of(number, context).find((record) => record.id === id);
  }

  list(number, context) {
    return this.#of(number, context);
  }

  update(number, context, id, edit, now) {
    const record = this.get(number, context, id);
    if (!record) return false;
    Object.assign(record, edit, { updated_at: now });
    this.#touch(number, id);
    return true;
  }

  delete(number, context, id) {
    if (!this.get(number, context, id)) return false;
    this.#set(number).records.delete(id);
    this.#touch(number, id);
    return true;
  }

  finished(number, context, id, { ending, human, result, totals, results, cached, question }, now) {
    const record = this.get(number, context, id);
    if (!record) return false;
    record.usage_count += cached ? 1 : 0;
    if (ending === "failed") record.is_valid = false;
    if (ending === "answered") {
      record.is_valid = true;
      const { words } = cached ? (record.last_result ?? {}) : {};
      const kept = question === undefined ? words : `words of ${human}`;
      const raw = results ?? (totals === undefined ? (result ?? null) : [result, totals]);
      record.last_result = { raw, human, executed_at: now };
      if (kept !== undefined) record.last_result.words = kept;
    }
    this.#touch(number, id);
    return true;
  }

  without_vector(number, context, most) {
    const lacking = this.#of(number, context).filter((r) => !r.embedding && !r.after);
    return lacking.slice(0, most).map(({ id, question }) => ({ id, question }));
  }

  to_leave(number, context, most) {
    const lacking = this.without_vector(number, context, most);
    const there = lacking.filter(({ question }) => !question.includes("elsewhere"));
    const texts = there.map(({ id, question }) => ({ id, text: question }));
    return { texts, waiting: lacking.length - there.length };
  }

  fill(number, context, id, vector) {
    const record = this.get(number, context, id);
    if (!record || vector.every((value) => value === 0)) return false;
    record.embedding = { embedder: "own", values: [...vector] };
    this.#touch(number, id, true);
    return true;
  }

  fill_built_in(number, context, most) {
    const some = this.without_vector(number, context, most);
    for (const { id } of some) this.fill(number, context, id, [1]);
    return some.length;
  }

  prepare(number) {
    return this.#set(number) !== undefined;
  }

  pending(number) {
    const { records, changed } = this.#set(number);
    const ids = [...changed.keys()];
    return {
      revision: this.#revision,
      changes: {
        put: ids.filter((id) => records.has(id)).map((id) => structuredClone(records.get(id))),
        renewed: ids.filter((id) => records.has(id) && changed.get(id).known),
        gone: ids.filter((id) => !records.has(id)),
      },
    };
  }

  confirm(number, revision) {
    const { changed } = this.#set(number);
    for (const [id, { at }] of changed) if (at <= revision) changed.delete(id);
  }

  export(number, context) {
    return this.#of(number, context)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join("");
  }

  import(number, bytes) {
    const lines = new TextDecoder().decode(bytes).split("\n").filter(Boolean);
    for (const line of lines) {
      const record = JSON.parse(line);
      this.#set(number).records.set(record.id, record);
      this.#touch(number, record.id);
    }
    return { added: lines.length, updated: 0, kept: 0, bad: [] };
  }
}

/** Gives a class of sessions the calls `recall_*`. */
export function mix(Session, log) {
  for (const name of Object.getOwnPropertyNames(Recalls.prototype)) {
    if (name === "constructor") continue;
    Session.prototype[`recall_${name}`] = function (...args) {
      this.recalls ??= new Recalls();
      if (name === "unsaid") log.push(["recall_unsaid", ...args]);
      return this.recalls[name](...args);
    };
  }
}
