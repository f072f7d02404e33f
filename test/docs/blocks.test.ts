// The guides' code blocks, run as they stand: shell commands beside a server that serves, SQL as the owner of the tables in a transaction that is
// rolled back, JavaScript with a signed-in client that refuses to be refused, and settings by `kanbase config`. Every block says by whom it is run.

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { Upload, type UploadOptions } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { WebSocket } from 'ws';
import { buildServerAside } from '../../scripts/build.mjs';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { type CodeBlock, codeBlocks } from '../helpers/code-blocks.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { filledIn, guideBlock } from '../helpers/guide-block.ts';
import { runKanbase, type Served, scratch, startKanbase } from '../helpers/kanbase.ts';
import { putReadyCluster } from '../helpers/ready-cluster.ts';
import { startStripeServer } from '../helpers/stripe-server.ts';

const blocks = codeBlocks();
const marked = (mark: string, ...languages: string[]): CodeBlock[] =>
  blocks.filter((block) => block.mark === mark && (languages.length === 0 || languages.includes(block.language)));
/** In place of the payment provider, whose price the guide calls price_123. */
const stripe = forSuite(startStripeServer);
const priceOfGuide = { price_123: 'price_team' };
const place = scratch('blocks');
afterAll(() => place.remove());
const billingSettings = () => ({
  BILLING_SECRET_KEY: stripe.secretKey,
  BILLING_WEBHOOK_SECRET: 'whsec_guide',
  BILLING_API_URL: stripe.url,
});

/** Whether a test takes this block from its guide: by words that stand in it, or with the whole guide. */
function takes(test: string, { page, language, text }: CodeBlock): boolean {
  if (test.includes(`readFileSync('${page}'`)) return true;
  if (!test.includes(page.replace(/^docs\/|\.md$/g, ''))) return false;
  return [...test.matchAll(/guideBlock\(\s*[^,]+,\s*'(\w+)',\s*'((?:[^'\\]|\\.)*)'/g)].some(
    ([, of, words = '']) => of === language && text.includes(words.replaceAll('\\n', '\n')),
  );
}

test('every block says by whom it is run, or why it is not', () => {
  const known = /^(run|settings|tested=(\S+)|unrun="[^"]+")$/;
  expect(blocks.filter(({ mark }) => !known.test(mark)).map(({ place: at, mark }) => `${at} ${mark}`)).toEqual([]);
  const untested = blocks.filter((block) => {
    const [, file] = /^tested=(\S+)$/.exec(block.mark) ?? [];
    return file !== undefined && !(existsSync(file) && takes(readFileSync(file, 'utf8'), block));
  });
  expect(untested.map(({ place: at, mark }) => `${at} ${mark}`)).toEqual([]);
  const count = (start: string): number => blocks.filter(({ mark }) => mark.startsWith(start)).length;
  const reasons = blocks.filter(({ mark }) => mark.startsWith('unrun')).map(({ place: at, mark }) => `  ${at} ${mark}`);
  console.log(
    `${blocks.length} blocks: ${count('run')} run here, ${count('settings')} read as settings, ${count('tested')} run by other tests, ${reasons.length} not run:\n${reasons.join('\n')}`,
  );
});

test('commands stand in blocks that say so, not in indented text', () => {
  const loose = [...new Set(blocks.map(({ page }) => page))].flatMap((page) =>
    readFileSync(page, 'utf8')
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
      .split('\n')
      .filter((line) => /^ {4,}(npx|npm|docker|curl) /.test(line))
      .map((line) => `${page}: ${line.trim()}`),
  );
  expect(loose).toEqual([]);
});

