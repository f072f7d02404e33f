// "Perhaps you meant": the closest name by shared letter groups, weighed by edit distance. What may be suggested is
// decided by the caller's rights, so the names are asked for only when an error is about to be answered.

import type { ErrorWords } from '../../errors.ts';
import type { Catalog, Name, Relationship, Routine } from '../catalog/catalog.ts';
import { DataError, type DataErrorCode } from '../errors.ts';

/** What the caller's role may see of a schema. */
export interface Visible {
  tables(schema: string): ReadonlySet<string>;
  routines(schema: string): ReadonlySet<string>;
  mayRead(table: Name, column: string): boolean;
  /** This overload, not only one of the name. */
  mayCall(routine: Routine): boolean;
}

interface Suggestion {
  readonly hint: string | null;
  readonly details?: unknown;
  readonly message?: string;
}

/** An error whose hint names things of the database: `suggest` makes it for what a role may see. */
export class SuggestingError extends DataError {
  constructor(
    code: DataErrorCode,
    words: ErrorWords,
    readonly suggest: (catalog: Catalog, visible: Visible) => Suggestion,
    structuredDetails?: unknown,
  ) {
    super(code, words, structuredDetails);
  }
}

/** Names that a client sent, as far as an error repeats them. */
export const shown = (names: string): string => (names.length > 2000 ? `${names.slice(0, 2000)}…` : names);

function grams(text: string, size: number): Map<string, number> {
  const padded = `-${text.toLowerCase().replace(/[^a-z0-9\u00c0-\u00ff, ]+/g, '')}-`.padEnd(size, '-');
  const counts = new Map<string, number>();
  for (let at = 0; at + size <= padded.length; at++) {
    const gram = padded.slice(at, at + size);
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++)
      row.push(
        Math.min(
          (previous[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (previous[j - 1] ?? 0) + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1),
        ),
      );
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** Matches at least `least` alike, best first, each with its score; 1 is the same but for letter case. */
export function closest(
  names: Iterable<string>,
  wanted: string,
  least = 0.33,
): (readonly [score: number, name: string])[] {
  const text = wanted.slice(0, 200).toLowerCase();
  const candidates = [...names];
  const exact = candidates.find((name) => name.toLowerCase() === text);
  if (exact !== undefined) return [[1, exact]];
  for (const size of [3, 2]) {
    const own = grams(text, size);
    const found = candidates
      .filter((name) => [...grams(name, size).keys()].some((gram) => own.has(gram)))
      .map((name): [number, string] => {
        const other = name.toLowerCase();
        return [1 - editDistance(text, other) / Math.max(text.length, other.length), name];
      })
      .filter(([score]) => score >= least)
      .sort(([a], [b]) => b - a);
    if (found.length > 0) return found;
  }
  return [];
}

const foreignName = (relationship: Relationship): string => relationship.foreign.name;

export function suggestTable(schema: string, name: string): SuggestingError['suggest'] {
  return (_catalog, visible) => {
    const found = closest(visible.tables(schema), name, 0.75)[0];
    return { hint: found === undefined ? null : `Perhaps you meant the table '${schema}.${found[1]}'` };
  };
}

export function suggestRelationship(schema: string, parent: string, child: string): SuggestingError['suggest'] {
  return (catalog, visible) => {
    const tables = visible.tables(schema);
    const bySchema = catalog.relationships.get(schema);
    const own = tables.has(parent) ? bySchema?.get(parent) : undefined;
    if (own === undefined) {
      const parents = [...(bySchema?.keys() ?? [])].filter((name) => tables.has(name));
      const found = closest(parents, parent)[0];
      return { hint: found === undefined ? null : `Perhaps you meant '${found[1]}' instead of '${parent}'.` };
    }
    const children = own.map(foreignName).filter((name) => tables.has(name));
    const found = closest(new Set(children), child).find(([score]) => score < 1);
    return { hint: found === undefined ? null : `Perhaps you meant '${found[1]}' instead of '${child}'.` };
  };
}

export function suggestRoutine(
  schema: string,
  name: string,
  argumentNames: readonly string[],
): SuggestingError['suggest'] {
  return (catalog, visible) => {
    const routines = visible.routines(schema);
    const overloads = (catalog.routines.get(schema)?.get(name) ?? []).filter((one) => visible.mayCall(one));
    const listed = (names: readonly string[]): string => `(${shown([...names].sort().join(', '))})`;
    const meant = 'Perhaps you meant to call the function';
    if (overloads.length === 0) {
      const found = closest(routines, name, 0.75)[0];
      return { hint: found === undefined ? null : `${meant} ${schema}.${found[1]}` };
    }
    const lists = overloads.map((overload) => listed(overload.parameters.map((parameter) => parameter.name)));
    const found = closest(new Set(lists), listed(argumentNames))[0];
    return { hint: found === undefined ? null : `${meant} ${schema}.${name}${found[1]}` };
  };
}
