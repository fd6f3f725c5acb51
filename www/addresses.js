// Addresses as people read them: Cyrillic instead of its codes, where nobody could take it for something
// else.

import { shownHost } from "./pinhole/element/hosts.js";

export { shownHost };

/** What is not seen, or turns the line around. */
const UNSEEN = /[\p{C}\p{Z}]/u;

/** The scheme and the host of an address. */
export function shownOrigin(address) {
  const url = new URL(address);
  return `${url.protocol}//${shownHost(url)}`;
}

/** A name of a file that stood in an address. */
export function shownName(name) {
  try {
    const decoded = decodeURIComponent(name);
    return UNSEEN.test(decoded.replaceAll(" ", "")) ? name : decoded;
  } catch {
    return name;
  }
}
