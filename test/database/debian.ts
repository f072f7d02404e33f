// Debian's PostgreSQL 15 and PgBouncer for tests of "your own Postgres": fetched through apt where that is possible,
// and started on free ports in directories of their own.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { haveProgram } from '../../scripts/apt.mjs';
import { temporaryDirectory } from '../helpers/temporary.ts';

export const bin = '/usr/lib/postgresql/15/bin';
const bouncer = '/usr/sbin/pgbouncer';
/** Neither server will run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

export const havePostgres = haveProgram('postgresql-15');
export const haveBouncer = haveProgram('pgbouncer');

export interface OwnPostgres {
  readonly port: number;
  readonly directory: string;
  /** Superuser through the socket. */
  readonly adminUrl: string;
  url(user: string, password: string, database: string, query?: string): string;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  remove(): Promise<void>;
}

/** With TLS on, a certificate for `localhost`, and these lines in pg_hba.conf before the usual ones. */
export async function startOwnPostgres(hba: readonly string[] = []): Promise<OwnPostgres> {
  const directory = temporaryDirectory('own');
  if (nobody.uid !== undefined) chownSync(directory, nobody.uid, nobody.gid);
  const data = join(directory, 'data');
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    {
      cwd: directory,
      encoding: 'utf8',
      ...nobody,
    },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  makeCertificate(directory);
  writeFileSync(
    join(data, 'pg_hba.conf'),
    [
      ...hba,
      'local all postgres trust',
      'host all all 127.0.0.1/32 scram-sha-256',
      'host all all ::1/128 scram-sha-256',
      '',
    ].join('\n'),
  );
  const port = await freePort();
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    child = spawn(
      join(bin, 'postgres'),
      [
        ...['-D', data, '-p', String(port), '-k', directory, '-c', 'fsync=off', '-c', 'listen_addresses=localhost'],
        ...[
          '-c',
          'ssl=on',
          '-c',
          `ssl_cert_file=${directory}/server.crt`,
          '-c',
          `ssl_key_file=${directory}/server.key`,
        ],
      ],
      {
        cwd: directory,
        stdio: ['ignore', 'ignore', 'pipe'],
        // What a database with `lc_messages` other than C speaks; all others keep to English.
        env: { ...process.env, LANGUAGE: 'de' },
        ...nobody,
      },
    );
    await waitForOutput(child, 'ready to accept connections');
  };
  const stop = async (signal: NodeJS.Signals = 'SIGINT'): Promise<void> => {
    const running = child;
    child = null;
    if (running === null) return;
    const gone = new Promise<void>((resolve) => running.once('exit', () => resolve()));
    running.kill(signal);
    await gone;
  };
  await start();
  return {
    port,
    directory,
    adminUrl: `postgres://postgres@/postgres?host=${encodeURIComponent(directory)}&port=${port}`,
    url: (user, password, database, query = 'sslmode=disable') =>
      `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@localhost:${port}/${database}?${query}`,
    start,
    stop,
    remove: async () => {
      await stop('SIGQUIT');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export interface Bouncer {
  readonly port: number;
  stop(): Promise<void>;
}

/** PgBouncer in transaction mode in front of it. */
export async function startBouncer(server: OwnPostgres, users: Readonly<Record<string, string>>): Promise<Bouncer> {
  const directory = temporaryDirectory('bouncer');
  const port = await freePort();
  writeFileSync(
    join(directory, 'users'),
    Object.entries(users)
      .map(([name, password]) => `"${name}" "${password}"\n`)
      .join(''),
  );
  writeFileSync(
    join(directory, 'pgbouncer.ini'),
    `[databases]
* = host=localhost port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${directory}/users
pool_mode = transaction
default_pool_size = 3
max_client_conn = 100
`,
  );
  for (const name of ['.', 'users', 'pgbouncer.ini']) {
    if (nobody.uid !== undefined) chownSync(join(directory, name), nobody.uid, nobody.gid);
  }
  const child = spawn(bouncer, [join(directory, 'pgbouncer.ini')], { stdio: ['ignore', 'ignore', 'pipe'], ...nobody });
  await waitForOutput(child, 'process up');
  await reachable(port);
  return {
    port,
    stop: async () => {
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      await gone;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function makeCertificate(directory: string): void {
  const made = spawnSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      `${directory}/server.key`,
      '-out',
      `${directory}/server.crt`,
    ],
    { encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  chmodSync(join(directory, 'server.key'), 0o600);
  if (nobody.uid !== undefined) chownSync(join(directory, 'server.key'), nobody.uid, nobody.gid);
}

/** Waits for text on a child's error output; when it ends instead, the error carries its last output. */
function waitForOutput(child: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = '';
    child.stderr?.on('data', (bytes: Buffer) => {
      seen = (seen + bytes.toString()).slice(-5000);
      if (seen.includes(words)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${seen}`)));
  });
}

async function reachable(port: number): Promise<void> {
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (open) return;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