test.each(marked('settings').map((block) => [block.place, block] as const))('%s is read', async (_place, { text }) => {
  const file = join(place.path, 'guide.env');
  writeFileSync(file, text.replace('the same on every node', 'a secret that is the same on every node'));
  const { code, stdout, stderr } = await runKanbase(['config', '--json', '--settings-file', file], { cwd: place.path });
  expect([code, stderr]).toEqual([0, '']);
  const rows = JSON.parse(stdout) as { name: string; source: string }[];
  const named = [...text.matchAll(/^([A-Z_0-9]+)=/gm)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(0);
  for (const name of named) expect(rows.find((row) => row.name === name)?.source).toBe('.env');
});

describe('beside an app', () => {
  const app = forSuite(() => startApp({ settings: billingSettings() }));
  let ada: TestUser;
  beforeAll(async () => {
    ada = await app.createUser({ name: 'Ada' });
  });

  /** What a reader of that page has from before. */
  const before: Readonly<Record<string, string>> = {
    'docs/build/api-by-example.md': 'create table my_table (id integer, deleted_at timestamptz)',
    'docs/build/realtime.md': 'create table papers (id text)',
  };
  /** A superuser's. */
  const ofAdmin = ['docs/run/admin.md'];

  test.each([...new Set(marked('run', 'sql').map(({ page }) => page))])('the SQL of %s', async (page) => {
    const { pathname } = new URL(app.ownerUrl.replace(/^postgres:\/\/[^/]*/, 'postgres://host'));
    const url = ofAdmin.includes(page)
      ? inject('cluster').adminUrl.replace(/\/postgres(\?|$)/, `${pathname}$1`)
      : app.ownerUrl;
    const owner = new pg.Client(connectionOptions(url));
    await owner.connect();
    try {
      await owner.query('begin');
      if (before[page] !== undefined) await owner.query(before[page]);
      for (const { text } of marked('run', 'sql').filter((block) => block.page === page)) await owner.query(text);
    } finally {
      await owner.query('rollback');
      await owner.end();
    }
  });

  /** Answers that refuse are kept: the client only says so. */
  function strict(refused: string[]): SupabaseClient {
    return createClient(app.url, app.anonKey, {
      accessToken: async () => ada.token,
      global: {
        fetch: async (...asked) => {
          const answer = await fetch(...asked);
          if (!answer.ok) refused.push(`${String(asked[0])}: ${await answer.clone().text()}`);
          return answer;
        },
      },
      realtime: { transport: WebSocket as never },
    }) as SupabaseClient;
  }

  type Given = Readonly<Record<string, unknown>>;

  async function given(page: string, kanbase: SupabaseClient): Promise<Given> {
    const { data: project } = await kanbase.rpc('create_project_with_defaults', { name: 'Guide' });
    const { data: tasks } = await kanbase
      .from('tasks')
      .insert({ project_id: project.id, title: 'Oil the bearings', due_date: '2030-01-01' })
      .select()
      .throwOnError();
    const [task] = tasks ?? [];
    const common = { kanbase, supabase: kanbase, project_id: project.id, task_id: task.id, id: project.id, task };
    if (page === 'docs/run/billing.md') return { ...common, location: new URL('/pricing', app.url), fetch: onThePage };
    if (page !== 'docs/build/files.md') return common;
    const picture = readFileSync('web/public/icons/maskable-512.png');
    const file = new Blob([new Uint8Array(picture)], { type: 'image/png' });
    const path = `${project.id}/${task.id}/plan.pdf`;
    const seen = `${project.id}/${task.id}/seen.png`;
    await kanbase.storage.from('attachments').upload(seen, file);
    const { data: rows } = await kanbase
      .from('task_attachments')
      .insert({ project_id: project.id, task_id: task.id, object_path: seen, name: 'seen.png' })
      .select('id')
      .throwOnError();
    return {
      ...common,
      ...{ file, path: seen, id: rows?.[0]?.id, url: app.url, apikey: app.anonKey, user: { id: ada.id }, location: {} },
      session: { access_token: ada.token },
      // The first block names the path itself.
      plan: path,
    };
  }

  async function onThePage(path: string, asked: RequestInit): Promise<Response> {
    const answer = await fetch(new URL(path, app.url), asked);
    expect(answer.status, await answer.clone().text()).toBe(200);
    return answer;
  }

  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
    ...parts: readonly string[]
  ) => (...values: readonly unknown[]) => Promise<unknown>;

  async function runProgram(text: string, known: Given): Promise<void> {
    // A block has a scope of its own: it may name anew what is given.
    await new AsyncFunction(...Object.keys(known), `{ ${text} }`)(...Object.values(known));
  }

  const programs = marked('run', 'js', 'ts').map((block) => [block.place, block] as const);
  test.each(programs.filter(([, { page }]) => !/identity|realtime/.test(page)))(
    'the program %s',
    async (_place, one) => {
      const refused: string[] = [];
      const kanbase = strict(refused);
      const known = await given(one.page, kanbase);
      const missing = one.text.includes('price_123') ? priceOfGuide : {};
      await runProgram(filledIn(one.text, missing), known);
      expect(refused).toEqual([]);
    },
  );

  test('the upload of docs/build/files.md arrives', async () => {
    const known = await given('docs/build/files.md', ada.client);
    const url = await new Promise<string | null>((done, fail) => {
      // A page would start it by a button.
      function Started(_file: Blob, options: UploadOptions): Upload {
        const ends = { onSuccess: () => done(upload.url), onError: fail };
        const upload: Upload = new Upload(Buffer.from('a plan'), { ...options, ...ends });
        upload.start();
        return upload;
      }
      const block = guideBlock('build/files', 'js', 'tus.Upload');
      runProgram(block, { ...known, path: known.plan, tus: { Upload: Started } }).catch(fail);
    });
    expect(url).toContain(app.url);
    const { data } = await ada.client.storage.from('attachments').download(String(known.plan));
    expect(await data?.text()).toBe('a plan');
  });

  test('the channel of docs/build/realtime.md stands', async () => {
    const [block] = programs.flatMap(([, one]) => (one.page === 'docs/build/realtime.md' ? [one] : []));
    const known = await given('', strict([]));
    const { client } = ada;
    await new Promise<void>((done, fail) => {
      const onStanding = (stands: boolean): void => (stands ? done() : fail(new Error('the channel does not stand')));
      runProgram(block?.text ?? '', { ...known, supabase: client, receive: () => undefined, onStanding }).catch(fail);
    });
    await client.removeAllChannels();
  });

  test('programs of docs/build/identity.md make an account and end a session', async () => {
    const [signUp, sessions] = programs.flatMap(([, one]) => (one.page === 'docs/build/identity.md' ? [one.text] : []));
    const [email, password] = ['reader@example.test', 'a good long password'];
    const create = (url: string, key: string): SupabaseClient =>
      createClient(url, key, { auth: { persistSession: false }, realtime: { transport: WebSocket as never } });
    const text = filledIn(signUp ?? '', {
      "import { createClient } from '@supabase/supabase-js';": '',
      "'https://board.example.com', ANON_KEY": `'${app.url}', '${app.anonKey}'`,
    });
    await runProgram(text, { createClient: create, email, password });
    const clients = [create(app.url, app.anonKey), create(app.url, app.anonKey)];
    for (const client of clients) {
      const { error } = await client.auth.signInWithPassword({ email, password });
      expect(error).toBeNull();
    }
    const count = async (): Promise<number> => (await clients[1]?.rpc('list_my_sessions'))?.data.length;
    const open = await count();
    await runProgram(sessions ?? '', { kanbase: clients[1] });
    expect(await count()).toBe(open - 1);
  });

  test.each(marked('run', 'json').map((block) => [block.place, block] as const))('%s is taken', async (_place, one) => {
    const body = JSON.parse(one.text) as unknown;
    if (!one.page.endsWith('templates.md')) return;
    const { data: template } = await ada.client
      .from('templates')
      .insert({ kind: 'project', name: 'Boat', body })
      .select('id')
      .single()
      .throwOnError();
    const made = await ada.client.rpc('create_project_from_template', { template_id: template?.id });
    expect(made.error).toBeNull();
  });
});

