// Defines a command: its name, its arguments and the rows it changes, said once. The screen shows the diff that the changes make of the
// rows here, and the changes themselves are sent. They follow from the arguments alone: a command that outlived its page, and comes back
// by its name, is sent also where its rows aren't known.

import type { Door } from '../sync/door.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import type { Change } from '../sync/procedures.ts';
import type { Diff } from '../sync/rows/diff.ts';
import type { Priority } from '../sync/rows/rows.ts';
import type { Reader, RowChange } from '../sync/rows/store.ts';
import { sendChanges } from './send-changes.ts';
import { showChanges } from './show-changes.ts';

type Options = Pick<Mutation, 'delay' | 'silent' | 'announced' | 'merges'>;

interface Changing<A> {
  readonly changes: (args: A) => readonly Change[];
}

/** Asks a procedure, or writes what depends on the rows as the server has them; what will come of it is shown until then. */
interface Asking<A> {
  readonly apply: (store: Reader, args: A) => Diff;
  readonly send: (door: Door, args: A) => Promise<readonly RowChange[]>;
}

export type Definition<A> = Options & (Changing<A> | Asking<A>);

/** Arguments, and in words what is done with them. */
export type Make<A> = (args: A, label: string) => Mutation;

const known = new Map<string, (args: unknown, label: string) => Mutation | null>();

export function define<A>(name: string, check: Check<A>, definition: Definition<A>): Make<A> {
  const make: Make<A> = (given, label) => {
    const args = wellFormed(given);
    return { ...definition, name, args, label, ...effectsOf(definition, args) };
  };
  if (known.has(name)) throw new Error(`two commands are called ${name}`);
  known.set(name, (args, label) => (check(args) ? make(args, label) : null));
  return make;
}

function effectsOf<A>(definition: Definition<A>, args: A): Pick<Mutation, 'apply' | 'send'> {
  if ('send' in definition)
    return { apply: (store) => definition.apply(store, args), send: (door) => definition.send(door, args) };
  // Asked for once: what is sent names the same moments as what is shown.
  let changes: readonly Change[] | undefined;
  const changesOf = (): readonly Change[] => {
    changes ??= definition.changes(args);
    return changes;
  };
  return { apply: (store) => showChanges(store, changesOf()), send: (door) => sendChanges(door, changesOf()) };
}

/** Null where this version has no such command, or takes other arguments. */
export function restore(name: string, args: unknown, label: string): Mutation | null {
  return known.get(name)?.(args, label) ?? null;
}

/** Half of an emoji, which a field may be left with, is no text. */
function wellFormed<A>(value: A): A;
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\p{Cs}/gu, '');
  if (Array.isArray(value)) return value.map((one) => wellFormed(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, wellFormed(one)]));
}

/** A diff of what is done; rows that are not known here, or are so already, have nothing done to them. */
export function only(...rows: readonly (Diff[number] | null | undefined | false)[]): Diff {
  return rows.filter((one) => one !== null && one !== undefined && one !== false);
}

// ── types of arguments, checked again when a saved command comes back ─────────

export type Check<T> = (value: unknown) => value is T;
export type Checked<C> = C extends Check<infer T> ? T : never;
type Shape = Readonly<Record<string, Check<unknown>>>;
type Of<S extends Shape> = { readonly [K in keyof S]: Checked<S[K]> };

export const text: Check<string> = (value) => typeof value === 'string';
export const flag: Check<boolean> = (value) => typeof value === 'boolean';
export const number: Check<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value);

export const orNull =
  <T>(check: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    value === null || check(value);

/** May be left out. */
export const maybe =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || check(value);

export const oneOf =
  <const T extends string>(...values: readonly T[]): Check<T> =>
  (value): value is T =>
    values.some((one) => one === value);

export const list =
  <T>(check: Check<T>): Check<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.every(check);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const record =
  <S extends Shape>(shape: S): Check<Of<S>> =>
  (value): value is Of<S> =>
    isRecord(value) && Object.entries(shape).every(([name, check]) => check(value[name]));

/** Any of these, and nothing else. */
export const some =
  <S extends Shape>(shape: S): Check<Partial<Of<S>>> =>
  (value): value is Partial<Of<S>> =>
    isRecord(value) && Object.entries(value).every(([name, one]) => shape[name]?.(one) === true);

export const priority = oneOf<Priority>('p0', 'p1', 'p2');

/** What a task holds in a field: the id of an option or a person, or of several. */
const textOrTexts: Check<string | readonly string[]> = (value): value is string | readonly string[] =>
  text(value) || list(text)(value);
export const fieldValue = record({ fieldId: text, value: textOrTexts });
