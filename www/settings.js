// What the page remembers on this device.

const KEY = "pinhole.settings";

/**
 * @returns {{endpoint?: string, model?: string, wire?: string, hosts?: string[], language?: string,
 *   level?: string, keep?: boolean, unkept?: boolean, sent?: boolean, columns?: object[]}}
 */
export function settings() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** Changes some settings; `undefined` removes one. */
export function save(changes) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...settings(), ...changes }));
  } catch {
    // Storage is switched off: the settings hold until the page is left.
  }
}
