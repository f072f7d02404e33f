// Reads the choices of an import (project, columns, people), as the page sends them and as they are stored until the import runs.

import { type FieldName, fields } from '../fields.ts';
import { isAddress } from '../invite-people.ts';
import { productNames } from '../products.ts';
import type { DayOrder } from '../read-dates.ts';
import { importError } from './errors.ts';

export interface ChosenForImport {
  readonly from: string | null;
  /** Of a zip, the file that is read: said when it is uploaded. */
  readonly part: string | null;
  /** What each column of a table holds, in their order. */
  readonly mapping: readonly FieldName[] | null;
  readonly dates: DayOrder | null;
  /** Who of the file is who: id of a member, an address to invite, or nobody, who is then kept as a name. */
  readonly people: Readonly<Record<string, string>>;
}

const most = 5000;

export function readChoices(body: Readonly<Record<string, unknown>>, part: string | null): ChosenForImport {
  const { from = null, mapping = null, dates = null, people = {} } = body;
  if (from !== null && (typeof from !== 'string' || !productNames.includes(from)))
    throw importError('KB824', `from must be one of ${productNames.join(', ')}`);
  if (dates !== null && dates !== 'dmy' && dates !== 'mdy') throw importError('KB824', 'dates must be dmy or mdy');
  if (mapping !== null && !(Array.isArray(mapping) && mapping.length <= most && mapping.every(isField)))
    throw importError('KB824', `mapping must have one of ${fields.join(', ')} for each column`);
  if (!isNames(people))
    throw importError('KB824', 'people must say the id of a member, an address or nothing, for names of the file');
  return { from, part, mapping, dates, people };
}

const isField = (value: unknown): value is FieldName => fields.includes(value as FieldName);

function isNames(value: unknown): value is Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return entries.length <= most && entries.every(([, who]) => typeof who === 'string' && isPerson(who));
}

const isPerson = (who: string): boolean => /^([0-9a-f-]{36})?$/i.test(who) || isAddress(who);

export function uuidOrNull(text: unknown): string | null {
  return typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
    ? text.toLowerCase()
    : null;
}
