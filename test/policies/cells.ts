// Cell of the policy table: a person at a door, the expected answer and the actual one.

import type { Who } from './callers.ts';

export interface Cell {
  readonly door: string;
  readonly who: Who;
  readonly what: string;
  readonly due: string;
  readonly came: string;
}

export type Note = (cell: Cell) => void;

/** A status and what kind of answer it was: `200`, `200, nothing`, `403 42501`. */
export async function inShort(response: Response): Promise<string> {
  const text = await response.text();
  if (response.status >= 400) return `${response.status}${codeOf(text)}`;
  return /^(\[\]|null|""|\{\})?$/.test(text) ? `${response.status}, nothing` : String(response.status);
}

function codeOf(text: string): string {
  try {
    const { code } = JSON.parse(text) as { code?: unknown };
    return typeof code === 'string' ? ` ${code}` : '';
  } catch {
    return '';
  }
}

/** Of a session that has ended, at the data door. */
export const ended = '401 PGRST303';

/** Of a request that is put back when it is answered, so that all meet the same board. */
export const asTrial = { 'content-type': 'application/json', prefer: 'return=representation, tx=rollback' };
