// Types of command arguments and their checks: typed here, checked again when a stored command comes back.

import type { Priority } from '../sync/rows/rows.ts';

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
