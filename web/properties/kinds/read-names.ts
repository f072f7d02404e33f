// Reads choices by their names: one, or several separated by commas.

import { t } from '../../strings/messages.ts';
import type { Choice, Read } from '../property.ts';

export const isSame = (one: string, other: string): boolean => one.trim().toLowerCase() === other.toLowerCase();

/** Ids of what is named; `fault` says which name nothing has. */
export function readNames(known: readonly Choice[], typed: string, fault: (name: string) => string): Read<string[]> {
  // A name may hold a comma itself.
  const whole = known.find(({ name }) => isSame(name, typed));
  if (whole) return { value: [whole.id] };
  const ids: string[] = [];
  for (const name of typed.split(/[,;\n]/).map((part) => part.trim())) {
    if (name === '') continue;
    const found = known.find((one) => isSame(one.name, name));
    if (found === undefined) return { fault: fault(name) };
    if (!ids.includes(found.id)) ids.push(found.id);
  }
  return { value: ids };
}

export function readName(known: readonly Choice[], typed: string, fault: (name: string) => string): Read<string> {
  const read = readNames(known, typed, fault);
  if ('fault' in read) return read;
  const [first, ...others] = read.value;
  return first === undefined || others.length > 0
    ? { fault: t('table.faults.one', { text: typed }) }
    : { value: first };
}
