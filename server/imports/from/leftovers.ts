// Keeps unknown keys of another product's records as words, so that nothing is dropped, also of later versions of that product. Each reader
// lists the keys it knows, including ids and technical ones.

export type Leftover = readonly [name: string, value: string];

/** What has a place, or is left out on purpose: all of a value, or what is known of the objects in it. */
export interface Known {
  readonly [key: string]: true | Known;
}

const longest = 4000;
const deepest = 5;

/** Names as keys of what is known as a whole. */
export function known(names: string, within: Known = {}): Known {
  const whole = names.split(/\s+/).filter(Boolean);
  return { ...Object.fromEntries(whole.map((name) => [name, true] as const)), ...within };
}

/** `of`: whose they are, where that is not the task itself. */
export function leftoversOf(record: unknown, knownKeys: Known, of = ''): Leftover[] {
  return keysOf(record).flatMap(([key, value]): Leftover[] => {
    const words = bounded(inWords(value, within(knownKeys, key)));
    return words === '' ? [] : [[of === '' ? nameOf(key) : `${of}: ${nameOf(key)}`, words]];
  });
}

/** A moment that stands for a day here, where its time says something. */
export function timeOf(name: string, moment: string): Leftover[] {
  const [, day, time, zone = ''] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*(Z|[+-]\d\d:?\d\d)?/.exec(moment) ?? [];
  return day === undefined || time === '00:00' ? [] : [[name, `${day} ${time} ${zone.replace('Z', 'UTC')}`.trim()]];
}

/** Those with a value. */
export function reportedLeftovers(...all: readonly Leftover[]): Leftover[] {
  return all.filter(([, value]) => value !== '');
}

function within(knownKeys: Known, key: string): true | Known {
  return Object.hasOwn(knownKeys, key) ? (knownKeys[key] ?? {}) : {};
}

function keysOf(record: unknown): [string, unknown][] {
  return typeof record === 'object' && record !== null ? Object.entries(record) : [];
}

/** No, nothing and nought say nothing; neither does a moment of the year one, which stands for none. */
function inWords(value: unknown, knownKeys: true | Known, depth = 0): string {
  if (knownKeys === true || value === null || value === undefined || value === false || value === 0) return '';
  if (typeof value === 'string') return value.startsWith('0001-01-01T') ? '' : value.trim();
  if (typeof value !== 'object') return value === true ? 'yes' : String(value);
  if (depth >= deepest) return JSON.stringify(value);
  if (Array.isArray(value)) {
    const words = value.slice(0, longest).flatMap((one) => inWords(one, knownKeys, depth + 1) || []);
    const isPlain = depth > 0 || !value.some((one) => typeof one === 'object' && one !== null);
    return isPlain ? words.join(', ') : words.map((one) => `- ${onOneLine(one)}`).join('\n');
  }
  const parts = keysOf(value).flatMap(([key, one]) => {
    const words = inWords(one, within(knownKeys, key), depth + 1);
    return words === '' ? [] : [`${nameOf(key)}: ${words}`];
  });
  if (parts.length === 0) return '';
  // Where its name has a place elsewhere, it tells which one this is of.
  const title = Object.keys(knownKeys).length > 0 ? titleOf(value) : '';
  return `${title === '' ? '' : `${title}: `}${parts.join('; ')}`;
}

const onOneLine = (words: string): string =>
  words
    .split('\n')
    .flatMap((line) => line.trim() || [])
    .join(' ');

function titleOf(value: object): string {
  const found = ['name', 'title', 'fullName', 'login', 'username'].map(
    (key) => (value as Record<string, unknown>)[key],
  );
  return String(found.find((one) => typeof one === 'string' && one !== '') ?? '');
}

/** `dueReminder` and `due_reminder` as people write it. */
function nameOf(key: string): string {
  const words = key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
    .slice(0, 100);
  const lower = words.replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());
  return `${lower.charAt(0).toUpperCase()}${lower.slice(1)}`;
}

function bounded(words: string): string {
  if (words.length <= longest) return words;
  return `${words.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}… (${words.length - longest} characters more in the file)`;
}
