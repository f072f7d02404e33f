// `kanbase import` as an operator types it: shown first, written, run again, taken back.

import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runKanbase, type Served, scratch, startKanbase } from '../helpers/kanbase.ts';
import { putReadyCluster } from '../helpers/ready-cluster.ts';

const place = scratch('import');
const sample = (name: string): string => join(import.meta.dirname, 'samples', name);
let served: Served;
const dataDir = join(place.path, 'data');
const reach = (): string[] => ['--data-dir', dataDir];
beforeAll(async () => {
  await putReadyCluster(dataDir);
  served = await startKanbase(reach());
  const answer = await fetch(`${served.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: served.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.test', password: 'a-long-passphrase-77', data: { name: 'Ada Berg' } }),
  });
  expect(answer.ok).toBe(true);
});
afterAll(async () => {
  await served?.stop();
  place.remove();
});

const run = (...words: string[]) => runKanbase(['import', ...words, ...reach()]);

test('a board is shown, written, not doubled, and taken back', async () => {
  const into = ['--project', 'new:Harbour', '--as', 'ada@example.test'];
  const shown = await run(sample('trello.json'), ...into, '--dry-run');
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.stdout).toContain('From trello: 6 tasks, 2 archived');
  expect(shown.stdout).toContain('Ideas · 2\n  Dredge 🌊 the basin');
  expect(shown.stdout).toContain('Nothing was written.');

  const done = await run(sample('trello.json'), ...into, '--json');
  const { id, projectId, made } = JSON.parse(done.stdout);
  expect(made).toBe(6);
  // Said before anything is written, for whoever stops it halfway.
  expect(done.stderr).toBe(
    `Into project ${projectId}. To take it back: npx kanbase import --undo ${id} --as ada@example.test\n`,
  );
  const again = await run(sample('trello.json'), '--project', projectId, '--as', 'ada@example.test');
  expect(again.stdout).toContain('0 tasks made, 0 updated, 6 left as they are');
  expect((await run('--undo', id, '--as', 'ada@example.test')).stdout).toContain('6 tasks removed');
});

test('a table may be mapped by hand, and what is wrong is said in a line', async () => {
  const shown = await run(
    sample('plain.csv'),
    '--project',
    'new:Werft',
    '--as',
    'ada@example.test',
    '--dry-run',
    '--map',
    'Raum=labels',
  );
  expect(shown.stdout).toContain('column Raum → labels');
  expect(shown.stdout).toContain('line 5: no date; kept in the description: 30.02.2026');
  for (const [words, told] of [
    [[sample('plain.csv'), '--as', 'ada@example.test'], '--project is missing'],
    [[sample('plain.csv'), '--project', 'NONE', '--as', 'ada@example.test'], 'there is no project NONE'],
    [[sample('plain.csv'), '--project', 'new:x', '--as', 'nobody@example.test'], 'no account'],
    [
      [sample('plain.csv'), '--project', 'new:x', '--as', 'ada@example.test', '--from', 'abacus'],
      'Nothing is known of abacus',
    ],
    [[sample('plain.csv'), '--project', 'new:x', '--as', 'ada@example.test', '--map', 'Raum=room'], 'room is no field'],
    [[sample('none.csv'), '--project', 'new:x', '--as', 'ada@example.test'], 'is no file'],
  ] as const) {
    const { code, stderr } = await run(...words);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(told);
  }
});

test('people of the file are invited where it is said so', async () => {
  const into = ['--project', 'new:Yard', '--as', 'ada@example.test'];
  const plain = await run(sample('asana.csv'), ...into, '--dry-run');
  expect(plain.stdout).toContain(
    'Ada B. <ada@example.test> → no member: kept as a name (map with --people, or --invite)',
  );
  const shown = await run(sample('asana.csv'), ...into, '--dry-run', '--invite');
  expect(shown.stdout).toContain('Gone <gone@acme.test> → invited: gone@acme.test');
  const done = await run(sample('asana.csv'), ...into, '--invite', '--json');
  const { projectId, problems } = JSON.parse(done.stdout);
  expect(problems).not.toContainEqual(expect.objectContaining({ kind: 'unknown_person' }));
  const again = await run(
    sample('asana.csv'),
    '--project',
    projectId,
    '--as',
    'ada@example.test',
    '--invite',
    '--json',
  );
  expect(JSON.parse(again.stdout)).toMatchObject({ made: 0, updated: 0 });
});

test('an imported project is exported with the rights of --as, and can be imported again', async () => {
  const as = ['--as', 'ada@example.test'];
  const { projectId } = JSON.parse((await run(sample('trello.json'), '--project', 'new:Pier', ...as, '--json')).stdout);
  const write = (...words: string[]) => runKanbase(['export', ...words, ...reach()]);
  const file = join(place.path, 'pier.json');
  const done = await write(file, '--project', projectId, ...as);
  expect(done).toMatchObject({ code: 0, stdout: `Exported Pier to ${file}.\n` });
  const back = await run(file, '--project', 'new:Pier again', ...as, '--json');
  expect(JSON.parse(back.stdout)).toMatchObject({ made: 6, problems: [] });
  expect((await write('-', '--format', 'csv', '--project', projectId, ...as)).stdout).toContain('Dredge 🌊 the basin');
  for (const [words, told] of [
    [[file], '--as is missing'],
    [[...as], 'FILE is missing'],
    [[file, ...as, '--format', 'abacus'], '--format is one of json, zip, csv, markdown, ical'],
    [[file, '--project', 'NONE', ...as], 'there is no project NONE'],
  ] as const)
    expect((await write(...words)).stderr).toContain(told);
});

test('a project of any size is read a row at a time, by a process whose memory would not hold it', async () => {
  const id = (n: number): string => `0198c1de-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const [tasks, description] = [120_000, 'A line about the quay and the crane. '.repeat(25)];
  const file = join(place.path, 'large.json');
  const out = openSync(file, 'w');
  const of = { project_id: id(0), column_id: id(1), parent_id: null, archived_at: null };
  writeSync(out, '{"format":"kanbase.projects","version":1,"exported_at":"2026-11-24T00:00:00Z","tables":{\n');
  writeSync(
    out,
    `"projects":[\n${JSON.stringify({ id: id(0), key: 'LRG', name: 'Large' })}],\n"people":[],\n"tasks":[`,
  );
  for (let n = 0; n < tasks; n += 1000) {
    const rows = Array.from({ length: 1000 }, (_, at) => ({
      id: id(n + at + 2),
      ...of,
      title: `Task ${n + at}`,
      description,
    }));
    writeSync(out, `${n === 0 ? '' : ','}\n${rows.map((row) => JSON.stringify(row)).join(',\n')}`);
  }
  const column = { id: id(1), project_id: id(0), name: 'To do', kind: 'todo', position: 1 };
  writeSync(out, `],\n"workflow_columns":[\n${JSON.stringify(column)}]}}\n`);
  closeSync(out);
  const { code, stdout, stderr } = await runKanbase(
    ['import', file, '--project', 'new:Large', '--as', 'ada@example.test', '--dry-run', ...reach()],
    // The file has 130 MB.
    { env: { NODE_OPTIONS: '--max-old-space-size=112' } },
  );
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`From kanbase: ${tasks} tasks, 0 archived`);
  expect(stdout).toContain(`To do · ${tasks}\n  Task 0\n`);
});
