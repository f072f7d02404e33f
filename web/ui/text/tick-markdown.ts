// Ticking a box in a text that is read: which line of its Markdown that changes, and to what.

import { type Token, type Tokens, walkTokens } from 'marked';
import { lexBounded, MarkdownOverrun } from './bounded-lexer.ts';

export interface TickedLine {
  readonly line: string;
  readonly changed: string;
  /** Which of the lines that say the same. */
  readonly nth: number;
  /** What stands beside the box. */
  readonly words: string;
}

interface Box {
  readonly checked: boolean;
  readonly words: string;
}

/** All boxes, in the order they are drawn. */
function boxesOf(text: string): Box[] {
  const boxes: Box[] = [];
  walkTokens(lexBounded(text, { gfm: true, breaks: true }), (token: Token) => {
    if (token.type !== 'list_item') return;
    const { task, checked, text } = token as Tokens.ListItem;
    if (task) boxes.push({ checked: checked === true, words: text.split('\n', 1)[0]?.trim() ?? '' });
  });
  return boxes;
}

/** A line that may hold a box: after quotes and markers of lists. Each space can be read in one way only, so it is linear. */
const boxed = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t][ \t>]*)+)\[([ xX])\](?=\s|$)/;

/** Boxes that only look like one, in code say, are stepped over; a text with many of them is ticked by editing it. */
const maxTries = 20;

/** Null: there is no such box, it is ticked already, or its line can't be found. */
export function tickLine(text: string, place: number, done: boolean): TickedLine | null {
  try {
    return findLine(text, place, done);
  } catch (fault) {
    if (fault instanceof MarkdownOverrun) return null;
    throw fault;
  }
}

function findLine(text: string, place: number, done: boolean): TickedLine | null {
  const before = boxesOf(text);
  const box = before[place];
  if (box === undefined || box.checked === done) return null;
  const lines = text.split('\n');
  const candidates = lines.flatMap((line, at) => (boxed.test(line) ? [at] : []));
  const tried = new Set<number>();
  let next = place;
  while (tried.size < maxTries && next < candidates.length) {
    tried.add(next);
    const at = candidates[next] ?? 0;
    const line = lines[at] ?? '';
    const found = line.replace(boxed, (_, lead: string, mark: string) => `${lead}[${mark === ' ' ? 'x' : ' '}]`);
    const flipped = changedBox(before, boxesOf(lines.with(at, found).join('\n')));
    if (flipped === place) {
      const changed = line.replace(boxed, (_, lead: string) => `${lead}[${done ? 'x' : ' '}]`);
      return { line, changed, nth: lines.slice(0, at).filter((one) => one === line).length, words: box.words };
    }
    // Lines that are no boxes push those after them on, so that a line is never before its box.
    if (flipped !== null && flipped < place) next += place - flipped;
    while (tried.has(next)) next++;
  }
  return null;
}

/** The one box that differs; null: none does, or more than one. */
function changedBox(before: readonly Box[], after: readonly Box[]): number | null {
  if (before.length !== after.length) return null;
  const changed = before.flatMap((box, at) => (box.checked === after[at]?.checked ? [] : [at]));
  return changed.length === 1 ? (changed[0] ?? null) : null;
}
