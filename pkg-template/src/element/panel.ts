// Where the panel is: dragged and resized by pointer or keys, docked, kept within the window, and
// remembered. The position goes into the element's style object, which a strict policy allows.

import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Dock } from "./types.js";

const MARGIN = 8;
const LEAST = { width: 300, height: 280 };
const FIRST = { width: 440, height: 620 };
const STEP = 16;
const FAR = 64;
/** Below this width of the window the panel takes all of it. */
export const PHONE = 480;

/** A place on the window. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What is remembered. */
interface Remembered extends Place {
  dock: Dock;
}

interface Host extends ReactiveControllerHost {
  dock: Dock;
  storageKey: string;
  /** The element that is placed, while it is shown. */
  readonly panel: HTMLElement | null;
}

export class Placement implements ReactiveController {
  #place: Place | undefined;
  #stop: (() => void) | undefined;

  constructor(
    private readonly host: Host,
    /** Hears of each change by a person. */
    private readonly changed: (what: "moved" | "resized") => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("resize", this.#fit);
  }

  hostDisconnected(): void {
    removeEventListener("resize", this.#fit);
    this.#stop?.();
  }

  hostUpdated(): void {
    this.#fit();
  }

  /** Whether the window leaves no room to move. */
  get phone(): boolean {
    return innerWidth <= PHONE;
  }

  get place(): Place {
    return (this.#place ??= firstPlace());
  }

  /** Begins to follow the pointer: the whole panel, or its far corner. */
  drag(event: PointerEvent, what: "move" | "resize"): void {
    if (event.button !== 0 || this.phone || (what === "move" && this.host.dock !== "none")) return;
    event.preventDefault();
    const from = { ...this.place };
    const { clientX, clientY } = event;
    const move = (next: PointerEvent) => {
      this.#change(what, from, next.clientX - clientX, next.clientY - clientY);
    };
    const stop = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", stop);
      removeEventListener("pointercancel", stop);
      this.#stop = undefined;
      this.#done(what);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", stop);
    addEventListener("pointercancel", stop);
    this.#stop = stop;
  }

  /** Moves or resizes by an arrow key; Home goes back to where it was first. */
  key(event: KeyboardEvent, what: "move" | "resize"): void {
    const step = event.shiftKey ? FAR : STEP;
    const by = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    }[event.key];
    if (event.key === "Home") this.#place = firstPlace();
    else if (by) this.#change(what, { ...this.place }, by[0] ?? 0, by[1] ?? 0);
    else return;
    event.preventDefault();
    this.#fit();
    this.#done(what);
  }

  /** Keeps the dock that was chosen. */
  remember(): void {
    const { storageKey, dock } = this.host;
    if (!storageKey) return;
    const kept: Remembered = { ...this.place, dock };
    try {
      localStorage.setItem(storageKey, JSON.stringify(kept));
    } catch {
      // Nothing can be kept here: the panel begins where it began.
    }
  }

  /** What was remembered, where it can be read. */
  recall(): void {
    try {
      const kept = JSON.parse(localStorage.getItem(this.host.storageKey) ?? "null") as unknown;
      if (typeof kept !== "object" || kept === null) return;
      const { x, y, width, height, dock } = kept as Partial<Remembered>;
      if (![x, y, width, height].every((one) => Number.isFinite(one))) return;
      this.#place = { x, y, width, height } as Place;
      if (dock === "left" || dock === "right" || dock === "none") this.host.dock = dock;
    } catch {
      // As above.
    }
  }

  #change(what: "move" | "resize", from: Place, dx: number, dy: number): void {
    if (what === "move") this.#place = { ...from, x: from.x + dx, y: from.y + dy };
    else {
      // Docked at the right, the edge that moves is the left one.
      const wide = this.host.dock === "right" ? -dx : dx;
      this.#place = { ...from, width: from.width + wide, height: from.height + dy };
    }
    this.#fit();
  }

  #done(what: "move" | "resize"): void {
    this.remember();
    this.changed(what === "move" ? "moved" : "resized");
  }

  /** Puts the panel where it belongs, within the window. */
  readonly #fit = () => {
    const { panel, dock } = this.host;
    if (!panel) return;
    const { style } = panel;
    if (this.phone) {
      for (const name of ["left", "top", "width", "height"]) style.removeProperty(name);
      return;
    }
    const { place } = this;
    const width = clamp(place.width, LEAST.width, innerWidth - 2 * MARGIN);
    const height = clamp(place.height, LEAST.height, innerHeight - 2 * MARGIN);
    const x = clamp(place.x, MARGIN, innerWidth - width - MARGIN);
    const y = clamp(place.y, MARGIN, innerHeight - height - MARGIN);
    this.#place = { x, y, width, height };
    style.width = `${width}px`;
    if (dock === "none") {
      style.left = `${x}px`;
      style.top = `${y}px`;
      style.height = `${height}px`;
    } else for (const name of ["left", "top", "height"]) style.removeProperty(name);
  };
}

/** The lower right of the window. */
function firstPlace(): Place {
  return {
    ...FIRST,
    x: innerWidth - FIRST.width - 3 * MARGIN,
    y: innerHeight - FIRST.height - 3 * MARGIN,
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.round(Math.max(least, Math.min(value, most)));
}
