// Values for fuzzed requests: some fit a schema, some fit none.

import type { Schema } from '../server/http/open-api.ts';
import type { Dice } from './seeded.ts';

/** Who may be meant: ids of rows, names of files, keys and tokens that exist. */
export interface Known {
  readonly ids: readonly string[];
  readonly files: readonly string[];
  readonly anonKey: string;
  readonly serviceKey: string;
  readonly tokens: readonly string[];
  /** Of an operator, who is among those of `tokens`, too. */
  readonly operator: string;
  /** Names of calendars below /ical. */
  readonly feeds: readonly string[];
  /** Addresses that open something for whoever has them. */
  readonly links: readonly string[];
  /** What makes them secret. */
  readonly secrets: readonly string[];
  /** What payment events are signed with. */
  readonly webhookSecret: string;
}

const pieces = [
  ...[
    'eq.',
    'not.',
    'in.(',
    ')',
    '(',
    ',',
    '.',
    '->',
    '->>',
    '::text',
    ':',
    '!inner',
    '...',
    '*',
    '"',
    '\\',
    "'",
    ';--',
    '/*',
  ],
  ...[
    '$1',
    '{',
    '}',
    '[',
    ']',
    '\0',
    '%',
    '%00',
    '%zz',
    '+',
    'id',
    'title',
    'tasks',
    'projects',
    'select',
    'and',
    'or',
    'is.null',
  ],
  ...[
    'count()',
    'fts(english).',
    'like(any).',
    '1',
    '-1',
    '9e99',
    'NaN',
    '🚢',
    '\ud800',
    '\u202e',
    '../',
    '..%2f',
    '/',
  ],
  ...[
    "' or 1=1 --",
    '"; drop table tasks; --',
    '<script>',
    '\r\n',
    '\t',
    'null',
    'true',
    '-infinity',
    'eyJhbGciOiJub25lIn0.e30.',
  ],
];
const numbers = [0, 1, -1, 7, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308, -0.5, 1e-9];
const days = [
  ...['2026-03-01', '2026-02-30', 'infinity', '-infinity', '0001-01-01', '294276-12-31', '9999-12-31T23:59:60Z'],
  ...['2026-11-24T10:00:00Z', 'now', 'yesterday', '2026-W01', '24:00'],
];
const words = [
  'a',
  'Paint the hull',
  'quay',
  'p0',
  'done',
  'attachments',
  'avatars',
  'owner',
  'en',
  'FREQ=DAILY',
  'UTC',
];

/** Letters that mean something to a parser somewhere, or nothing to anybody. */
export function noise(dice: Dice): string {
  const kind = dice.below(10);
  if (kind < 6) return Array.from({ length: dice.below(10) }, () => dice.pick(pieces)).join('');
  if (kind < 8) return dice.bytes(dice.below(24)).toString('latin1');
  if (kind < 9) return String.fromCodePoint(...Array.from({ length: 1 + dice.below(12) }, () => dice.below(0x2fff)));
  return 'x'.repeat(dice.pick([1, 255, 256, 1025, 8000, 70_000]));
}

export function wildValue(dice: Dice, known: Known, depth = 0): unknown {
  switch (dice.below(depth > 2 ? 7 : 9)) {
    case 0:
      return null;
    case 1:
      return dice.chance(0.5);
    case 2:
      return dice.pick(numbers);
    case 3:
      return dice.pick(known.ids);
    case 4:
      return dice.pick(days);
    case 5:
      return dice.pick(words);
    case 6:
      return noise(dice);
    case 7:
      return Array.from({ length: dice.below(4) }, () => wildValue(dice, known, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: dice.below(4) }, () => [
          dice.chance(0.7) ? dice.pick(words) : noise(dice),
          wildValue(dice, known, depth + 1),
        ]),
      );
  }
}

type Schemas = Readonly<Record<string, Schema>>;

/** Mostly what the schema asks for, now and then something else. */
export function fittingValue(
  given: Schema,
  name: string,
  schemas: Schemas,
  dice: Dice,
  known: Known,
  depth = 0,
): unknown {
  if (depth > 6 || dice.chance(0.15)) return wildValue(dice, known);
  const one = given.anyOf === undefined ? given : dice.pick(given.anyOf);
  const schema = one.$ref === undefined ? one : (schemas[one.$ref.split('/').pop() ?? ''] ?? {});
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined && schema.enum.length > 0) return dice.pick(schema.enum);
  const type = typeof schema.type === 'string' ? schema.type : dice.pick(schema.type ?? ['string']);
  const inner = (field: Schema, itsName: string): unknown =>
    fittingValue(field, itsName, schemas, dice, known, depth + 1);
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return dice.chance(0.5);
    case 'integer':
      return dice.chance(0.7) ? dice.below(50) : dice.pick(numbers);
    case 'number':
      return dice.chance(0.7) ? dice.below(500) / 10 : dice.pick(numbers);
    case 'array':
      return Array.from({ length: dice.below(4) }, () => inner(schema.items ?? {}, name));
    case 'object': {
      const fields = Object.entries(schema.properties ?? {});
      const kept = fields.filter(([field]) => schema.required?.includes(field) === true || dice.chance(0.25));
      return Object.fromEntries(kept.map(([field, its]) => [field, inner(its, field)]));
    }
    default:
      return textOf(schema, name, dice, known);
  }
}

function textOf(schema: Schema, name: string, dice: Dice, known: Known): string {
  const format = schema.format ?? '';
  if (format === 'uuid' || /(^|_)ids?$/.test(name)) return dice.pick(known.ids);
  if (format === 'email' || name === 'email') return `person${dice.below(200)}@fuzz.test`;
  if (name === 'token') return dice.pick(known.secrets);
  if (name === 'password') return dice.pick(['short', 'correct horse battery', '']);
  if (format === 'uri' || /url$/i.test(name))
    return `https://example.com/${dice.chance(0.2) ? encodeURIComponent(dice.pick(words)) : ''}`;
  if (/date|time/.test(format) || /_at$|_date$/.test(name)) return dice.pick(days);
  if (/path|key$/i.test(name)) return dice.pick(known.files);
  return dice.chance(0.6) ? dice.pick(words) : noise(dice);
}

export const wordOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Percent-encoded as it has to be; half a pair of letters has no encoding. */
export const sayable = (text: string): string => encodeURIComponent(text.toWellFormed());
