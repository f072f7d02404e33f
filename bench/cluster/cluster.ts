// Cluster of three machines with everything on them, and the balancer in front: starts, checks and inspects it. Files lie in an S3 service of its
// own. Faults are in faults.ts, load in load.ts.

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import S3rver from 's3rver';
import type { Roles } from './faults.ts';
import { fill, Machine, password } from './machine.ts';
import { addressOf, directory, front, makeNetwork, numbers, spaceOf } from './network.ts';

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly lag?: number | string;
}

export class Cluster {
  readonly machines: readonly Machine[];
  readonly url = `http://${front}:8080`;

  constructor() {
    makeNetwork();
    this.machines = numbers.map((number) => new Machine(number, directory));
  }

  async start(say: (line: string) => void): Promise<void> {
    const bucket = { name: 'kanbase', configs: [] };
    const files = join(directory, 's3');
    await new S3rver({ port: 9000, address: front, silent: true, directory: files, configureBuckets: [bucket] }).run();
    say('starting etcd, Patroni and Postgres on three machines …');
    for (const machine of this.machines) machine.start('etcd');
    await this.#until('etcd', 120, async () => (await this.#etcdLeader()) !== null);
    for (const machine of this.machines)
      for (const part of ['patroni', 'haproxy', 'pgbouncer'] as const) machine.start(part);
    const primary = await this.#until('a primary', 150, () => this.#primary());
    await this.#makeDatabase(primary);
    await this.#until('two replicas', 150, () => this.roles());
    say('starting Kanbase …');
    for (const machine of this.machines) machine.start('kanbase');
    const nodes = numbers.map((number) => `  server kanbase${number} ${addressOf(number)}:3000 check`).join('\n');
    writeFileSync(join(directory, 'front.cfg'), fill('front.cfg', { address: front, nodes }));
    spawn('haproxy', ['-db', '-f', join(directory, 'front.cfg')], {
      env: { PATH: `${process.env.PATH}:/usr/sbin` },
      stdio: 'ignore',
    });
    await this.untilWhole(150);
    await this.#until('what stands in front', 60, () => answers(`${this.url}/ready`));
  }

  /** Every machine does what it is there for: seconds until then. */
  async untilWhole(limit: number): Promise<number> {
    const begun = Date.now();
    await this.#until('all of the cluster', limit, async () => {
      const ready = await Promise.all(this.machines.map(({ address }) => answers(`http://${address}:3000/ready`)));
      return ready.every(Boolean) && (await this.roles()) !== null;
    });
    return (Date.now() - begun) / 1000;
  }

  /** Null while not all three are in their places. */
  async roles(): Promise<Roles | null> {
    const [members, leader] = await Promise.all([this.#members(), this.#etcdLeader()]);
    const place = (role: string): Machine | undefined => {
      const found = members.find((one) => one.role === role && ['running', 'streaming'].includes(one.state));
      return this.machines.find(({ number }) => spaceOf(number) === found?.name);
    };
    const [primary, confirming] = [place('leader'), place('sync_standby')];
    const standing = members.filter(
      ({ state, lag }) => ['running', 'streaming'].includes(state) && Number(lag ?? 0) < 1e6,
    );
    if (primary === undefined || confirming === undefined || leader === null || standing.length < 3) return null;
    const other = this.machines.find((one) => one !== primary && one !== confirming) as Machine;
    return { primary, confirming, etcdLeader: leader, other };
  }

  /** Asks Postgres of a machine itself, by its own socket. */
  async query<T>(machine: Machine, text: string): Promise<T[]> {
    const client = new pg.Client({ host: machine.home, user: 'postgres', database: 'kanbase' });
    await client.connect();
    try {
      return (await client.query(text)).rows as T[];
    } finally {
      await client.end();
    }
  }

  async #makeDatabase(primary: Machine): Promise<void> {
    const client = new pg.Client({ host: primary.home, user: 'postgres', database: 'postgres' });
    await client.connect();
    await client.query(`create role kanbase login createrole replication password '${password}'`);
    await client.query(`create role web login noinherit password '${password}'`);
    await client.query('create database kanbase owner kanbase');
    await client.end();
  }

  async #members(): Promise<Member[]> {
    for (const { address } of this.machines) {
      const found = await json<{ members: Member[] }>(`http://${address}:8008/cluster`);
      if (found !== null) return found.members;
    }
    return [];
  }

  async #primary(): Promise<Machine | null> {
    for (const machine of this.machines) if (await answers(`http://${machine.address}:8008/primary`)) return machine;
    return null;
  }

  async #etcdLeader(): Promise<Machine | null> {
    for (const machine of this.machines) {
      const status = await json<{ leader: string; header: { member_id: string } }>(
        `http://${machine.address}:2379/v3/maintenance/status`,
        {},
      );
      if (status !== null && status.leader === status.header.member_id) return machine;
    }
    return null;
  }

  async #until<T>(what: string, seconds: number, look: () => Promise<T | null | false>): Promise<T> {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(300)) {
      const found = await look().catch(() => null);
      if (found !== null && found !== false) return found;
    }
    throw new Error(`${what} did not come within ${seconds} s`);
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(1500) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function json<T>(url: string, body?: object): Promise<T | null> {
  const asked = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return fetch(url, { ...asked, signal: AbortSignal.timeout(1500) }).then(
    (response) => (response.ok ? (response.json() as Promise<T>) : null),
    () => null,
  );
}
