// Parses a new task typed in one line: "Order rope @bob #urgent !high due friday". Recognised parts become properties of the task and leave the
// title; unknown or dismissed ones stay in it. At the end of the line days and priorities need no sign: "Order rope tomorrow p1".

import { t } from '../../strings/messages.ts';
import type { LabelRow, Priority } from '../../sync/rows/rows.ts';
import { readDays, readWholeDay } from '../days/read-day.ts';
import type { Person } from '../people/people.ts';
import { plain } from './search.ts';

export interface LinePart {
  readonly kind: 'assignee' | 'label' | 'priority' | 'due';
  /** The person, label, priority or day. */
  readonly is: string;
  /** As it was typed. */
  readonly typed: string;
}

export interface TaskLine {
  readonly title: string;
  readonly parts: readonly LinePart[];
}

/** What names in a line may mean. */
export interface LineWords {
  readonly people: readonly Person[];
  readonly labels: readonly LabelRow[];
  readonly userId: string;
  readonly today: string;
}

/** Parts may follow each other without a space: "@bob#urgent". */
const pieces = /!{1,2}[^@#^!]*|[@#^][^@#^!]*/g;
/** "in the next two weeks" is no day, and nothing longer is. */
const mostDayWords = 4;
const mostNameWords = 4;
export const priorities: readonly Priority[] = ['p0', 'p1', 'p2'];

/** `takenBack`: parts, as they were typed, that are words of the title after all. */
export function readTaskLine(line: string, words: LineWords, takenBack: ReadonlySet<string> = new Set()): TaskLine {
  const typed = line.trim().split(/\s+/);
  const title: string[] = [];
  const parts: LinePart[] = [];
  const ending = readEnding(typed, words, takenBack);
  for (let at = 0; at < typed.length; at++) {
    const word = typed[at] ?? '';
    const after = typed.slice(at + 1);
    const found = /^[@#!^]/.test(word)
      ? readSigns(word, after, words, takenBack)
      : (ending.get(at) ?? readDue(word, after, words, takenBack));
    parts.push(...found.parts);
    if (found.rest !== '') title.push(found.rest);
    at += found.used;
  }
  // A task has a title, whatever it is made of.
  if (parts.length === 0 || title.length === 0) return { title: line.trim(), parts: [] };
  return { title: title.join(' '), parts: parts.filter((part, at) => isLast(parts, part, at)) };
}

/** One day and one priority: the last that was said; a person and a label once. */
function isLast(parts: readonly LinePart[], part: LinePart, at: number): boolean {
  const single = part.kind === 'due' || part.kind === 'priority';
  return !parts.slice(at + 1).some((later) => later.kind === part.kind && (single || later.is === part.is));
}

/** Days and priorities without a sign, from the last word back to the first that is neither, by their place in the line. */
function readEnding(
  typed: readonly string[],
  { today }: LineWords,
  takenBack: ReadonlySet<string>,
): Map<number, Found> {
  const ending = new Map<number, Found>();
  let end = typed.length;
  while (end > 0) {
    const found = /^[@#!^]/.test(typed[end - 1] ?? '') ? { used: 1, part: undefined } : readBare(typed, end, today);
    if (found === undefined) break;
    end -= found.used;
    const { part } = found;
    // "due friday" was taken back whole.
    const isTakenBack = [...takenBack].some((one) => one === part?.typed || one.endsWith(` ${part?.typed}`));
    if (part && !isTakenBack) ending.set(end, { parts: [part], rest: '', used: found.used - 1 });
  }
  return ending;
}

/** What the words before `end` mean, most of them first. */
function readBare(
  typed: readonly string[],
  end: number,
  today: string,
): { readonly used: number; readonly part: LinePart } | undefined {
  const last = typed[end - 1] ?? '';
  const priority = priorities.find((one) => one === last.toLowerCase());
  if (priority !== undefined) return { used: 1, part: { kind: 'priority', is: priority, typed: last } };
  for (let used = Math.min(end, mostDayWords); used > 0; used--) {
    const text = typed.slice(end - used, end).join(' ');
    const day = readWholeDay(text, today);
    if (day !== undefined) return { used, part: { kind: 'due', is: day, typed: text } };
  }
  return undefined;
}

interface Found {
  readonly parts: readonly LinePart[];
  /** What of the word stays in the title. */
  readonly rest: string;
  /** How many of the words after it belong to it. */
  readonly used: number;
}

function readSigns(word: string, after: readonly string[], words: LineWords, takenBack: ReadonlySet<string>): Found {
  const signs = word.match(pieces) ?? [];
  const parts: LinePart[] = [];
  let rest = '';
  let used = 0;
  signs.forEach((piece, at) => {
    const isLastPiece = at === signs.length - 1;
    const following = isLastPiece ? after : [];
    // A sign alone is a priority only at the end or beside other parts: "Stop ! Now" is a title.
    const alone = signs.length > 1 || after.length === 0;
    const found = readPiece(piece, following, words, alone);
    const part = found && { ...found, typed: [piece, ...following.slice(0, found.used)].join(' ') };
    if (part === undefined || takenBack.has(part.typed)) rest += piece;
    else {
      parts.push({ kind: part.kind, is: part.is, typed: part.typed });
      used = part.used;
    }
  });
  return { parts, rest, used };
}

type Read = Pick<LinePart, 'kind' | 'is'> & Pick<Found, 'used'>;

function readPiece(piece: string, after: readonly string[], words: LineWords, alone: boolean): Read | undefined {
  const sign = piece[0];
  const name = piece.slice(1);
  if (sign === '!') return priorityNamed(piece, alone);
  if (name === '') return undefined;
  if (sign === '^') {
    const { day, used } = longestDay([name, ...after], words.today, 1);
    return day === undefined ? undefined : { kind: 'due', is: day, used: used - 1 };
  }
  const people = words.people.map(({ userId, name }) => ({ id: userId, name }));
  if (sign === '@' && plain(name) === plain(t('board.line.me'))) return { kind: 'assignee', is: words.userId, used: 0 };
  const found = named(sign === '@' ? people : words.labels, name, after);
  return found && { kind: sign === '@' ? 'assignee' : 'label', is: found.id, used: found.used };
}

/** Whole names first, longer ones before shorter; else the first of which a word begins so. */
function named(all: readonly { readonly id: string; readonly name: string }[], name: string, after: readonly string[]) {
  for (let used = Math.min(after.length, mostNameWords - 1); used >= 0; used--) {
    const text = plain([name, ...after.slice(0, used)].join(' '));
    const whole = all.find((one) => plain(one.name) === text);
    if (whole) return { id: whole.id, used };
  }
  const begun = plain(name);
  const found =
    all.find((one) => plain(one.name).startsWith(begun)) ??
    all.find((one) =>
      plain(one.name)
        .split(/[\s-]/)
        .some((word) => word.startsWith(begun)),
    );
  return found && { id: found.id, used: 0 };
}

function priorityNamed(piece: string, alone: boolean): Read | undefined {
  const name = plain(piece.replace(/^!+/, ''));
  if (piece === '!!') return { kind: 'priority', is: 'p0', used: 0 };
  if (name === '') return alone ? { kind: 'priority', is: 'p1', used: 0 } : undefined;
  const is =
    priorities[['1', '2', '3'].indexOf(name)] ??
    priorities.find((priority) => priority === name) ??
    priorities.find((priority) => plain(t(`common.priorities.${priority}`)).startsWith(name));
  return is && { kind: 'priority', is, used: 0 };
}

function readDue(word: string, after: readonly string[], words: LineWords, takenBack: ReadonlySet<string>): Found {
  const none: Found = { parts: [], rest: word, used: 0 };
  if (!t('board.line.due').split('|').map(plain).includes(plain(word).replace(/:$/, ''))) return none;
  const { day, used } = longestDay(after, words.today, 3);
  const typed = [word, ...after.slice(0, used)].join(' ');
  if (day === undefined || takenBack.has(typed)) return none;
  return { parts: [{ kind: 'due', is: day, typed }], rest: '', used };
}

/** The day that most of the words mean together; in a sentence parts of words mean none. */
function longestDay(words: readonly string[], today: string, least: number): { day: string | undefined; used: number } {
  const bare = words.findIndex((word, at) => at > 0 && /^[@#!^]/.test(word));
  const most = Math.min(bare < 0 ? words.length : bare, mostDayWords);
  for (let used = most; used > 0; used--) {
    const [day] = readDays(words.slice(0, used).join(' '), today, used > 1 ? 3 : least);
    if (day !== undefined) return { day, used };
  }
  return { day: undefined, used: 0 };
}
