// Applies sql/*.sql, then the user's own directory, in order of name, each file once and in a transaction.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Logger } from 'pino';
import { connectionOptions } from './connection-options.ts';

export interface MigrateOptions {
  /** The owner's address, past any pooler. */
  readonly url: string;
  /** Our own migrations. */
  readonly directory?: string;
  /** The user's migrations (`MIGRATIONS_DIR`). */
  readonly extraDirectory?: string | null;
  readonly log?: Logger;
}

export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const client = new pg.Client(connectionOptions(options.url));
  await client.connect();
  const applied: string[] = [];
  try {
    await client.query('select pg_advisory_lock(7003110516)');
    await client.query('set client_min_messages = warning');
    await client.query('create schema if not exists private');
    await client.query(
      'create table if not exists private.migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    );
    const done = new Set((await client.query('select name from private.migrations')).rows.map((row) => row.name));
    const files = [
      options.directory ?? fileURLToPath(new URL('../../sql', import.meta.url)),
      ...(options.extraDirectory ? [options.extraDirectory] : []),
    ].flatMap((directory) =>
      readdirSync(directory)
        .filter((name) => /^\d+.*\.sql$/.test(name))
        .sort()
        .map((name) => ({ name, text: readFileSync(join(directory, name), 'utf8') })),
    );
    for (const { name, text } of files) {
      if (done.has(name)) continue;
      try {
        await client.query('begin');
        await client.query(text);
        await client.query('insert into private.migrations (name, checksum) values ($1, $2)', [
          name,
          createHash('sha256').update(text).digest('hex'),
        ]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
      applied.push(name);
    }
    // Rooms make roles of their own; the pool's login may become each of them.
    await client.query(
      "select private.let_become(r.rolname) from pg_roles r where r.rolname like 'kanbase\\_%' and not r.rolcanlogin",
    );
    return { applied };
  } finally {
    await client.end();
  }
}
