// Put in place of these globals when the elements are bundled: a server that imports the package
// has none of them, and importing does nothing there.

export const HTMLElement = globalThis.HTMLElement ?? class {};
export const document = globalThis.document ?? { createTreeWalker: () => ({}) };
