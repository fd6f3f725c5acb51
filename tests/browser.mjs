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

/** Starts headless Chromium, with further switches. */
export function launch(...more) {
  return chromium.launch({
    executablePath: process.env.PINHOLE_CHROMIUM ?? "/usr/bin/chromium",
    args: [...ARGS, ...more],
  });
}
