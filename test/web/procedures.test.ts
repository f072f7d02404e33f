// Procedures that the app calls, against the database: those that only read may take as long as a read.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readingProcedures } from '../../web/sync/procedures.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(() => startApp());

test('the app knows of each procedure it calls that it only reads', async () => {
  const source = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.endsWith('procedures.ts'))
    .map((file) => readFileSync(`web/${file}`, 'utf8'))
    .join('\n');
  const rows = await app.sql<{ name: string; reads: boolean }>(
    `select proname as name, bool_and(provolatile <> 'v') as reads from pg_proc
      where pronamespace = 'public'::regnamespace and prokind = 'f'
        and not exists (select from pg_type where oid = proargtypes[0] and typtype = 'c') group by proname`,
  );
  const called = rows.filter(({ name }) => source.includes(`'${name}'`));
  expect(called.length).toBeGreaterThan(readingProcedures.length);
  expect(
    called
      .filter(({ reads }) => reads)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...readingProcedures]);
});
