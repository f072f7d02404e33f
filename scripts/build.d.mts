// What tests use of build.mjs.

/** Path of a main.js built from the sources as they are now. */
export function buildServerAside(): Promise<string>;
