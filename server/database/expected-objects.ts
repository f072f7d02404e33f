// Reads the objects that the files of sql/tables create from their statements: roles, tables, row security, functions. A database that lacks
// some of them although its ledger is complete was restored badly or altered. Rules are compared with their ledger (find-damage.ts).

import type { MigrationFile } from './read-migrations.ts';
import { splitStatements } from './split-statements.ts';

export type ObjectKind = 'role' | 'table' | 'row security' | 'view' | 'policy' | 'function' | 'trigger';

export interface ExpectedObject {
  readonly kind: ObjectKind;
  /** `schema.table`, `schema.function`, or the name of a role. */
  readonly name: string;
  /** Of a policy or trigger: its own name; `name` is that of its table. Else empty. */
  readonly own: string;
}

const named = '((?:[\\w$]+\\.)?[\\w$]+)';
const maybe = '(?:if (?:not )?exists )?';
const made: readonly [ObjectKind, RegExp][] = [
  ['table', new RegExp(`^create (?:unlogged )?table ${maybe}${named}`)],
  ['row security', new RegExp(`^alter table ${maybe}(?:only )?${named} enable row level security`)],
  ['function', new RegExp(`^create (?:or replace )?(?:function|procedure) ${named}`)],
];
const dropped: readonly [ObjectKind, RegExp][] = [
  ['table', new RegExp(`^drop table ${maybe}${named}`)],
  ['function', new RegExp(`^drop (?:function|procedure) ${maybe}${named}`)],
];
const role = /private\.(?:ensure_role|add_room_role)\('(\w+)'/g;

export function expectedObjects(files: readonly MigrationFile[]): ExpectedObject[] {
  const expected = new Map<string, ExpectedObject>();
  const key = ({ kind, name, own }: ExpectedObject): string => `${kind} ${name} ${own}`;
  for (const { text } of files) {
    for (const statement of splitStatements(text)) {
      const words = statement.bare;
      const lower = words.toLowerCase();
      for (const one of read(made, lower)) expected.set(key(one), one);
      for (const one of read(dropped, lower)) {
        if (one.kind !== 'table') expected.delete(key(one));
        else for (const [known, { name }] of expected) if (name === one.name) expected.delete(known);
      }
      if (statement.words[0] === 'select')
        for (const [, name = ''] of words.matchAll(role)) {
          const one: ExpectedObject = { kind: 'role', name, own: '' };
          expected.set(key(one), one);
        }
    }
  }
  return [...expected.values()];
}

function read(patterns: readonly [ObjectKind, RegExp][], words: string): ExpectedObject[] {
  return patterns.flatMap(([kind, pattern]) => {
    const found = pattern.exec(words);
    if (found === null) return [];
    const [name = '', own = ''] = found.slice(1).reverse();
    return [{ kind, name: name.includes('.') ? name : `public.${name}`, own }];
  });
}

/** Answers the positions (from 0) of those that are not there, given kinds, names and own names as arrays. */
export const missingObjects = `
  select (e.place - 1)::text
  from rows from (unnest($1::text[]), unnest($2::text[]), unnest($3::text[])) with ordinality as e (kind, name, own, place)
  where not case e.kind
    when 'role' then exists (select from pg_catalog.pg_roles r where r.rolname = e.name)
    when 'table' then to_regclass(e.name) is not null
    when 'row security' then exists (select from pg_catalog.pg_class c where c.oid = to_regclass(e.name) and c.relrowsecurity)
    else exists (
      select from pg_catalog.pg_proc f join pg_catalog.pg_namespace n on n.oid = f.pronamespace
      where n.nspname || '.' || f.proname = e.name
    )
  end
  order by e.place`;

/** In words for a person: kinds with their number, and the first few by name. */
export function describeMissing(missing: readonly ExpectedObject[]): string[] {
  const plural: Readonly<Record<ObjectKind, string>> = {
    role: 'roles', table: 'tables', 'row security': 'tables without row security:', view: 'views', policy: 'policies', function: 'functions', trigger: 'triggers',
  }; // biome-ignore format: a list
  return (Object.keys(plural) as ObjectKind[]).flatMap((kind) => {
    const names = missing
      .filter((one) => one.kind === kind)
      .map(({ name, own }) => (own === '' ? name : `${own} on ${name}`));
    if (names.length === 0) return [];
    const shown = names.length > 5 ? [...names.slice(0, 5), '…'] : names;
    const lack =
      kind === 'row security'
        ? `${names.length} ${plural[kind]}`
        : `${names.length} of our ${plural[kind]} are missing:`;
    return [`${lack} ${shown.join(', ')}`];
  });
}
