// Code in its colours. What knows languages is fetched when the first block of code is there.

import type { Stretch } from './highlighter.ts';

type Highlighter = (code: string, language: string) => Stretch[];

/** Longer code than this is left as it is: nobody reads it here, and it would cost every key. */
export const longestCode = 20_000;

let here: Highlighter | null = null;

export function highlighterHere(): Highlighter | null {
  return here;
}

export async function fetchHighlighter(): Promise<Highlighter> {
  here ??= (await import('./highlighter.ts')).stretchesOf;
  return here;
}

/** Where it is read: the text of the element in stretches, each a text of its own. */
export async function highlightElement(element: HTMLElement, language: string): Promise<void> {
  const code = element.textContent ?? '';
  if (language === '' || code.length > longestCode) return;
  const find = here ?? (await fetchHighlighter());
  if (element.textContent !== code) return;
  const stretches = find(code, language);
  if (stretches.length === 0) return;
  const pieces: (string | HTMLElement)[] = [];
  let at = 0;
  for (const { from, to, kind } of stretches) {
    const piece = document.createElement('span');
    piece.dataset.code = kind;
    piece.textContent = code.slice(from, to);
    pieces.push(code.slice(at, from), piece);
    at = to;
  }
  element.replaceChildren(...pieces, code.slice(at));
}
