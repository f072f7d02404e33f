// Faults of the cluster, one after another, and their repair where a person would only switch a machine on again. cluster.ts measures what
// happens meanwhile.

import { setTimeout as pause } from 'node:timers/promises';
import type { Machine } from './machine.ts';
import { cut, mend, plugIn, unplug } from './network.ts';

/** Who is what at the moment. */
export interface Roles {
  readonly primary: Machine;
  /** The one that confirms commits. */
  readonly confirming: Machine;
  readonly etcdLeader: Machine;
  readonly other: Machine;
}

export interface Fault {
  readonly name: string;
  strike(roles: Roles): Promise<void>;
  /** Seconds until the machine is there again, or the cable is in. */
  readonly lasts: number;
  restore(roles: Roles): Promise<void>;
}

const nothing = async (): Promise<void> => undefined;

export const faults: readonly Fault[] = [
  {
    name: 'Postgres of the primary is killed',
    strike: async ({ primary }) => primary.killPostgres(),
    lasts: 0,
    restore: nothing,
  },
  {
    name: 'a Kanbase node is killed, and started after 5 s',
    strike: ({ other }) => other.kill('kanbase'),
    lasts: 5,
    restore: async ({ other }) => other.start('kanbase'),
  },
  {
    name: 'the leader of etcd is killed, and started after 5 s',
    strike: ({ etcdLeader }) => etcdLeader.kill('etcd'),
    lasts: 5,
    restore: async ({ etcdLeader }) => etcdLeader.start('etcd'),
  },
  {
    name: 'the network between the primary and the replica that confirms is cut for 20 s',
    strike: async ({ primary, confirming }) => cut(primary.number, confirming.number),
    lasts: 20,
    restore: async ({ primary, confirming }) => mend(primary.number, confirming.number),
  },
  {
    name: 'the machine of the primary is cut off from all others for 25 s',
    strike: async ({ primary }) => unplug(primary.number),
    lasts: 25,
    restore: async ({ primary }) => plugIn(primary.number),
  },
  {
    name: 'all of the primary’s machine is killed at once, and started after 15 s',
    async strike({ primary }) {
      await Promise.all([
        primary.kill('patroni'),
        primary.kill('etcd'),
        primary.kill('kanbase'),
        primary.kill('haproxy'),
        primary.kill('pgbouncer'),
        primary.killPostgres(),
      ]);
    },
    lasts: 15,
    async restore({ primary }) {
      for (const part of ['etcd', 'patroni', 'haproxy', 'pgbouncer'] as const) primary.start(part);
      await pause(1000);
      primary.start('kanbase');
    },
  },
];
