// Words of the app for the rows that sessions of agents change: no table and no column of theirs is shown by its name in the database.

import { expect, test } from 'vitest';
import { languages, partsOf, readPart } from '../../scripts/strings.mjs';
import { isSilent } from '../../web/screens/agents/say-difference.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(startApp);

test.each(languages())(
  'each table whose changes are noted has a word, and so have its columns, in %s',
  async (language) => {
    const keys = new Set(partsOf(language).flatMap((part) => [...readPart(language, part)].map(([key]) => key)));
    const columns = await app.sql<{ table: string; column: string }>(`
    select c.relname as "table", a.attname as "column"
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where t.tgfoid = 'private.note_session_change()'::regprocedure and c.relname <> 'notifications'
    order by 1, 2`);
    const tables = [...new Set(columns.map(({ table }) => table))];
    expect(tables).toContain('view_defaults');
    expect.soft(tables.filter((table) => !keys.has(`agents.things.${table}`))).toEqual([]);
    const shown = columns.filter(({ table, column }) => table !== 'tasks' && !isSilent(column));
    expect(shown.filter(({ column }) => !keys.has(`agents.columns.${column}`))).toEqual([]);
  },
);
