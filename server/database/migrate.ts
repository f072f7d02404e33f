// Applies migrations: each file once, in its own transaction unless it asks for none, under a lock that lets one of several nodes do it while
// the others wait and find it done. What has been applied must still be there unchanged, or nothing is done at all.

import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { unreachable } from './errors.ts';
import { describeFailure, failedLine, type MigrationPlan, planMigration } from './migration-plan.ts';
import { isSame, type MigrationFile, type Origin, readMigrations } from './read-migrations.ts';
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
  /** Names of our own migrations that the running build was made with; null when it runs from its sources. */
  readonly built?: readonly string[] | null;
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
  /** Those of them that say that a newer version has been at the database. */
  readonly ahead: readonly string[];
}

/** The schema and the files disagree; `message` says where. */
export class MigrationRefused extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'MigrationRefused';
  }
}

/** Any constant will do, as long as every node uses the same. */
const lockNumber = '7003110516';
/** How often a node that waits for another looks again. It must not wait inside a statement: building an index concurrently waits for those. */
const lockPauseMs = 20;
/** How long a migration holds up others while it waits for a table, and how often it gives way to them. */
const lockWaitMs = 1000;
const triesForLocks = 60;
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
    const ledger = await readLedger(script);
    const { problems, pending } = compare(files, ledger, options);
    if (problems.length > 0) throw new MigrationRefused(problems);
    await renewChecksums(script, files, ledger);
    const applied: string[] = [];
    for (const plan of pending) {
      if (await applyInTurn(script, plan, options.log)) applied.push(plan.file.name);
      options.log?.debug({ migration: plan.file.name }, 'migration applied');
    }
    await script.run(letPoolBecomeRoles(options));
    await letServiceRoleSee(script);
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
    const { problems, ahead, pending } = compare(files, ledger, options);
    return {
      applied: ledger.map(({ origin, name, appliedAt }) => ({ origin, name, appliedAt })),
      pending: pending.map(({ file }) => file.name),
      problems,
      ahead,
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
    await takeTurn(script, true);
    await script.run(`create schema if not exists private;
      create table if not exists private.migrations (
        origin text not null,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default clock_timestamp(),
        primary key (origin, name)
      );
      comment on table private.migrations is 'Which migration files have been applied, and what they said.';
      commit; reset all`);
  } catch (error) {
    await script.run('rollback; reset all');
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

/** Why what was applied somewhere does not go with these files; empty where it does. */
export const problemsWith = (
  files: readonly MigrationFile[],
  ledger: readonly LedgerEntry[],
  options: Pick<MigrateOptions, 'extraDirectory'>,
): string[] => compare(files, ledger, options).problems;

function compare(
  files: readonly MigrationFile[],
  ledger: readonly LedgerEntry[],
  { extraDirectory, built }: Pick<MigrateOptions, 'extraDirectory' | 'built'>,
): { problems: string[]; ahead: string[]; pending: MigrationPlan[] } {
  const key = ({ origin, name }: { origin: string; name: string }): string => `${origin}/${name}`;
  const known = new Map(files.map((file) => [key(file), file]));
  const done = new Set(ledger.map(key));
  const problems: string[] = [];
  const ahead: string[] = [];
  const unbuilt = files.filter(({ origin, name }) => origin === 'kanbase' && built && !built.includes(name));
  if (unbuilt.length > 0)
    problems.push(
      `This build of the server is older than sql/: it does not know ${unbuilt.map(({ name }) => name).join(', ')}. Run npm run build (npm start does so by itself), then start again.`,
    );
  for (const entry of ledger) {
    const file = known.get(key(entry));
    if (file !== undefined) {
      if (!isSame(file, entry.checksum))
        problems.push(
          `Migration ${entry.name} was changed after it was applied. Put its statements back as they were, and write what is new into a new file.`,
        );
    } else if (entry.origin === 'kanbase')
      ahead.push(
        `The database has migration ${entry.name}, which this version of Kanbase does not know: it was last served by a newer one. Use that, or restore a backup.`,
      );
    else if (extraDirectory !== undefined && extraDirectory !== null)
      problems.push(`Your migration ${entry.name} has been applied and is gone from ${extraDirectory}. Put it back.`);
  }
  const pending = files.filter((file) => !done.has(key(file))).map(planMigration);
  problems.push(...ahead, ...pending.flatMap(({ problem }) => problem ?? []));
  return { problems, ahead, pending };
}

/** What 0.1.0 noted were checksums of whole texts: from here on comments may change in those files too. */
async function renewChecksums(
  script: Script,
  files: readonly MigrationFile[],
  ledger: readonly LedgerEntry[],
): Promise<void> {
  for (const file of files) {
    const noted = ledger.find(({ origin, name }) => origin === file.origin && name === file.name);
    if (noted === undefined || noted.checksum === file.checksum) continue;
    await script.run(
      `update private.migrations set checksum = ${quote(file.checksum)} where origin = ${quote(file.origin)} and name = ${quote(file.name)}`,
    );
  }
}

/**
 * While others serve, a migration waits a moment for the tables it changes, and then makes room for those who queue behind it
 * before it tries again. The last try waits for as long as it takes.
 */
async function applyInTurn(script: Script, plan: MigrationPlan, log: Logger | undefined): Promise<boolean> {
  for (let left = triesForLocks; ; left--)
    try {
      return await apply(script, plan, left > 0 ? lockWaitMs : 0);
    } catch (error) {
      const { cause } = error as Error;
      const busy = cause instanceof PostgresError && ['55P03', '40P01'].includes(cause.sqlstate);
      if (!busy || !plan.oneTransaction || left === 0) throw error;
      log?.debug({ migration: plan.file.name }, 'others use the tables of this migration; it is tried again');
      await pause(lockWaitMs);
    }
}

/** False when another node did it meanwhile. */
async function apply(script: Script, plan: MigrationPlan, lockMs: number): Promise<boolean> {
  const { file, parts, oneTransaction } = plan;
  await takeTurn(script, oneTransaction);
  // Where projects from elsewhere look for what extensions bring.
  if (file.origin === 'yours') await script.run('set search_path = "$user", public, extensions');
  let part = parts[0];
  try {
    const [done] = await script.run(
      `select checksum from private.migrations where origin = ${quote(file.origin)} and name = ${quote(file.name)}`,
    );
    if (done !== undefined) {
      if (isSame(file, done[0] ?? '')) return false;
      throw new MigrationRefused([`Migration ${file.name} was applied by another node in another version.`]);
    }
    if (oneTransaction) await script.run(`set local lock_timeout = ${lockMs}`);
    for (part of parts) await script.run(part.text);
    if (script.inTransaction() !== oneTransaction)
      throw new Error(oneTransaction ? 'it ended the transaction it ran in' : 'it left a transaction open');
    if (oneTransaction && file.origin === 'kanbase') await publishWhatIsNew(script);
    await script.run(
      `insert into private.migrations (origin, name, checksum) values (${quote(file.origin)}, ${quote(file.name)}, ${quote(file.checksum)})${oneTransaction ? '; commit' : ''}`,
    );
    return true;
  } catch (error) {
    if (error instanceof MigrationRefused) throw error;
    const line = part === undefined ? null : failedLine(part, error, script.completed());
    throw new Error(describeFailure(plan, error, line), { cause: error });
  } finally {
    // What a file set for its session is not for the next one.
    const undo = script.inTransaction() ? 'rollback; ' : '';
    const release = oneTransaction ? '' : `; select pg_advisory_unlock(${lockNumber})`;
    await script.run(`${undo}reset all; reset role${release}`).catch(() => undefined);
  }
}

/** One node at a time. A file outside of a transaction holds the lock by its session, which a pooler may not carry. */
async function takeTurn(script: Script, oneTransaction: boolean): Promise<void> {
  const settings = ['client_min_messages = warning', 'statement_timeout = 0']
    .map((setting) => `set ${setting};`)
    .join(' ');
  // Losing the last moments of a migration to a power cut only means applying it again.
  const begin = oneTransaction ? 'begin; set local synchronous_commit = off;' : '';
  const attempt = `pg_try_advisory_${oneTransaction ? 'xact_' : ''}lock(${lockNumber})`;
  for (;;) {
    const [row] = await script.run(`${settings} ${begin} select ${attempt}`);
    if (row?.[0] === 't') return;
    if (script.inTransaction()) await script.run('rollback');
    await pause(lockPauseMs);
  }
}

/** Changes of our own tables are published to those who may see them; whether yours are is your choice. */
async function publishWhatIsNew(script: Script): Promise<void> {
  const [there] = await script.run("select to_regprocedure('private.publish_touched_tables()') is not null");
  if (there?.[0] === 't') await script.run('select private.publish_touched_tables()');
}

/** Tables of the first version did without. */
async function letServiceRoleSee(script: Script): Promise<void> {
  const [there] = await script.run("select to_regprocedure('private.let_service_role_see_all()') is not null");
  if (there?.[0] === 't') await script.run('select private.let_service_role_see_all()');
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
