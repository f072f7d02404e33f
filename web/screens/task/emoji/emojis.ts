// Every emoji by its name and words to find it by, in the reader's language; fetched when a picker opens. scripts/write-emoji.mjs writes the
// files beside this one.

import { plain } from '../../../queries.ts';

interface Emoji {
  readonly emoji: string;
  readonly name: string;
  /** Name and further words. */
  readonly words: string;
}

/** By emoji: name; words. */
type Names = Readonly<Record<string, string>>;

const languages = import.meta.glob<{ default: Names }>('./*.json');
let all: readonly Emoji[] = [];

export async function loadEmojis(): Promise<void> {
  const load = languages[`./${document.documentElement.lang}.json`] ?? languages['./en.json'];
  if (load === undefined || all.length > 0) return;
  // Whoever fetches the picker would take what is fetched again for the picker itself.
  const { default: names } = await load().catch((cause: unknown) => {
    throw new Error('Names of emoji could not be fetched', { cause });
  });
  all = listOf(names);
}

export function listOf(names: Names): Emoji[] {
  return Object.entries(names).map(([emoji, words]) => {
    const [name = '', more = ''] = words.split(';');
    return { emoji, name, words: plain(`${name} ${more}`) };
  });
}

/** In the order of the keyboard; those whose name begins as the text does come first. */
export function findEmojis(text: string, among: readonly Emoji[] = all): readonly Emoji[] {
  const wanted = plain(text.trim()).split(/\s+/);
  const found = among.filter(({ emoji, words }) =>
    wanted.every((one) => emoji === one || words.startsWith(one) || words.includes(` ${one}`)),
  );
  const begins = (one: Emoji): boolean => one.words.startsWith(wanted.join(' '));
  return [...found.filter(begins), ...found.filter((one) => !begins(one))];
}
