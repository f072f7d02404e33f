// Errors of the database room. Errors that Postgres itself reports travel as PostgresError.

import { CatalogError, declareErrors, type ErrorWords } from '../errors.ts';
import { PostgresError } from './types.ts';

export const databaseErrors = declareErrors({
  KB503: {
    status: 503,
    when: 'The database is unreachable, went away, has a full disk, or too many requests wait for it.',
    next: 'Retry after Retry-After; check /ready and the log. Always full queue: raise DB_POOL_SIZE.',
  },
  KB499: {
    status: 499,
    when: 'The client hung up; the statement was cancelled.',
    next: 'Nothing.',
  },
});

/** Doors whose protocol tells these apart may ask which it was. */
export class DatabaseTrouble extends CatalogError {
  constructor(
    readonly kind: 'unreachable' | 'interrupted' | 'crowded' | 'overloaded',
    words: ErrorWords,
  ) {
    super('KB503', 503, words);
  }
}

export function unreachable(cause: unknown, message = 'The database is not reachable at the moment'): DatabaseTrouble {
  return new DatabaseTrouble('unreachable', {
    message,
    hint: 'Try again in a moment.',
    headers: { 'Retry-After': '1' },
    cause,
  });
}

/** The connection broke with the statement under way: whether a write took effect is not known. */
export function interrupted(cause: unknown): DatabaseTrouble {
  return new DatabaseTrouble('interrupted', {
    message: 'The database went away before it answered',
    hint: 'Try again in a moment. A write may or may not have taken effect: look before repeating it.',
    headers: { 'Retry-After': '1' },
    cause,
  });
}

/** Too many wait already: it is not let in. */
export function queueFull(waiting: number): DatabaseTrouble {
  return new DatabaseTrouble('crowded', tooManyWaiting(waiting));
}

/** It was let in, and its turn did not come in time. */
export function queueTimeout(waiting: number): DatabaseTrouble {
  return new DatabaseTrouble('overloaded', tooManyWaiting(waiting));
}

function tooManyWaiting(waiting: number): ErrorWords {
  return {
    message: 'Too many requests are waiting for the database',
    details: `${waiting} requests are waiting.`,
    hint: 'Try again in a moment.',
    headers: { 'Retry-After': '1' },
  };
}

/** Postgres itself has run out of something: disk, memory, connections; or it is being stopped or started. Null: neither. */
export function exhausted(thrown: unknown): DatabaseTrouble | null {
  if (!(thrown instanceof PostgresError)) return null;
  if (thrown.sqlstate === '57P01' || thrown.sqlstate === '57P03') return interrupted(thrown);
  if (!thrown.sqlstate.startsWith('53')) return null;
  const isFull = thrown.sqlstate === '53100';
  return new DatabaseTrouble('overloaded', {
    message: isFull ? "There is no room left on the database's disk" : 'The database has too much to do at the moment',
    hint: isFull ? 'Ask your administrator to free up space on it, then try again.' : 'Try again in a moment.',
    headers: { 'Retry-After': isFull ? '60' : '1' },
    cause: thrown,
  });
}

export function hungUp(): CatalogError {
  return new CatalogError('KB499', 499, { message: 'The client hung up before the answer was ready' });
}
