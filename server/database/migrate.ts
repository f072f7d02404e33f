// Applies migrations: each file once, in its own transaction, under a lock that lets one of several nodes do it while
// the others wait and find it done. What has been applied must still be there unchanged, or nothing is done at all.

import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { unreachable } from './errors.ts';
import { type MigrationFile, type Origin, readMigrations } from './read-migrations.ts';
import { PostgresError } from './types.ts';
import { openScript, type Script } from './wire/run-script.ts';
import { describeTarget, parseTarget } from './wire/target.ts';

export interface MigrateOptions {
  /** The owner's address, past any pooler. */
  readonly url: string;
  /** Where the pool logs in: that user may become the roles of callers. */
  readonly poolUrl?: string;
  /** Our own migrations. */
  readonly directory?: string;
  /** The user's migrations (`MIGRATIONS_DIR`). */
  readonly extraDirectory?: string | null;
  readonly log?: Logger;
}

export interface AppliedMigration {
  readonly origin: Origin;
  readonly name: string;
  readonly appliedAt: string;
}

export interface MigrationStatus {
  readonly applied: readonly AppliedMigration[];
  /** Names of files to be applied, in order. */
  readonly pending: readonly string[];
  /** Why nothing may be applied, in words for a person; empty when all is well. */
  readonly problems: readonly string[];
}

/** The schema and the files disagree; `message` says where. */
export class MigrationRefused extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'MigrationRefused';
  }
}

/** Any constant will do, as long as every node uses the same. */
const lock = 'select pg_advisory_xact_lock(7003110516)';
const ourDirectory = fileURLToPath(new URL('../../sql', import.meta.url));

export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const files = readMigrations({
    directory: options.directory ?? ourDirectory,
    extraDirectory: options.extraDirectory,
  });
  const script = await open(options.url);
  try {
    await checkVersion(script);
    await prepareLedger(script, parseTarget(options.url).user);
    const { problems, pending } = compare(files, await readLedger(script), options);
    if (problems.length > 0) throw new MigrationRefused(problems);
    const applied: string[] = [];
    for (const file of pending) {
      if (await apply(script, file)) applied.push(file.name);
      options.log?.debug({ migration: file.name }, 'migration applied');
    }
    await script.run(letPoolBecomeRoles(options));
    // Whoever keeps a picture of the schema looks again.
    if (applied.length > 0) await script.run("notify pgrst, 'reload schema'");
    return { applied };
  } finally {
    script.close();
  }
}

export async function migrationStatus(options: Omit<MigrateOptions, 'log'>): Promise<MigrationStatus> {
  const files = readMigrations({
    directory: options.directory ?? ourDirectory,
    extraDirectory: options.extraDirectory,
  });
  const script = await open(options.url);
  try {
    const ledger = await readLedger(script);
    const { problems, pending } = compare(files, ledger, options);
    return {
      applied: ledger.map(({ origin, name, appliedAt }) => ({ origin, name, appliedAt })),
      pending: pending.map(({ name }) => name),
      problems,
    };
  } finally {
    script.close();
  }
}

interface LedgerEntry extends AppliedMigration {
  readonly checksum: string;
}

async function open(url: string): Promise<Script> {
  const target = parseTarget(url);
  try {
    return await openScript(target);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw unreachable(error, `The database ${describeTarget(target)} is not reachable: ${words}`);
  }
}

async function checkVersion(script: Script): Promise<void> {
  const [row] = await script.run("select current_setting('server_version_num'), current_setting('server_version')");
  if (Number(row?.[0]) < 150_000) throw new Error(`Postgres ${row?.[1]} is too old: Kanbase needs 15 to 18`);
}

async function prepareLedger(script: Script, user: string): Promise<void> {
  try {
    await script.run(`begin; ${lock};
      set local client_min_messages = warning;
      create schema if not exists private;
      create table if not exists private.migrations (
        origin text not null,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default clock_timestamp(),
        primary key (origin, name)
      );
      comment on table private.migrations is 'Which migration files have been applied, and what they said.';
      commit`);
  } catch (error) {
    await script.run('rollback');
    if (!(error instanceof PostgresError) || error.sqlstate !== '42501') throw error;
    const quoted = `"${user.replaceAll('"', '""')}"`;
    throw new Error(
      `${user} may not create schemas in this database (${error.message}). As a superuser, run there: ` +
        `alter role ${quoted} createrole; do $$ begin execute format('grant create on database %I to ${quoted}', current_database()); end $$; alter schema public owner to ${quoted};`,
      { cause: error },
    );
  }
}

