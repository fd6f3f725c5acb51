// Rehearsals on the engine's side: what the first calls of the tools for purchases would make is made
// while nobody asks for anything, and whatever is asked for goes first.

import { PinholeError } from "./errors.js";
import type { GlueSession, GlueTasks, Job } from "./glue.js";

/** So long, in ms, nothing is asked for before it goes on. */
const REST = 50;

/** Calls that work, or change what there is: a rehearsal lets go of all it holds before each. */
const WORK = new Set(
  (
    "call_again chat_ask check drop ipc keep_begin keep_next load_begin load_finish load_push load_settle " +
    "print purchases_check query read_tables recall_import recall_leave script_ask script_result source sql tool_execute"
  ).split(" "),
);

/** The rehearsals of a session. */
export class Rehearsing {
  #wanted = false;
  #busy = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The stretch of work that goes on, and whether it was told to stop. */
  #running: { stopped: boolean; over: Promise<void> } | undefined;
  /** Who waits for the end of it. */
  readonly #waiting = new Set<() => void>();

  constructor(
    private readonly session: GlueSession,
    private readonly pause: () => Promise<void>,
    private readonly tasks: GlueTasks,
  ) {}

  /** Begins one over the tables as they are. */
  begin(): void {
    this.#stop();
    this.session.rehearse_begin();
    this.#wanted = true;
    this.#rest();
  }

  /** Runs a call that the page makes: what works goes first. Its answer is handed on as it is. */
  beside(op: string, run: () => unknown): unknown {
    if (!WORK.has(op)) return run();
    const over = () => {
      this.#busy -= 1;
      this.#rest();
    };
    this.#busy += 1;
    let given: unknown;
    try {
      this.#stop();
      given = run();
    } catch (error) {
      over();
      throw error;
    }
    if (given instanceof Promise) given.then(over, over);
    else over();
    return given;
  }

  /** Waits until there is nothing to rehearse any more. A cancel ends the waiting alone. */
  over(onCancel: (run: () => void) => void): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const done = () => {
        this.#waiting.delete(done);
        resolve(true);
      };
      this.#waiting.add(done);
      onCancel(() => {
        this.#waiting.delete(done);
        reject(new PinholeError("cancelled", "cancelled"));
      });
      if (!this.#wanted || this.tasks.dead) done();
    });
  }

  /** Ends it; nothing of it runs any more then. */
  async end(): Promise<void> {
    this.#ended();
    this.#stop();
    await this.#running?.over;
  }

  #ended(): void {
    this.#wanted = false;
    for (const done of [...this.#waiting]) done();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    if (!this.#running || this.#running.stopped || this.tasks.dead) return;
    this.#running.stopped = true;
    this.session.rehearse_pause();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    if (!this.#wanted || this.#busy > 0) return;
    this.#timer = setTimeout(() => {
      if (!this.#running && !this.tasks.dead) this.#goOn();
    }, REST);
  }

  #goOn(): void {
    const running = { stopped: false, over: Promise.resolve() };
    this.#running = running;
    const job: Job = {
      cancelled: () => running.stopped,
      progress: () => undefined,
      pause: this.pause,
      script: () => Promise.reject(new Error("there are no scripts in a rehearsal")),
      // What is done ahead of time opens nothing on the person's disk.
      disk: () => Promise.resolve(undefined),
    };
    running.over = this.session
      .rehearse(job)
      .then((done) => {
        if (done && !running.stopped) this.#ended();
      })
      .catch((error: unknown) => {
        this.#ended();
        this.tasks.trapped?.(error);
      })
      .then(() => {
        this.#running = undefined;
        this.#rest();
      });
  }
}
