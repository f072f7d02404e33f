// Types of strings.mjs.

/** Files of what the server says itself. */
export const serverParts: readonly string[];

export function languages(): string[];

/** Names of the files of a language, without `.json`. */
export function partsOf(language: string, folder?: string): string[];

/** The messages of one file as they are written, by their whole key; of a file that is not there, none. */
export function writtenIn(language: string, part: string, folder?: string): Map<string, string>;

/** Messages of a file that stand for the text of another key: that key, by their own. */
export function linksOf(part: string, folder?: string): Map<string, string>;

/** The messages of one file by their whole key, with the texts that links stand for. */
export function readPart(language: string, part: string, folder?: string): Map<string, string>;

export const messages: {
  readonly name: string;
  readonly enforce: 'pre';
  readonly load: { readonly filter: { readonly id: RegExp[] }; handler(id: string): Promise<string> };
};