describe('beside a server', () => {
  let served: Served;
  const dataDir = join(place.path, 'data');
  const folder = join(place.path, 'folder');
  const shims = join(place.path, 'shims');
  let env: Record<string, string>;

  beforeAll(async () => {
    for (const directory of [folder, shims]) mkdirSync(directory);
    await putReadyCluster(dataDir);
    served = await startKanbase(['--data-dir', dataDir], { env: { AUTH_LIMIT_EXEMPT: 'loopback' } });
    const main = await buildServerAside();
    // The command by its name, as npx finds it in a checkout; npm start goes on to the next line once it serves, and ends with the block.
    const scripts = {
      npx: `shift; exec '${process.execPath}' '${main}' "$@"`,
      npm: `shift; [ "$1" = -- ] && shift; cd '${process.cwd()}'; '${process.execPath}' '${resolve('scripts/start.mjs')}' "$@" > "$OUTPUT" 2>&1 & echo $! > "$OUTPUT.pid"
        until grep -q 'Kanbase is ready' "$OUTPUT"; do kill -0 $! || { cat "$OUTPUT"; exit 1; }; sleep 0.1; done`,
    };
    for (const [name, script] of Object.entries(scripts)) {
      writeFileSync(join(shims, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(shims, name), 0o755);
    }
    env = {
      PATH: `${shims}${delimiter}${process.env.PATH}`,
      HOME: place.path,
      DATA_DIR: dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
    };
    await prepare();
  });
  afterAll(async () => {
    await served.stop();
  });

  /** An account, its projects HAR and WEB, an import to undo, and files to import. */
  async function prepare(): Promise<void> {
    const call = async (path: string, body: unknown, token = served.anonKey) => {
      const answer = await fetch(served.url + path, {
        method: 'POST',
        headers: { apikey: served.anonKey, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(answer.status, await answer.clone().text()).toBe(200);
      return answer.json() as Promise<Record<string, string>>;
    };
    const account = { email: 'ada@example.org', password: 'correct horse battery', data: { name: 'Ada' } };
    const { access_token: token = '' } = await call('/auth/v1/signup', account);
    await call('/auth/v1/signup', { ...account, email: 'ada@example.com' });
    for (const [name, key] of [
      ['Harbour', 'HAR'],
      ['Web', 'WEB'],
    ])
      await call('/rest/v1/rpc/create_project_with_defaults', { name, key }, token);
    for (const [from, to] of [
      ['trello.json', 'board.json'],
      ['github.json', 'issues.json'],
    ] as const)
      cpSync(`test/imports/samples/${from}`, join(folder, to));
    writeFileSync(join(folder, 'tasks.csv'), 'Title,Bucket,Who,Internal\nOil the bearings,Doing,Ada,7\n');
    const imported = await runKanbase(
      ['import', 'tasks.csv', '--project', 'new:Undone', '--as', 'ada@example.org', '--data-dir', dataDir],
      { cwd: folder },
    );
    const [, id = ''] = /--undo (\S+)/.exec(imported.stdout) ?? [];
    expect(id, imported.stdout + imported.stderr).not.toBe('');
    env = { ...env, IMPORTED: id, TOKEN: token };
  }

  /** Values a reader has to fill in. */
  const filled: Readonly<Record<string, () => Record<string, string>>> = {
    'docs/build/api-by-example.md': () => ({ '…': served.anonKey, 'http://localhost:3000': served.url }),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in.
    'docs/use/import.md': () => ({ '0192…': '"${IMPORTED}"' }),
    'docs/run/self-hosting.md': () => ({ '/var/lib/kanbase': join(place.path, 'own') }),
  };

  test.each(marked('run', 'sh').map((block) => [block.place, block] as const))(
    'the commands of %s',
    async (at, one) => {
      const values = Object.entries(filled[one.page]?.() ?? {}).filter(([from]) => one.text.includes(from));
      const output = join(place.path, `output-${at.replaceAll(/\W/g, '-')}`);
      const serves = /\bnpm start\b/.test(one.text);
      const done = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', filledIn(one.text, Object.fromEntries(values))], {
        cwd: folder,
        encoding: 'utf8',
        // A server of its own has a directory of its own.
        env: { ...env, OUTPUT: output, ...(serves ? { DATA_DIR: join(place.path, 'started') } : {}) },
      });
      expect(done.status, `${one.text}${done.stdout}${done.stderr}`).toBe(0);
      expect(done.stderr).not.toMatch(/"level":"(warn|error)"/);
      if (!serves) return;
      const pid = Number(readFileSync(`${output}.pid`, 'utf8'));
      process.kill(pid, 'SIGTERM');
      await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: 30_000 }).toBe(false);
    },
  );
});
