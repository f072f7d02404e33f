// Types of build.mjs, for tests.

/** Path of a main.js built from the sources as they are now. */
export function buildServerAside(): Promise<string>;

/** A directory with the pages built from the sources as they are now. */
export function buildPagesAside(): Promise<string>;

/** A directory with the same pages, where every file has another name. */
export function buildSecondPagesAside(): Promise<string>;

/** A directory with the same pages in the pseudo-language of pseudo-language.mjs. */
export function buildPseudoPagesAside(): Promise<string>;

/** Of the contents of these files and directories of ours. */
export function hashOf(sources: readonly string[]): string;

/** What the bundle leaves outside. */
export const external: readonly RegExp[];