async function readLedger(script: Script): Promise<LedgerEntry[]> {
  const [there] = await script.run("select to_regclass('private.migrations') is not null");
  if (there?.[0] !== 't') return [];
  const rows = await script.run(
    `select origin, name, checksum, to_char(applied_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
       from private.migrations order by origin, name`,
  );
  return rows.map(([origin, name, checksum, appliedAt]) => ({
    origin: origin === 'yours' ? 'yours' : 'kanbase',
    name: name ?? '',
    checksum: checksum ?? '',
    appliedAt: appliedAt ?? '',
  }));
}

function compare(
  files: readonly MigrationFile[],
  ledger: readonly LedgerEntry[],
  { extraDirectory }: MigrateOptions,
): { problems: string[]; pending: MigrationFile[] } {
  const key = ({ origin, name }: { origin: string; name: string }): string => `${origin}/${name}`;
  const known = new Map(files.map((file) => [key(file), file]));
  const done = new Set(ledger.map(key));
  const problems: string[] = [];
  for (const entry of ledger) {
    const file = known.get(key(entry));
    if (file !== undefined) {
      if (file.checksum !== entry.checksum)
        problems.push(
          `Migration ${entry.name} was changed after it was applied. Put it back as it was, and write what is new into a new file.`,
        );
    } else if (entry.origin === 'kanbase')
      problems.push(
        `The database has migration ${entry.name}, which this version of Kanbase does not know: it was last served by a newer one. Use that, or restore a backup.`,
      );
    else if (extraDirectory !== undefined && extraDirectory !== null)
      problems.push(`Your migration ${entry.name} has been applied and is gone from ${extraDirectory}. Put it back.`);
  }
  return { problems, pending: files.filter((file) => !done.has(key(file))) };
}

/** False when another node did it meanwhile. */
async function apply(script: Script, file: MigrationFile): Promise<boolean> {
  const entry = `(${quote(file.origin)}, ${quote(file.name)}, ${quote(file.checksum)})`;
  const [done] = await script.run(
    // Losing the last moments of a migration to a power cut only means applying it again.
    `begin; ${lock}; set local synchronous_commit = off; set local client_min_messages = warning; set local statement_timeout = 0;
     select checksum from private.migrations where origin = ${quote(file.origin)} and name = ${quote(file.name)}`,
  );
  if (done !== undefined) {
    await script.run('rollback');
    if (done[0] !== file.checksum)
      throw new MigrationRefused([`Migration ${file.name} was applied by another node in another version.`]);
    return false;
  }
  try {
    await script.run(file.text);
    if (!script.inTransaction())
      throw new Error('the file ends the transaction it runs in; leave out begin, commit and rollback');
    await script.run(`insert into private.migrations (origin, name, checksum) values ${entry}; commit`);
    return true;
  } catch (error) {
    await script.run('rollback').catch(() => undefined);
    throw new Error(describeFailure(file, error), { cause: error });
  }
}

function describeFailure(file: MigrationFile, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const position = error instanceof PostgresError ? Number(error.fields.position) : Number.NaN;
  const line = Number.isNaN(position)
    ? ''
    : ` at line ${
        [...file.text]
          .slice(0, position - 1)
          .join('')
          .split('\n').length
      }`;
  const extra =
    error instanceof PostgresError ? [error.detail, error.hint].filter((part) => part !== null).join(' ') : '';
  return `Migration ${file.name} failed${line}: ${message}${extra === '' ? '' : ` (${extra})`}. Nothing of it was applied (${file.path}).`;
}

/** Rooms make roles of their own; whoever the pool logs in as may become each of them. This commit also waits for the disk. */
function letPoolBecomeRoles({ url, poolUrl }: MigrateOptions): string {
  const login = parseTarget(poolUrl ?? url).user;
  return `select private.let_become(r.rolname::text, ${quote(login)})
    from pg_catalog.pg_roles r
    where r.rolname in ('anon', 'authenticated', 'service_role') or (r.rolname like 'kanbase\\_%' and not r.rolcanlogin)`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
