// Ticking a box in a text that is read: which line of its Markdown that changes, and to what.

import { Marked, type Token, type Tokens } from 'marked';

const marked = new Marked({ gfm: true, breaks: true });

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
  marked.walkTokens(marked.lexer(text), (token: Token) => {
    if (token.type !== 'list_item') return;
    const { task, checked, text } = token as Tokens.ListItem;
    if (task) boxes.push({ checked: checked === true, words: text.split('\n', 1)[0]?.trim() ?? '' });
  });
  return boxes;
}

/** A line that may hold a box: after quotes and markers of lists. */
const boxed = /^((?:[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t])+[ \t]*)\[([ xX])\](?=\s|$)/;

/** Null: there is no such box, or it cannot be told which line it is. */
export function tickLine(text: string, place: number, done: boolean): TickedLine | null {
  const before = boxesOf(text);
  const box = before[place];
  if (box === undefined) return null;
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    if (!boxed.test(line)) continue;
    const changed = line.replace(boxed, (_, lead) => `${lead}[${done ? 'x' : ' '}]`);
    // The right line is the one that changes this box and no other; code that looks like a box changes none.
    const after = boxesOf(lines.with(at, changed).join('\n'));
    const isIt =
      after.length === before.length &&
      after.every((one, other) => one.checked === (other === place ? done : before[other]?.checked));
    if (!isIt || (changed === line && box.checked !== done)) continue;
    if (changed === line) return null;
    return { line, changed, nth: lines.slice(0, at).filter((one) => one === line).length, words: box.words };
  }
  return null;
}
