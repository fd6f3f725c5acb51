// The host of an endpoint as it is shown: what reads its codes comes where there are some.

import type { shownHost } from "./hosts.js";

let shown: typeof shownHost | undefined;

/** A host as people read it; `changed` hears when that is known. */
export function hostNow(host: string, changed: () => void): string {
  if (!host.includes("xn--")) return host;
  if (shown) return shown({ host });
  void import("./hosts.js").then(
    (hosts) => {
      shown = hosts.shownHost;
      changed();
    },
    // It stands as it is written in an address.
    () => undefined,
  );
  return host;
}
