// Defines a command: its name, its arguments, its change to the rows here, and the way it is sent. A command that is run becomes a
// mutation; one that outlived its page becomes one again by its name.

import type { Door } from '../sync/door.ts';
import type { Mutation } from '../sync/journal/mutation.ts';
import type { Diff } from '../sync/rows/diff.ts';
import type { Reader, RowChange } from '../sync/rows/store.ts';
import type { Check } from './args.ts';

export interface Definition<A> extends Pick<Mutation, 'hold' | 'silent' | 'announced' | 'yields'> {
  readonly apply: (store: Reader, args: A) => Diff;
  readonly send: (door: Door, args: A) => Promise<readonly RowChange[]>;
}

/** Arguments, and in words what is done with them. */
export type Make<A> = (args: A, label: string) => Mutation;

const known = new Map<string, (args: unknown, label: string) => Mutation | null>();

export function define<A>(name: string, check: Check<A>, definition: Definition<A>): Make<A> {
  const { apply, send, ...manner } = definition;
  const make: Make<A> = (given, label) => {
    const args = wellFormed(given);
    return {
      ...manner,
      name,
      args,
      label,
      apply: (store) => apply(store, args),
      send: (door) => send(door, args),
    };
  };
  if (known.has(name)) throw new Error(`two commands are called ${name}`);
  known.set(name, (args, label) => (check(args) ? make(args, label) : null));
  return make;
}

/** Null where this version has no such command, or takes other arguments. */
export function revive(name: string, args: unknown, label: string): Mutation | null {
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
