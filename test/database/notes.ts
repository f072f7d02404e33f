// A database of its own with a table of notes, each seen by its owner alone, and callers to read them as.

import pg from 'pg';
import { pino } from 'pino';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { openDatabase } from '../../server/database/open-database.ts';
import type { Caller, Database } from '../../server/database/types.ts';
import { type FreshDatabase, freshDatabase } from '../helpers/fresh-database.ts';

export const ada = '0190b0c8-0000-7000-8000-00000000000a';
export const bob = '0190b0c8-0000-7000-8000-00000000000b';
export const as = (sub: string): Caller => ({
  role: 'authenticated',
  claims: JSON.stringify({ sub, role: 'authenticated', email: `${sub}@example.test` }),
});
export const anon: Caller = { role: 'anon', claims: '{"role":"anon"}' };
export const service: Caller = { role: 'service_role', claims: '{"role":"service_role"}' };

export const texts = (rows: ReadonlyArray<ReadonlyArray<Buffer | null>>): (string | null)[][] =>
  rows.map((row) => row.map((cell) => cell?.toString() ?? null));

const settings = {
  url: null,
  directUrl: null,
  poolSize: 3,
  queueLimit: 20,
  preparedStatements: true,
  preparedBytes: 262_144,
  connectionLifeMs: 0,
  callerConnections: 0,
  replicaUrl: null as string | null,
  replicaReads: 'asked' as const,
  replicaWaitMs: 100,
  anonTimeoutMs: 300,
  authenticatedTimeoutMs: 8000,
  migrationsDir: null,
};
export type Settings = typeof settings;

export interface Notes {
  readonly fresh: FreshDatabase;
  readonly admin: pg.Client;
  readonly database: Database;
  /** The same database again, otherwise set. */
  open(more?: Partial<Settings>, url?: string): Promise<Database>;
  /** When so many statements with these words are under way. */
  untilActive(text: string, count: number): Promise<void>;
  close(): Promise<void>;
}

export async function openNotes(): Promise<Notes> {
  const fresh = await freshDatabase();
  const admin = new pg.Client(connectionOptions(fresh.adminUrl));
  await admin.connect();
  await admin.query(`
    create table notes (id int primary key, owner uuid not null, body text, constraint bodies unique (body) deferrable initially deferred);
    alter table notes enable row level security;
    create policy own on notes to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
    create policy all_of_it on notes to service_role using (true) with check (true);
    grant select, insert, update, delete on notes to authenticated, service_role;
    insert into notes values (1, '${ada}', 'a'), (2, '${bob}', 'b');`);
  const open: Notes['open'] = (more = {}, url = fresh.url) =>
    openDatabase({
      url,
      ...(url === fresh.url ? { directUrl: fresh.directUrl } : {}),
      config: { ...settings, ...more },
      log: pino({ level: 'silent' }),
    });
  const database = await open();
  return {
    fresh,
    admin,
    database,
    open,
    async untilActive(text, count) {
      for (;;) {
        const { rows } = await admin.query<{ n: number }>(
          "select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'active' and query like $1 and pid <> pg_backend_pid()",
          [`%${text}%`],
        );
        if (rows[0]?.n === count) return;
      }
    },
    async close() {
      await database.close();
      await admin.end();
      await fresh.drop();
    },
  };
}
