// `kanbase task`, `project`, `login` and `logout` against a running app.

import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandLine } from '../../contract/command-line.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { runKanbase, scratch } from '../helpers/kanbase.ts';
import { type CommandLine, openCommandLine } from './signed-in.ts';

const app = forSuite(startApp);
const place = scratch('task');
afterAll(() => place.remove());
let ada: CommandLine;

beforeAll(async () => {
  ada = await openCommandLine(app, place.path);
  expect(await ada.login()).toMatchObject({ code: 0 });
  for (const [name, key] of [
    ['Harbour', 'HAR'],
    ['Garden', 'GAR'],
  ])
    expect((await ada.person.rpc('create_project_with_defaults', { name, key })).error).toBeNull();
  expect(await ada.run('project', 'use', 'harbour')).toMatchObject({
    code: 0,
    stdout: 'HAR Harbour is the usual project\n',
  });
});

const grants = () =>
  app.sql<{ id: string }>(
    `select id from auth.oauth_grants where client_id = '${commandLine.id}' and user_id = '${ada.id}'`,
  );

describe('a sign-in', () => {
  test('is kept where its owner alone reads it, and is nowhere else', async () => {
    expect(statSync(ada.file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(ada.file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(ada.file))).toEqual(['sign-ins.json']);
    const { refreshToken, accessToken } = JSON.parse(readFileSync(ada.file, 'utf8')).instances[app.url];
    const { stdout, stderr } = await ada.run('whoami');
    expect(stdout + stderr).not.toContain(refreshToken);
    expect(stdout + stderr).not.toContain(accessToken);
    expect(stdout).toBe(`Instance\t${app.url}\nAccount\tAda 1\nProject\tHAR Harbour\n`);
  });

  test('is renewed once by commands that run at the same time', async () => {
    const renewals = async (): Promise<number> => {
      const [session] = await app.sql<{ refresh_counter: string }>(
        `select refresh_counter from auth.sessions where user_id = '${ada.id}' and oauth_grant_id is not null`,
      );
      return Number(session?.refresh_counter);
    };
    const before = await renewals();
    ada.expire();
    const ended = await Promise.all(Array.from({ length: 6 }, () => ada.run('project', 'list')));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, '']));
    // A refresh token that came twice would have ended it.
    expect(await grants()).toHaveLength(1);
    expect(await renewals()).toBe(before + 1);
  });

  test('is renewed past the lock of a command that was killed', async () => {
    ada.expire();
    const lock = `${ada.file}.lock`;
    // No process of Linux has that number.
    writeFileSync(lock, `4194305 ${hostname()} killed`);
    expect(await ada.run('whoami')).toMatchObject({ code: 0 });
    expect(readdirSync(dirname(ada.file))).toEqual(['sign-ins.json']);
  });

  test('that the person ended says so, with exit code 4, and is forgotten', async () => {
    const bob = await openCommandLine(app, place.path);
    await bob.login();
    await app.sql(`delete from auth.oauth_grants where user_id = '${bob.id}'`);
    expect(await bob.run('task', 'list')).toEqual({
      code: 4,
      signal: null,
      stdout: '',
      stderr: `kanbase task list: the sign-in at ${app.url} has ended. Sign in again: npx kanbase login ${app.url}\n`,
    });
    expect(JSON.parse(readFileSync(bob.file, 'utf8')).instances).toEqual({});
  });

  test('may do no more than its scope', async () => {
    const reader = await openCommandLine(app, place.path);
    await reader.login('--scope', 'read');
    await reader.person.rpc('create_project_with_defaults', { name: 'Attic', key: 'ATT' });
    expect(await reader.run('task', 'list', '-p', 'ATT')).toMatchObject({ code: 0 });
    expect(await reader.run('task', 'new', 'Sweep')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('what this sign-in may do'),
    });
  });

  test('ends there and here by logout', async () => {
    const carl = await openCommandLine(app, place.path);
    await carl.login();
    expect(await carl.run('logout')).toMatchObject({ code: 0, stderr: `Signed out at ${app.url}\n` });
    expect(
      await app.sql(`select from auth.sessions where user_id = '${carl.id}' and oauth_grant_id is not null`),
    ).toEqual([]);
    expect(await carl.run('task', 'list')).toMatchObject({ code: 4, stderr: expect.stringContaining('kanbase login') });
    expect(await carl.run('logout')).toMatchObject({ code: 4 });
  });

  test.each(['nonsense', 'ftp://board.example.test'])('is kept by a logout that names %s', async (word) => {
    expect(await ada.run('logout', word)).toMatchObject({ code: 2, stdout: '' });
    expect(await ada.run('whoami')).toMatchObject({ code: 0 });
  });

  test('is refused where an administrator took the grants of the command line away', async () => {
    const admin = app.client({ key: app.serviceKey });
    const change = (grant_types: string[]) =>
      admin.auth.admin.oauth.updateClient(commandLine.id, { grant_types } as never);
    const { data: before } = await admin.auth.admin.oauth.getClient(commandLine.id);
    expect((await change([])).error).toBeNull();
    expect(await runKanbase(['login', app.url], { env: ada.env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('KANBASE_KEY'),
    });
    expect((await change([...(before?.grant_types ?? [])])).error).toBeNull();
  });

  test.each([
    [['http://board.example.test'], 1, /not encrypted/],
    [['ftp://board.example.test'], 2, /ADDRESS must be an address such as/],
    [[], 2, /ADDRESS is missing/],
  ])('at %j is refused with the next step', async (words, code, says) => {
    const ended = await runKanbase(['login', ...words], { env: ada.env });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(says);
  });
});

