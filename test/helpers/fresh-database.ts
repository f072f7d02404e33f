// A database of one's own, cloned from the migrated template in some tens of milliseconds, and dropped afterwards.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { withDatabase } from '../../server/database/connection-url.ts';
import { template } from './cluster.ts';

export interface FreshDatabase {
  readonly name: string;
  /** The pool's login. */
  readonly url: string;
  /** The owner of the tables. */
  readonly directUrl: string;
  /** The superuser. */
  readonly adminUrl: string;
  drop(): Promise<void>;
}

/** `from: null` gives an empty database, owned by the migrator, with no migration applied. */
export async function freshDatabase(options: { from?: string | null } = {}): Promise<FreshDatabase> {
  const cluster = inject('cluster');
  const name = `t_${randomBytes(6).toString('hex')}`;
  const from = options.from === undefined ? template : options.from;
  const clone = from === null ? '' : `template ${from} strategy file_copy`;
  await asAdmin(cluster.adminUrl, `create database ${name} owner kanbase ${clone}`);
  return {
    name,
    url: withDatabase(cluster.url, name),
    directUrl: withDatabase(cluster.directUrl, name),
    adminUrl: withDatabase(cluster.adminUrl, name),
    drop: () => asAdmin(cluster.adminUrl, `drop database if exists ${name} with (force)`),
  };
}

/** Kept by the process, so that making and dropping a database needs no connection of its own. */
let admin: pg.Pool | undefined;

async function asAdmin(url: string, text: string): Promise<void> {
  if (admin === undefined) {
    admin = new pg.Pool({ ...connectionOptions(url), max: 2, idleTimeoutMillis: 0, allowExitOnIdle: true });
    // The cluster stops at the end of the run.
    admin.on('error', () => undefined);
  }
  await admin.query(text);
}
