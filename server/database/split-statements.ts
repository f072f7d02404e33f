// Splits SQL text into statements and recognises those that control transactions. Knows the places where a semicolon ends nothing: strings,
// quoted names, dollar quotes, comments, parentheses and SQL function bodies (`begin atomic … end`).

export interface Statement {
  /** From its first word up to its semicolon, which is left out. */
  readonly text: string;
  /** The same without comments, and with one space for any blank between words; what is quoted stays as it is. */
  readonly bare: string;
  /** Where it begins in the whole text. */
  readonly start: number;
  /** The line of its first word, from 1. */
  readonly line: number;
  /** Its first words in lower case, comments left out. */
  readonly words: readonly string[];
}

const blank = /(?:\s+|--[^\n]*)+/y;
const word = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;
const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
const plainString = /'(?:[^']|'')*'?/y;
const escapeString = /'(?:[^'\\]|''|\\[\s\S])*'?/y;
const quotedName = /"(?:[^"]|"")*"?/y;
const wordsRead = 5;

export function splitStatements(text: string): Statement[] {
  const found: Statement[] = [];
  let at = 0;
  let start = -1;
  let bare = '';
  let words: string[] = [];
  let parentheses = 0;
  let bodies = 0;
  let counted = 0;
  let line = 1;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  const finish = (end: number): void => {
    if (start >= 0) {
      for (; counted < start; counted++) if (text.charCodeAt(counted) === 10) line++;
      found.push({ text: text.slice(start, end).trimEnd(), bare: bare.trimEnd(), start, line, words });
    }
    start = -1;
    bare = '';
    words = [];
    parentheses = 0;
    bodies = 0;
  };
  while (at < text.length) {
    const skipped = match(blank)?.length ?? (text.startsWith('/*', at) ? commentLength(text, at) : 0);
    if (skipped > 0) {
      at += skipped;
      if (bare !== '' && !bare.endsWith(' ')) bare += ' ';
      continue;
    }
    const character = text[at] ?? '';
    if (character === ';' && parentheses === 0 && bodies === 0) {
      finish(at);
      at += 1;
      continue;
    }
    if (start < 0) start = at;
    const from = at;
    const name = match(word);
    if (name !== null) {
      at += name.length;
      if (text[at] === "'" && /^e$/i.test(name)) at += match(escapeString)?.length ?? 0;
      else {
        const lower = name.toLowerCase();
        if (words.length < wordsRead) words.push(lower);
        if (parentheses === 0 && makesRoutine(words)) bodies = Math.max(0, bodies + bodyStep(lower, bodies));
      }
      bare += text.slice(from, at);
      continue;
    }
    if (character === '(') parentheses += 1;
    else if (character === ')') parentheses = Math.max(0, parentheses - 1);
    at += quotedLength(character, match, text, at);
    bare += text.slice(from, at);
  }
  finish(text.length);
  return found;
}

function quotedLength(character: string, match: (pattern: RegExp) => string | null, text: string, at: number): number {
  if (character === "'") return match(plainString)?.length ?? 1;
  if (character === '"') return match(quotedName)?.length ?? 1;
  const tag = character === '$' ? match(dollarTag) : null;
  if (tag === null) return 1;
  const end = text.indexOf(tag, at + tag.length);
  return end < 0 ? text.length - at : end + tag.length - at;
}

/** Comments of this kind may stand inside one another. */
function commentLength(text: string, at: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = at;
  let depth = 0;
  for (let found = edge.exec(text); found !== null; found = edge.exec(text)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return edge.lastIndex - at;
  }
  return text.length - at;
}

function makesRoutine(words: readonly string[]): boolean {
  if (words[0] !== 'create') return false;
  const kind = words[1] === 'or' && words[2] === 'replace' ? words[3] : words[1];
  return kind === 'function' || kind === 'procedure';
}

/** `begin atomic` opens a body, `case` inside of one opens what the next `end` closes. */
function bodyStep(name: string, bodies: number): number {
  if (name === 'begin') return 1;
  if (name === 'case') return bodies > 0 ? 1 : 0;
  return name === 'end' ? -1 : 0;
}

export type TransactionStep = 'begin' | 'end' | 'other';

/** Whether a statement begins or ends a transaction, plainly or in one of the other ways there are; null when it does neither. */
export function transactionStep({ words }: Statement): TransactionStep | null {
  const [first = '', second, third] = words;
  const plain = second === undefined || ((second === 'transaction' || second === 'work') && third === undefined);
  if (first === 'begin') return plain ? 'begin' : 'other';
  if (first === 'start') return second === 'transaction' ? (plain ? 'begin' : 'other') : null;
  if (first === 'commit' || first === 'end') return plain ? 'end' : 'other';
  if (first === 'abort') return 'other';
  if (first === 'rollback') return second === 'to' || third === 'to' ? null : 'other';
  return first === 'prepare' && second === 'transaction' ? 'other' : null;
}
