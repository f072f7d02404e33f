// Queries of the data door: filters, lists of columns with what is related, orders and bounds. Plain ones fit their tables and get through
// the reading of requests to the database behind it; of the others some is spoilt.

import type { OpenApi, Schema } from '../server/http/open-api.ts';
import { type Known, noise, sayable, wildValue, wordOf } from './fuzz-values.ts';
import type { Dice } from './seeded.ts';

type Schemas = OpenApi['components']['schemas'];

const operators = [
  ...[
    'eq',
    'neq',
    'gt',
    'gte',
    'lt',
    'lte',
    'like',
    'ilike',
    'match',
    'imatch',
    'in',
    'is',
    'isdistinct',
    'fts',
    'plfts',
  ],
  ...['phfts', 'wfts', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj', 'like(all)', 'eq(any)', 'nonsense'],
];
const related = [
  'tasks',
  'projects',
  'profiles',
  'workflow_columns',
  'task_comments',
  'task_labels',
  'project_members',
];

export function spoiltTableQuery(columns: readonly string[], dice: Dice, known: Known): string[] {
  const column = (): string => (dice.chance(0.9) && columns.length > 0 ? dice.pick(columns) : sayable(noise(dice)));
  const value = (): string => sayable(dice.chance(0.6) ? dice.pick(known.ids) : wordOf(wildValue(dice, known)));
  const filter = (): string => {
    const operator = dice.pick(operators);
    const operand =
      operator === 'in' ? `(${value()},${value()})` : operator === 'is' ? dice.pick(['null', 'true', 'x']) : value();
    return `${dice.chance(0.2) ? 'not.' : ''}${operator}.${operand}`;
  };
  const selected = (depth: number): string =>
    Array.from({ length: 1 + dice.below(3) }, () => {
      if (depth < 3 && dice.chance(0.3))
        return `${dice.chance(0.2) ? '...' : ''}${dice.pick(related)}${dice.chance(0.3) ? '!inner' : ''}(${selected(depth + 1)})`;
      return dice.pick([
        column(),
        '*',
        `a:${column()}`,
        `${column()}::text`,
        'count()',
        `${column()}.max()`,
        `${column()}->x`,
      ]);
    }).join(',');
  const parts: string[] = [];
  for (let count = dice.below(3); count > 0; count--) parts.push(`${column()}=${filter()}`);
  if (dice.chance(0.5)) parts.push(`select=${selected(0)}`);
  if (dice.chance(0.3)) parts.push(`order=${column()}.${dice.pick(['asc', 'desc', 'desc.nullslast', 'x'])}`);
  if (dice.chance(0.3)) parts.push(`limit=${dice.pick(['0', '1', '10', '-1', '99999999999999999999', 'x'])}`);
  if (dice.chance(0.2)) parts.push(`offset=${dice.pick(['0', '3', '-1', '1e3', '9223372036854775808'])}`);
  if (dice.chance(0.2))
    parts.push(`${dice.pick(['or', 'and', 'not.or'])}=(${column()}.${filter()},${column()}.${filter()})`);
  if (dice.chance(0.1)) parts.push(`on_conflict=${column()}`);
  if (dice.chance(0.1)) parts.push(`columns=${column()},${column()}`);
  return parts;
}

type Column = readonly [name: string, its: Schema];

export function plainTableQuery(path: string, schemas: Schemas, dice: Dice, known: Known): string[] {
  const columns: readonly Column[] = Object.entries(schemas[path.split('/').at(-1) ?? '']?.properties ?? {});
  if (columns.length === 0) return [];
  const filtered = (): string => {
    const [name, its] = dice.pick(columns);
    return `${name}.${dice.chance(0.2) ? 'not.' : ''}${plainFilter(its, dice, known)}`;
  };
  const parts: string[] = [];
  for (let count = dice.below(4); count > 0; count--) parts.push(filtered().replace('.', '='));
  if (dice.chance(0.2)) parts.push(`${dice.pick(['or', 'and', 'not.and'])}=(${filtered()},${filtered()})`);
  if (dice.chance(0.6)) parts.push(`select=${plainSelect(columns, dice)}`);
  const [first] = dice.pick(columns.filter(([, { type }]) => type !== undefined));
  if (dice.chance(0.3)) parts.push(`order=${first}.${dice.pick(['asc', 'desc', 'desc.nullslast', 'asc.nullsfirst'])}`);
  if (dice.chance(0.3)) parts.push(`limit=${dice.pick(['0', '1', '10', '500'])}`);
  if (dice.chance(0.1)) parts.push(`offset=${dice.pick(['0', '3'])}`);
  return parts;
}

const plainWords = ['quay', 'Paint', 'Task', 'hull'];

/** An operator and a value that Postgres can read for that type. */
function plainFilter({ type, format = '', enum: values }: Schema, dice: Dice, known: Known): string {
  const id = (): string => dice.pick(known.ids);
  if (dice.chance(0.1) || type === undefined || type === 'array') return 'is.null';
  if (values !== undefined) return `${dice.pick(['eq', 'neq'])}.${sayable(wordOf(dice.pick(values)))}`;
  if (format === 'uuid') return dice.pick([`eq.${id()}`, `in.(${id()},${id()})`, `neq.${id()}`, `gt.${id()}`]);
  if (type === 'boolean') return dice.pick(['is.true', 'eq.false']);
  if (type === 'integer' || type === 'number')
    return `${dice.pick(['eq', 'gt', 'gte', 'lt', 'in'])}.${dice.below(9)}`.replace(/^in\.(.+)/, 'in.($1,7)');
  if (/^(date|timestamp)/.test(format))
    return `${dice.pick(['gte', 'lt', 'eq'])}.${dice.pick(['2026-03-01', 'now', '2026-11-24'])}`;
  if (format !== 'text') return 'not.is.null';
  const word = dice.pick(plainWords);
  return dice.pick([
    `eq.${word}`,
    `like.*${word}*`,
    `ilike.*${word}`,
    `plfts.${word}`,
    `in.("${word}",x)`,
    `match.^${word}`,
  ]);
}

/** Columns of its own, as they are, under other names or as text, and now and then a row that one of them points to. */
function plainSelect(columns: readonly Column[], dice: Dice): string {
  const chosen = Array.from({ length: 1 + dice.below(4) }, () => {
    const [name, { description = '' }] = dice.pick(columns);
    const table = /<fk table='(\w+)'/.exec(description)?.[1];
    if (table !== undefined && dice.chance(0.5)) return `${table}!${name}(*)`;
    return dice.pick([name, `b${dice.below(9)}:${name}`, `${name}::text`]);
  });
  return [...new Set(dice.chance(0.3) ? ['*', ...chosen] : chosen)].join(',');
}
