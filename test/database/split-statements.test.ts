// Statements of an SQL text: the cases by hand, and our own migrations against Postgres' own parser.

import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'libpg-query';
import { describe, expect, test } from 'vitest';
import { splitStatements, transactionStep } from '../../server/database/split-statements.ts';

const texts = (sql: string): string[] => splitStatements(sql).map(({ text }) => text);

describe('a semicolon ends a statement', () => {
  test.each([
    ['select 1; select 2', ['select 1', 'select 2']],
    [';;\n-- nothing\n;', []],
    ["select ';', 'it''s;'; select 2", ["select ';', 'it''s;'", 'select 2']],
    ["select E'\\';'; select e'\\\\'; select 3", ["select E'\\';'", "select e'\\\\'", 'select 3']],
    ["select '\\'; select 2", ["select '\\'", 'select 2']],
    ['select ";" as "a"";"; select 2', ['select ";" as "a"";"', 'select 2']],
    ['do $$ begin; commit; end $$; select 2', ['do $$ begin; commit; end $$', 'select 2']],
    ['select $a$ ; $$ ; $b$ ; $a$; select 2', ['select $a$ ; $$ ; $b$ ; $a$', 'select 2']],
    ['prepare p as select $1; select a$b$c; select 3', ['prepare p as select $1', 'select a$b$c', 'select 3']],
    ['select 1 -- ; not here\n; select 2', ['select 1 -- ; not here', 'select 2']],
    ['select /* ; /* ; */ ; */ 1; select 2', ['select /* ; /* ; */ ; */ 1', 'select 2']],
    [
      'create rule r as on insert to t do (delete from a; delete from b); select 2',
      ['create rule r as on insert to t do (delete from a; delete from b)', 'select 2'],
    ],
    [
      'create or replace function f() returns int begin atomic select 1; select case when true then 2 end; end; select 2',
      [
        'create or replace function f() returns int begin atomic select 1; select case when true then 2 end; end',
        'select 2',
      ],
    ],
    ["select 'never closed; select 2", ["select 'never closed; select 2"]],
  ])('%j', (sql, expected) => {
    expect(texts(sql)).toEqual(expected);
  });

  test('and says on which line each begins', () => {
    const lines = splitStatements('-- one\n\nselect 1;\n/* two\n*/ select\n2; select 3').map(({ line }) => line);
    expect(lines).toEqual([3, 5, 6]);
  });
});

describe('transaction control is seen', () => {
  test.each([
    ['BEGIN', 'begin'],
    ['begin /* now */ transaction', 'begin'],
    ['start transaction', 'begin'],
    ['begin isolation level serializable', 'other'],
    ['commit', 'end'],
    ['COMMIT WORK', 'end'],
    ['end', 'end'],
    ['commit and chain', 'other'],
    ["commit prepared 'x'", 'other'],
    ["prepare transaction 'x'", 'other'],
    ['rollback', 'other'],
    ['abort', 'other'],
    ['rollback to savepoint a', null],
    ['rollback work to a', null],
    ['savepoint a', null],
    ['set transaction read only', null],
    ['prepare p as select 1', null],
    ['do $$ begin commit; end $$', null],
    ['create function f() returns int begin atomic select 1; end', null],
  ] as const)('%s: %s', (sql, step) => {
    const [statement] = splitStatements(sql);
    expect(statement && transactionStep(statement)).toBe(step);
  });
});

test("Postgres' own parser ends the statements of every file in sql/ in the same places", async () => {
  const names = readdirSync('sql', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sql'));
  expect(names.length).toBeGreaterThan(60);
  for (const name of names) {
    const sql = readFileSync(`sql/${name}`, 'utf8');
    const { stmts } = (await parse(sql)) as { stmts: readonly unknown[] };
    const ours = splitStatements(sql);
    expect(ours.length, name).toBe(stmts.length);
    for (const { text } of ours) expect(((await parse(text)) as { stmts: unknown[] }).stmts.length, text).toBe(1);
  }
});

describe('the text of a checksum: no comments, one space for any blank, quotes as they are', () => {
  const bare = (sql: string): string =>
    splitStatements(sql)
      .map((statement) => statement.bare)
      .join('; ');
  test.each([
    ['-- why\nselect 1; -- one\n', 'select 1'],
    ['select\n\t  1\r\n, 2 ;', 'select 1 , 2'],
    ['select /* a /* nested */ one */ 1', 'select 1'],
    ['select 1 /* never closed', 'select 1'],
    ["select '-- no  comment', 'it''s  -- neither'", "select '-- no  comment', 'it''s  -- neither'"],
    ['select "--  name", "a""  --b"', 'select "--  name", "a""  --b"'],
    ["select e'\\'  -- still', E'x''  --y' -- now", "select e'\\'  -- still', E'x''  --y'"],
    ["select date'2020-01-01' -- a type\n, like'\\' -- gone", "select date'2020-01-01' , like'\\'"],
    ['do $$ begin -- kept\n  null; end $$; -- gone', 'do $$ begin -- kept\n  null; end $$'],
    ['select $a$ $b$ -- kept $$ $a$ -- gone', 'select $a$ $b$ -- kept $$ $a$'],
    ['select a$$b -- gone\n, $1 -- gone', 'select a$$b , $1'],
    ['select 4 - -1 -- $$ \n, 5 -- $$', 'select 4 - -1 , 5'],
    ['delete from a -- where\nwhere b', 'delete from a where b'],
    ['delete from a -- where b', 'delete from a'],
  ])('%j is %j', (sql, expected) => {
    expect(bare(sql)).toBe(expected);
  });
});
