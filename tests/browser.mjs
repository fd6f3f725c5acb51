// Chromium as the tests and fixtures start it.
import { chromium } from "playwright-core";

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
];

const PROGRAM = { executablePath: process.env.PINHOLE_CHROMIUM ?? "/usr/bin/chromium" };

/** Starts headless Chromium, with further switches. */
export function launch(...more) {
  return chromium.launch({ ...PROGRAM, args: [...ARGS, ...more] });
}

/** Starts it with a profile that is kept in a folder. */
export function launchIn(folder) {
  return chromium.launchPersistentContext(folder, { ...PROGRAM, args: ARGS });
}
