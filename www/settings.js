// What the page remembers on this device.

const KEY = "pinhole.settings";

function saved() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** Where questions go is for this tab to say: what another one saves holds here after a reload. */
const { endpoint, model, wire } = saved();
const own = { endpoint, model, wire };

/**
 * @returns {{endpoint?: string, model?: string, wire?: string, hosts?: string[], language?: string,
 *   level?: string, keep?: boolean, unkept?: boolean, sent?: boolean, columns?: object[]}}
 */
export function settings() {
  return { ...saved(), ...own };
}

/** Changes some settings; `undefined` removes one. */
export function save(changes) {
  for (const name of Object.keys(own)) if (name in changes) own[name] = changes[name];
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...saved(), ...changes }));
  } catch {
    // Storage is switched off: where questions go holds until the page is left.
  }
}

/** Whether another tab has saved that questions go elsewhere. */
export function savedElsewhere() {
  const where = ({ endpoint, model, wire = "openai-chat" }) =>
    endpoint ? JSON.stringify([endpoint, model, wire]) : "";
  return where(saved()) !== where(own);
}
