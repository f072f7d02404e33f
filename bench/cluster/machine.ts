// Machine of the cluster: etcd, Patroni with its Postgres, HAProxy, PgBouncer and Kanbase, each a process that can be killed and started
// again. Their settings are the files beside this one.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, front, network, numbers, spaceOf } from './network.ts';

export const password = 'only-for-measuring';
export const secret = 'only-for-measuring-0123456789abcdef';
export const parts = ['etcd', 'patroni', 'haproxy', 'pgbouncer', 'kanbase'] as const;
export type Part = (typeof parts)[number];

/** Postgres will not be root; the others need not. */
const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--inh-caps=-all'];
const names = { etcd: numbers.map((number) => `${addressOf(number)}:2379`).join(',') };

export class Machine {
  readonly address: string;
  readonly #number: number;
  readonly #home: string;
  readonly #running = new Map<Part, ChildProcess>();

  constructor(number: number, directory: string) {
    this.#number = number;
    this.address = addressOf(number);
    this.#home = join(directory, spaceOf(number));
    mkdirSync(join(this.#home, 'kanbase'), { recursive: true });
    mkdirSync(join(this.#home, 'etcd'), { mode: 0o700 });
    this.#write('patroni.yml');
    this.#write('haproxy.cfg');
    this.#write('pgbouncer.ini');
    writeFileSync(join(this.#home, 'users.txt'), `"web" "${password}"\n"kanbase" "${password}"\n`);
    spawnSync('chown', ['-R', 'postgres:postgres', this.#home]);
  }

  get number(): number {
    return this.#number;
  }

  /** Where Postgres' own socket is. */
  get home(): string {
    return this.#home;
  }

  start(part: Part): void {
    const log = openSync(join(this.#home, `${part}.log`), 'a');
    const { command, env } = this.#command(part);
    const child = spawn('ip', ['netns', 'exec', spaceOf(this.#number), ...asPostgres, ...command], {
      cwd: this.#home,
      env: { PATH: `${process.env.PATH}:/usr/sbin`, LANG: 'C.UTF-8', HOME: this.#home, ...env },
      stdio: ['ignore', log, log],
      // Of its own, as a service manager gives it: processors are shared out by session.
      detached: true,
    });
    closeSync(log);
    this.#running.set(part, child);
  }

  /** As by a crash: nobody says goodbye. */
  async kill(part: Part): Promise<void> {
    const child = this.#running.get(part);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** The parent of all of Postgres' processes; they end when they see that it has gone. */
  killPostgres(): void {
    const [pid] = readFileSync(join(this.#home, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
  }

  log(part: Part): string {
    return readFileSync(join(this.#home, `${part}.log`), 'utf8');
  }

  #write(file: string): void {
    writeFileSync(
      join(this.#home, file),
      fill(file, {
        name: spaceOf(this.#number),
        address: this.address,
        home: this.#home,
        network,
        password,
        etcd: names.etcd,
        primaries: numbers
          .map((number) => `  server ${spaceOf(number)} ${addressOf(number)}:5432 check port 8008`)
          .join('\n'),
      }),
    );
  }

  #command(part: Part): { command: string[]; env?: Record<string, string> } {
    const { address } = this;
    const name = spaceOf(this.#number);
    if (part === 'patroni') return { command: ['patroni', join(this.#home, 'patroni.yml')] };
    if (part === 'haproxy') return { command: ['haproxy', '-db', '-f', join(this.#home, 'haproxy.cfg')] };
    if (part === 'pgbouncer') return { command: ['pgbouncer', join(this.#home, 'pgbouncer.ini')] };
    if (part === 'etcd') {
      const cluster = numbers.map((number) => `${spaceOf(number)}=http://${addressOf(number)}:2380`).join(',');
      const urls = [
        '--listen-peer-urls',
        `http://${address}:2380`,
        '--initial-advertise-peer-urls',
        `http://${address}:2380`,
      ];
      const client = [
        '--listen-client-urls',
        `http://${address}:2379`,
        '--advertise-client-urls',
        `http://${address}:2379`,
      ];
      const pace = ['--heartbeat-interval', '100', '--election-timeout', '1000'];
      const own = ['--name', name, '--data-dir', join(this.#home, 'etcd'), '--initial-cluster', cluster];
      return { command: ['etcd', ...own, ...urls, ...client, ...pace] };
    }
    return {
      command: [process.execPath, '--enable-source-maps', join(process.cwd(), 'dist', 'server', 'main.js'), 'serve'],
      env: {
        HOST: address,
        PORT: '3000',
        SITE_URL: `http://${front}:8080`,
        TRUST_PROXY: front,
        DATA_DIR: join(this.#home, 'kanbase'),
        JWT_SECRET: secret,
        // Requests by way of PgBouncer, listening and the log past it; both go to whichever Postgres is the primary.
        DATABASE_URL: `postgres://web:${password}@127.0.0.1:6432/kanbase`,
        DATABASE_DIRECT_URL: `postgres://kanbase:${password}@127.0.0.1:5000/kanbase`,
        DATABASE_REPLICA_URL: `postgres://web:${password}@127.0.0.1:5001/kanbase`,
        DB_PREPARED_STATEMENTS: 'false',
        STORAGE_S3_BUCKET: 'kanbase',
        STORAGE_S3_ENDPOINT: `http://${front}:9000`,
        STORAGE_S3_ACCESS_KEY_ID: 'S3RVER',
        STORAGE_S3_SECRET_ACCESS_KEY: 'S3RVER',
        LOG_LEVEL: 'info',
      },
    };
  }
}

/** A file from beside this one with its `{{places}}` filled. */
export function fill(file: string, values: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(process.cwd(), 'bench', 'cluster', file), 'utf8');
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}
