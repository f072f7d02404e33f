// Looks into JSON of strangers: what is missing or of another type is empty, and nothing is thrown.

import { JsonList } from '../json-document.ts';
import type { Problem } from '../neutral.ts';
import type { Series } from '../series.ts';

export function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

export function text(value: unknown, name: string): string {
  const found = at(value, name);
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : '';
}

export function number(value: unknown, name: string): number | null {
  const found = at(value, name);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

export function flag(value: unknown, name: string): boolean {
  return at(value, name) === true;
}

/** The objects of a list. */
export function list(value: unknown, name: string): object[] {
  return objects(at(value, name));
}

export function objects(found: unknown): object[] {
  return isList(found) ? Array.from(found).filter(isObject) : [];
}

export const isList = (value: unknown): value is Series<unknown> => Array.isArray(value) || value instanceof JsonList;
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A list that may be long, with all that is in it: also what is no object, which is empty to all of these. */
export function series(value: unknown, name: string): Series<unknown> {
  const found = at(value, name);
  return isList(found) ? found : [];
}

/** The first of a list, without a look at all others. */
export function firstOf(value: unknown): object | undefined {
  const first = isList(value) ? value.at(0) : undefined;
  return isObject(first) ? first : undefined;
}

/** The texts of a list. */
export function strings(value: unknown, name: string): string[] {
  const found = at(value, name);
  return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string') : [];
}

export function object(value: unknown, name: string): object {
  const found = at(value, name);
  return typeof found === 'object' && found !== null ? found : {};
}

export function grouped<Value>(all: readonly Value[], key: (one: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const one of all) {
    const known = groups.get(key(one));
    if (known === undefined) groups.set(key(one), [one]);
    else known.push(one);
  }
  return groups;
}

/** As many as the product gives at once: there may be more there. */
export function perhapsPart(count: number, limits: readonly number[], what: string): Problem[] {
  return limits.includes(count) ? [{ kind: 'perhaps_part', line: null, about: `${count} ${what}` }] : [];
}
