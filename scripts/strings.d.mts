// Types of strings.mjs.

/** Files of what the server says itself. */
export const serverParts: readonly string[];

export function languages(): string[];

/** Names of the files of a language, without `.json`. */
export function partsOf(language: string): string[];

/** The messages of one file by their whole key; of a file that is not there, none. */
export function readPart(language: string, part: string): Map<string, string>;

export const messages: {
  readonly name: string;
  readonly enforce: 'pre';
  readonly load: { readonly filter: { readonly id: RegExp[] }; handler(id: string): Promise<string> };
};
