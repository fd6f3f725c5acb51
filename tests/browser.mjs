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

const { PINHOLE_CHROMIUM = "/usr/bin/chromium", PINHOLE_HEADLESS = PINHOLE_CHROMIUM } = process.env;

/** Starts headless Chromium, with further switches. */
export function launch(...more) {
  return chromium.launch({ executablePath: PINHOLE_HEADLESS, args: [...ARGS, ...more] });
}

/** Starts the whole of it. */
export function launchWhole(...more) {
  return chromium.launch({ executablePath: PINHOLE_CHROMIUM, args: [...ARGS, ...more] });
}

/** Starts the whole of it with a profile that is kept in a folder. */
export function launchIn(folder) {
  return chromium.launchPersistentContext(folder, { executablePath: PINHOLE_CHROMIUM, args: ARGS });
}
