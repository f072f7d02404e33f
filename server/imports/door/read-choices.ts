// Reads the choices of an import (project, columns, people), as the page sends them and as they are stored until the import runs.

import type { BodyOf, Fault } from '../../http/check-body.ts';
import type { FieldName } from '../fields.ts';
import { isAddress } from '../invite-people.ts';
import type { DayOrder } from '../read-dates.ts';
import type { previewImport } from './described.ts';
import { importError } from './errors.ts';

export interface ChosenForImport {
  readonly from: string | null;
  /** Of a zip, the file that is read: said when it is uploaded. */
  readonly part: string | null;
  /** What each column of a table holds, in their order. */
  readonly mapping: readonly FieldName[] | null;
  readonly dates: DayOrder | null;
  /** Who of the file is who: id of a member, or of a colleague who joins, an address to invite, or nobody, who is then kept as a name. */
  readonly people: Readonly<Record<string, string>>;
}

export const unfit = ({ words }: Fault): Error => importError('KB824', words);

export function choicesOf(body: BodyOf<typeof previewImport>, part: string | null): ChosenForImport {
  const { from = null, mapping = null, dates = null, people = {} } = body;
  if (!Object.values(people).every(isPerson))
    throw importError('KB824', 'people must say the id of a member, an address or nothing, for names of the file');
  const inLowerCase = Object.entries(people).map(([name, who]) => [name, uuidOrNull(who) ?? who] as const);
  return { from, part, mapping, dates, people: Object.fromEntries(inLowerCase) };
}

const isPerson = (who: string): boolean => who === '' || uuidOrNull(who) !== null || isAddress(who);

export function uuidOrNull(text: unknown): string | null {
  return typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
    ? text.toLowerCase()
    : null;
}
