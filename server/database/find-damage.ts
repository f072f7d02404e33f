// Compares the database with what was applied to it: tables with the files that made them, rules with their ledger. Names missing and altered
// objects in words for a person.

import pg from 'pg';
import { connectionOptions } from './connection-options.ts';
import { describeMissing, type ExpectedObject, expectedObjects, missingObjects } from './expected-objects.ts';
import { readMigrations } from './read-migrations.ts';
import { definitionOf } from './rules/apply-rules.ts';

/** Empty when nothing is missing; `applied` names the files of ours that the ledger has. */
export async function findDamage(url: string, directory: string, applied: readonly string[]): Promise<string[]> {
  const expected = expectedObjects(readMigrations({ directory }).filter(({ name }) => applied.includes(name)));
  const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<[string]>({
      text: missingObjects,
      values: [expected.map(({ kind }) => kind), expected.map(({ name }) => name), expected.map(({ own }) => own)],
      rowMode: 'array',
    });
    const lacking = rows.flatMap(([place]) => expected[Number(place)] ?? []);
    const { missing, altered } = await compareRules(client);
    return [
      ...describeMissing([...lacking, ...missing]),
      ...altered.map(
        ({ kind, name, own, file }) =>
          `the ${kind} ${own === '' ? name : `${own} on ${name}`} was altered by hand (it stands in sql/${file})`,
      ),
    ];
  } finally {
    await client.end().catch(() => undefined);
  }
}

type NotedObject = ExpectedObject & { readonly file: string };

async function compareRules(client: pg.Client): Promise<{ missing: NotedObject[]; altered: NotedObject[] }> {
  const { rows: there } = await client.query("select to_regclass('private.rules') is not null as found");
  if (there[0]?.found !== true) return { missing: [], altered: [] };
  const { rows } = await client.query<NotedObject & { gone: boolean }>(`
    select kind, name, own, file, now is null as gone
    from (select r.*, ${definitionOf} as now from private.rules r where r.kind in ('function', 'view', 'policy', 'trigger')) r
    where now is null or (definition <> now and split_part(definition, ' ', 1) = split_part(now, ' ', 1))
    order by kind, name, own`);
  return { missing: rows.filter(({ gone }) => gone), altered: rows.filter(({ gone }) => !gone) };
}
