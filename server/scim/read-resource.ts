// Reads resources as providers send them: names of attributes in any letter case, booleans as texts, what is not kept left out.

import { scimError } from './errors.ts';
import { type Attribute, findAttribute, type ResourceType } from './resource-types.ts';

/** Attributes by their names in the schema. */
export type Doc = Record<string, unknown>;

const lengthLimits: Readonly<Record<string, number>> = { userName: 320, externalId: 500 };
const defaultLength = 300;
export const mostEmails = 20;

/** What is read-only or not kept is left out, as providers send back what they have read. */
export function readResource(type: ResourceType, body: Readonly<Record<string, unknown>>): Doc {
  const doc: Doc = {};
  for (const [name, value] of Object.entries(body)) {
    const found = name.includes('.') ? null : findAttribute(type, name);
    if (found === null || found === 'ignored' || found.attribute.readOnly) continue;
    const read = readValue(found.attribute, value);
    if (read !== undefined) doc[found.attribute.name] = read;
  }
  return doc;
}

/** Undefined: none. */
export function readValue(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (!attribute.multi) return readOne(attribute, value);
  const items = (Array.isArray(value) ? value : [value]).map((one) => readOne(attribute, one));
  return items.length === 0 ? undefined : items;
}

function readOne(attribute: Attribute, value: unknown): unknown {
  const { name, type } = attribute;
  switch (type) {
    case 'boolean':
      return readBoolean(name, value);
    case 'complex':
      return readComplex(attribute, value);
    default: {
      if (typeof value !== 'string' && typeof value !== 'number') throw unfit(name, 'must be a text');
      const text = String(value);
      const limit = lengthLimits[name] ?? defaultLength;
      if (text.length > limit) throw unfit(name, `is longer than ${limit} characters`);
      // Postgres keeps no text with this character.
      if (text.includes('\0')) throw unfit(name, 'has a character that cannot be stored');
      return text;
    }
  }
}

function readBoolean(name: string, value: unknown): boolean {
  const text = String(value).toLowerCase();
  if ((typeof value === 'boolean' || typeof value === 'string') && (text === 'true' || text === 'false'))
    return text === 'true';
  throw unfit(name, 'must be true or false');
}

function readComplex({ name, multi, sub = [] }: Attribute, value: unknown): Record<string, unknown> {
  // `emails: ["a@example.com"]`, as some send it.
  const given = multi && typeof value === 'string' ? { value } : value;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw unfit(name, 'must be an object');
  const read: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(given)) {
    const part = sub.find((known) => known.name.toLowerCase() === key.toLowerCase());
    if (part === undefined || one === null) continue;
    read[part.name] = readOne(part, one);
  }
  if (multi && typeof read.value !== 'string') throw unfit(name, 'needs a value');
  return read;
}

export function unfit(name: string, words: string): Error {
  return scimError('KB856', `${name} ${words}`);
}
