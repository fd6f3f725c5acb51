// Callbacks of the page that hear of something.

/** Calls one. What it throws then is the page's own, like that of any listener: nothing ends with it. */
export function tell<T extends unknown[]>(
  listener: ((...given: T) => unknown) | undefined,
  ...given: T
): void {
  try {
    listener?.(...given);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