test('a server that is away is named', async () => {
  // The port of our end of a connection: nobody can listen on it.
  const held = connect(Number(new URL(app.url).port), '127.0.0.1');
  await once(held, 'connect');
  const port = held.localPort;
  expect(await runKanbase(['login', `127.0.0.1:${port}`], { env: ada.env })).toMatchObject({
    code: 1,
    stderr: `kanbase login: http://127.0.0.1:${port} can't be reached (ECONNREFUSED). Check the address and your network\n`,
  });
  held.destroy();
});

describe('tasks', () => {
  test('are created with all that is named, listed, shown, moved, commented on and done', async () => {
    await ada.person.from('task_labels').insert({ project_id: await projectId('HAR'), name: 'Steel' });
    const made = await ada.json<{ key: string; url: string }>(
      ...['task', 'new', 'Paint', 'the', 'crane', '--assign', 'me', '--label', 'steel', '--due', '2026-12-24'],
      ...['--priority', 'P0', '-d', 'In *red*'],
    );
    expect(made).toMatchObject({
      ...{ title: 'Paint the crane', column: 'Backlog', assignees: ['Ada 1'], labels: ['Steel'] },
      ...{ due_date: '2026-12-24', priority: 'p0', description: 'In *red*' },
    });
    expect(made.url).toMatch(new RegExp(`^${app.url}/app/projects/[0-9a-f-]{36}/board/\\d+$`));
    const { key } = made;
    // Nothing more of it by filters that read further tables.
    expect(await ada.json('task', 'list', '--mine', '--label', 'steel')).toEqual([made]);
    // In a pipe: whole values between tabs, and nothing else.
    const line = `${key}\tPaint the crane\tBacklog\tP0\t2026-12-24\tAda 1\n`;
    for (const flags of [
      ['--mine'],
      ['--assignee', 'ada'],
      ['-l', 'STEEL'],
      ['-s', 'crane'],
      ['-c', 'back'],
      ['--priority', 'p0'],
    ])
      expect(await ada.run('task', 'list', ...flags)).toMatchObject({ code: 0, stdout: line, stderr: '' });
    expect(await ada.run('task', 'move', key, 'in', 'prog')).toMatchObject({
      code: 0,
      stdout: `${key}\tPaint the crane\t${made.url}\n`,
    });
    expect(await ada.run('task', 'comment', key, 'Two', 'coats')).toMatchObject({ code: 0 });
    expect(await ada.runWith('From a pipe\n', 'task', 'comment', key.slice(4))).toMatchObject({ code: 0 });
    expect(await ada.json('task', 'show', made.url)).toMatchObject({
      ...{ key, column: 'In progress', waits_for: [], subtasks: [] },
      comments: [
        { author: 'Ada 1', body: 'Two coats' },
        { author: 'Ada 1', body: 'From a pipe' },
      ],
    });
    expect(await ada.run('task', 'done', key)).toMatchObject({ code: 0 });
    expect(await ada.run('task', 'list')).toMatchObject({ code: 0, stdout: '', stderr: 'No tasks match.\n' });
    expect((await ada.run('task', 'list', '--all')).stdout).toContain('\tDone\t');
    // Done twice is done.
    expect(await ada.run('task', 'done', key.toLowerCase())).toMatchObject({ code: 0 });
  });

  test('name who wrote, and the program', async () => {
    const { key } = await ada.json<{ key: string }>('task', 'new', 'Sign');
    await ada.run('task', 'comment', key, 'By hand');
    const { data } = await ada.person.from('task_comments').select('author_id, program').eq('body', 'By hand').single();
    expect(data).toMatchObject({ author_id: ada.id, program: { sub: commandLine.id, name: commandLine.name } });
  });

  test('are claimed, written under their claim, kept and handed back', async () => {
    const { person, run, json } = ada;
    const { data: project } = await person.rpc('create_project_with_defaults', { name: 'Quay', key: 'QUA' });
    for (const title of ['Sand', 'Paint']) await json('task', 'new', title, '-p', 'QUA');
    type Claimed = { key: string; column: string; claim: { id: string; fence: number } };
    const claim = (...more: string[]) => json<Claimed | null>('task', 'next', '--claim', '-p', 'QUA', ...more);
    const first = await claim('--seconds', '600', '--start');
    expect(first).toMatchObject({ key: 'QUA-1', column: 'In progress', claim: { fence: expect.any(Number) } });
    expect(await run('task', 'comment', 'QUA-1', 'Sanding')).toMatchObject({ code: 0 });
    expect(await run('task', 'keep')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^QUA-1 is claimed until/),
    });
    expect((await claim())?.key).toBe('QUA-2');
    expect(await claim()).toBeNull();
    expect(await run('task', 'release')).toMatchObject({ code: 2, stderr: expect.stringContaining('QUA-1, QUA-2') });
    expect(await run('task', 'release', 'QUA-2', '--note', 'No paint')).toMatchObject({ code: 0 });
    expect(await run('task', 'release', 'QUA-2')).toMatchObject({ code: 1, stderr: expect.stringContaining("isn't") });
    // As if its time had run out while the command slept, and another had claimed it.
    await app.sql(`update task_claims set expires_at = now() where id = $1`, [first?.claim.id]);
    const view = {
      project_id: project.id,
      name: 'Ready',
      filter: { all: [{ property: 'title', is: 'is', value: 'Sand' }] },
    };
    expect((await person.from('saved_views').insert(view)).error).toBeNull();
    const other = await person.rpc('claim_next_task', { project: project.id }).select('task_id, fence').single();
    expect(other.data?.fence).toBeGreaterThan(first?.claim.fence ?? 0);
    for (const late of [
      ['comment', 'QUA-1', 'Late'],
      ['move', 'QUA-1', 'Done'],
      ['done', 'QUA-1'],
      ['keep', 'QUA-1'],
    ])
      expect(await run('task', ...late)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('the claim has ended'),
      });
    expect(await run('task', 'release', 'QUA-1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has ended'),
    });
    await app.sql(`update task_claims set expires_at = now() where project_id = $1 and ended_at is null`, [project.id]);
    expect((await claim('--view', 'ready'))?.key).toBe('QUA-1');
    expect(await run('task', 'done', 'QUA-1')).toMatchObject({ code: 0 });
    expect(await run('task', 'keep')).toMatchObject({ code: 1, stderr: expect.stringContaining('no task is claimed') });
    expect(await run('task', 'next', '--view', 'ready')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--claim'),
    });
  });

  test('that wait for others are not next, and stay open', async () => {
    const create = async (...args: string[]) =>
      ada.json<{ key: string; id: string }>('task', 'new', ...args, '-p', 'GAR', '-a', 'me');
    const later = await create('Later', '--due', '2026-12-02', '--priority', 'p1');
    const urgent = await create('Urgent', '--priority', 'p0');
    const first = await create('First', '--due', '2026-12-01', '--priority', 'p1');
    const next = async () => (await ada.json<{ key: string } | null>('task', 'next', '-p', 'GAR'))?.key;
    expect(await next()).toBe(urgent.key);
    const { error } = await ada.person
      .from('task_dependencies')
      .insert({ predecessor_id: later.id, successor_id: urgent.id });
    expect(error).toBeNull();
    expect(await next()).toBe(first.key);
    expect(await ada.run('task', 'done', urgent.key)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^kanbase task done: ${urgent.key} stays open: .*Open predecessors: ${later.key}`),
      ),
    });
    const both = await ada.run('task', 'done', first.key, urgent.key, '--json');
    expect([both.code, JSON.parse(both.stdout)]).toMatchObject([1, [{ key: first.key, column: 'Done' }]]);
    expect(both.stderr).toContain(`${urgent.key} stays open`);
    expect(await ada.run('task', 'done', later.key)).toMatchObject({ code: 0 });
    expect(await next()).toBe(urgent.key);
    expect(await ada.json('task', 'show', urgent.key)).toMatchObject({ waits_for: [] });
    await ada.run('task', 'done', urgent.key);
    expect(await ada.run('task', 'next', '-p', 'GAR')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'Nothing is assigned to you.\n',
    });
  });

  test('bring no control characters of others into the output', async () => {
    const hostile = 'Red\u001b[31m\u009b2J\u202e\u061c alert';
    const { data: columns } = await ada.person
      .from('workflow_columns')
      .select('id')
      .eq('project_id', await projectId('GAR'));
    const { data: task } = await ada.person
      .from('tasks')
      .insert({ column_id: columns?.[0]?.id, title: hostile, description: `${hostile}\nand more` })
      .select('number')
      .single();
    const key = `GAR-${task?.number}`;
    const { stdout } = await ada.run('task', 'list', '-p', 'GAR');
    expect(stdout).toContain(`${key}\tRed[31m`);
    const shown = (await ada.run('task', 'show', key)).stdout;
    const json = (await ada.run('task', 'show', key, '--json')).stdout;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    for (const text of [stdout, shown, json]) expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect(stdout + shown + json).not.toMatch(/[\u202e\u061c]/);
    expect(JSON.parse(json).title).toBe(hostile);
  });

  test.each([
    [['task', 'show', 'HAR-999'], 1, /HAR-999 is not there, or you can't see it/],
    [['task', 'show', 'ZZZ-1'], 1, /no project with the key ZZZ/],
    [['task', 'show', 'one'], 2, /"one" is not a task: WEB-12/],
    [
      ['task', 'list', '-p', 'nowhere'],
      1,
      /no project is called "nowhere"\. There are GAR \(Garden\), HAR \(Harbour\)/,
    ],
    [['task', 'new', 'x', '--due', '2026-02-30'], 2, /--due must be a day such as/],
    [['task', 'new', 'x', '--label', 'blue'], 1, /no label "blue"/],
    [['task', 'list', '--label', 'blue'], 1, /no label "blue"/],
    [['task', 'list', '--limit', '0'], 2, /--limit must be a whole number/],
    [['task', 'list', '--colour'], 2, /--colour is not a flag of task list\. Accepted: --project, --mine/],
    [['task', 'fly'], 2, /"fly" is not known to task: choose list, next, keep, release, show/],
    [['task', 'comment', 'HAR-1'], 2, /the comment is empty/],
    [['task', 'comment', 'HAR-1', '- item'], 2, /- item is not a flag .* npx kanbase task comment TASK -- \[TEXT\]/],
  ])('%j is refused in one line', async (args, code, says) => {
    const ended = await ada.run(...args);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toMatch(says);
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('stay where they are when no column has the name, and the columns are named', async () => {
    const { key } = await ada.json<{ key: string }>('task', 'new', 'Stays', '-p', 'GAR');
    expect(await ada.run('task', 'move', key, 'nowhere')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no column "nowhere"\. There are: Backlog, To do, In progress, Done/),
    });
  });

  test('are listed by a label of any project, which must be there', async () => {
    const dan = await openCommandLine(app, place.path);
    await dan.login();
    for (const key of ['ONE', 'TWO']) {
      await dan.person.rpc('create_project_with_defaults', { name: key, key });
      const { data } = await dan.person.from('projects').select('id').eq('key', key).single();
      await dan.person.from('task_labels').insert({ project_id: data?.id, name: key === 'ONE' ? 'Steel' : 'steel' });
      await dan.json('task', 'new', 'Weld', '-p', key, '-l', 'steel');
    }
    const found = await dan.json<{ key: string }[]>('task', 'list', '-l', 'STEEL');
    expect(found.map(({ key }) => key).sort()).toEqual(['ONE-1', 'TWO-1']);
    expect(await dan.run('task', 'list', '-l', 'stele')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'kanbase task list: there is no label "stele"\n',
    });
  });

  test('work with a key in place of a sign-in', async () => {
    const { data: key } = await ada.person.rpc('create_api_key', { name: 'CI', scope: 'write' });
    const env = { KANBASE_URL: app.url, KANBASE_KEY: `${key.token}\n`, KANBASE_PROJECT: 'GAR', HOME: place.path };
    const run = (...args: string[]) => runKanbase(args, { env, cwd: place.path });
    expect(await run('task', 'new', 'By key', '-a', 'me')).toMatchObject({ code: 0, stderr: '' });
    expect((await run('task', 'next')).stdout).toContain('By key');
    // Not 127.0.0.1 by name, and the same app.
    const KANBASE_URL = app.url.replace('127.0.0.1', '0.0.0.0');
    expect(await runKanbase(['task', 'list'], { env: { ...env, KANBASE_URL }, cwd: place.path })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/is not encrypted: use https, or set KANBASE_INSECURE=1/),
    });
    const agreed = { ...env, KANBASE_URL, KANBASE_INSECURE: '1' };
    expect(await runKanbase(['task', 'list'], { env: agreed, cwd: place.path })).toMatchObject({ code: 0 });
    await ada.person.rpc('revoke_api_key', { key_id: key.id });
    expect(await run('task', 'list')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("doesn't take KANBASE_KEY"),
    });
  });

  async function projectId(key: string): Promise<string> {
    const { data } = await ada.person.from('projects').select('id').eq('key', key).single();
    return data?.id;
  }
});
