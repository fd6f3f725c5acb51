// Whether a pointer has come to something, or something to a pointer that rests: a page that moves below
// it, or an answer that comes in, opens nothing.

let at: [x: number, y: number] | undefined;
let watching = false;

/** Begins to watch where the pointer is; once for a page. */
export function watchPointer(): void {
  if (watching) return;
  watching = true;
  const look = ({ screenX, screenY }: PointerEvent): void => {
    at = [screenX, screenY];
  };
  for (const type of ["pointermove", "pointerdown"] as const) {
    // After those that ask here.
    addEventListener(type, look, { passive: true });
  }
}

/** Whether the pointer of an event is where it was before. */
export function isResting({ screenX, screenY }: MouseEvent): boolean {
  return at?.[0] === screenX && at[1] === screenY;
}
