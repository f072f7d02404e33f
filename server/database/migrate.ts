// Brings a database up to date: files of tables once each, then the rules that differ, then the user's own files. Each file is a transaction unless it
// asks for none, and so are all rules, under a lock that lets one of several nodes do it while the others wait and find it done. What has been
// applied must still be there unchanged, or nothing is done at all.

import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Logger } from 'pino';
import { unreachable } from './errors.ts';
import { describeFormer, isFormer, isOfFormer, noteFormerRules } from './former-layout.ts';
import { describeFailure, failedLine, type MigrationPlan, planMigration } from './migration-plan.ts';
import { type MigrationFile, type Origin, readMigrations } from './read-migrations.ts';
import {
  applyRules,
  compareRules,
  filesOf,
  findMissing,
  makeRuleLedger,
  type RuleChanges,
  readRuleLedger,
} from './rules/apply-rules.ts';
import { digestOf, type Rule, readRules } from './rules/read-rules.ts';
import { orderOf, type RuleSet } from './rules/rule-sets.ts';
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
  /** Names of our own files that the running build was made with; null when it runs from its sources. */
  readonly built?: readonly string[] | null;
  /** Of Kanbase: what a later one has written is left alone. */
  readonly version?: string;
  /** Runs all rules anew: for what was altered by hand, and to go back to the rules of this build after later ones. */
  readonly again?: boolean;
  readonly log?: Logger;
}

export interface AppliedMigration {
  readonly origin: Origin;
  readonly name: string;
  readonly appliedAt: string;
}

export interface MigrationStatus {
  readonly applied: readonly AppliedMigration[];
  /** Names of files to be applied, in order; those of rules where one of theirs differs. */
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
  const ours = readOurs(options);
  const script = await open(options.url);
  try {
    await checkVersion(script);
    await prepareLedger(script, parseTarget(options.url).user);
    const found = await readState(script);
    const { problems, pending, former } = compare(ours, found, options);
    if (problems.length > 0) throw new MigrationRefused(problems);
    if (former) await takeOver(script, ours.files);
    const applied: string[] = [];
    const apply = async (origin: Origin): Promise<void> => {
      for (const plan of pending.filter(({ file }) => file.origin === origin)) {
        if (await applyInTurn(script, plan, options.log)) applied.push(plan.file.name);
        options.log?.debug({ migration: plan.file.name }, 'migration applied');
      }
    };
    await apply('kanbase');
    applied.push(...(await applyRulesInTurn(script, ours.rules, { ...options, look: applied.length > 0 })));
    await apply('yours');
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
  const ours = readOurs(options);
  const script = await open(options.url);
  try {
    const found = await readState(script);
    const { problems, ahead, pending, changes } = compare(ours, found, options);
    const names = (origin: Origin): string[] =>
      pending.flatMap(({ file }) => (file.origin === origin ? file.name : []));
    return {
      applied: found.ledger.map(({ origin, name, appliedAt }) => ({ origin, name, appliedAt })),
      pending: [...names('kanbase'), ...filesOf(changes), ...names('yours')],
      problems,
      ahead,
    };
  } finally {
    script.close();
  }
}

/** What the files say. */
interface Ours {
  readonly files: readonly MigrationFile[];
  readonly rules: readonly Rule[];
}

/** Reads the files before they are asked for: while a new cluster is being made there is time for it. */
export function readAhead(options: Pick<MigrateOptions, 'directory' | 'extraDirectory'>): void {
  try {
    readOurs(options);
  } catch {
    // Who asks for them is told.
  }
}

function readOurs({
  directory = ourDirectory,
  extraDirectory,
}: Pick<MigrateOptions, 'directory' | 'extraDirectory'>): Ours {
  return { files: readMigrations({ directory, extraDirectory }), rules: readRules(directory) };
}

/** What the database has noted. */
interface State {
  readonly ledger: readonly LedgerEntry[];
  readonly noted: Awaited<ReturnType<typeof readRuleLedger>>;
  readonly sets: readonly RuleSet[];
}

async function readState(script: Script): Promise<State> {
  const [all, noted] = [await readLedger(script), await readRuleLedger(script)];
  return {
    ledger: all.filter(({ origin }) => origin !== 'rules') as LedgerEntry[],
    noted,
    sets: all
      .filter(({ origin }) => origin === 'rules')
      .map(({ name, checksum }) => ({ digest: name, version: checksum })),
  };
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

async function readLedger(script: Script): Promise<(Omit<LedgerEntry, 'origin'> & { origin: Origin | 'rules' })[]> {
  const [there] = await script.run("select to_regclass('private.migrations') is not null");
  if (there?.[0] !== 't') return [];
  const rows = await script.run(
    `select origin, name, checksum, to_char(applied_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
       from private.migrations order by origin, case when origin = 'rules' then applied_at end, name`,
  );
  return rows.map(([origin, name, checksum, appliedAt]) => ({
    origin: origin === 'yours' || origin === 'rules' ? origin : 'kanbase',
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
): string[] => compare({ files, rules: [] }, { ledger, noted: null, sets: [] }, options).problems;

interface Comparison {
  readonly problems: string[];
  readonly ahead: string[];
  readonly pending: MigrationPlan[];
  readonly changes: RuleChanges;
  /** It has all that there was before there were rules. */
  readonly former: boolean;
}

function compare(
  { files, rules }: Ours,
  { ledger, noted, sets }: State,
  { extraDirectory, built, version, again }: Pick<MigrateOptions, 'extraDirectory' | 'built' | 'version' | 'again'>,
): Comparison {
  const key = ({ origin, name }: { origin: string; name: string }): string => `${origin}/${name}`;
  const known = new Map(files.map((file) => [key(file), file]));
  const names = ledger.flatMap(({ origin, name }) => (origin === 'kanbase' ? name : []));
  const former = names.some((name) => !known.has(`kanbase/${name}`)) && isFormer(names);
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
      if (file.checksum !== entry.checksum)
        problems.push(
          `Migration ${entry.name} was changed after it was applied. Put its statements back as they were, and write what is new into a new file.`,
        );
    } else if (entry.origin === 'kanbase') {
      if (former) continue;
      ahead.push(
        `The database has migration ${entry.name}, which this version of Kanbase does not know: it was last served by a newer one. Use that, or restore a backup.`,
      );
    } else if (extraDirectory !== undefined && extraDirectory !== null)
      problems.push(`Your migration ${entry.name} has been applied and is gone from ${extraDirectory}. Put it back.`);
  }
  // Before there were rules, or by a newer version: whoever has none of the files of today is of before.
  const first = names[0];
  if (ahead.length > 0 && first !== undefined && !names.some((name) => known.has(`kanbase/${name}`))) {
    ahead.length = 0;
    problems.push(describeFormer(first));
  }
  const order = again === true ? 'later' : orderOf(rules, sets, version);
  if (order === 'earlier')
    ahead.push(
      'The rules of the database (functions, policies, triggers) were last written by a newer build of Kanbase. Use that, restore a backup, or take the rules of this one with npx kanbase migrate --again.',
    );
  const pending = files.filter((file) => !done.has(key(file)) && !(former && isOfFormer(file))).map(planMigration);
  problems.push(...ahead, ...pending.flatMap(({ problem }) => problem ?? []));
  const changes =
    order === 'later' ? compareRules(rules, noted ?? [], () => again === true) : { changed: [], gone: [] };
  return { problems, ahead, pending, changes, former };
}

/** A database of before: its tables are those that the first files of tables make; later files and all rules run on it. */
async function takeOver(script: Script, files: readonly MigrationFile[]): Promise<void> {
  await takeTurn(script, true);
  const rows = await script.run("select name from private.migrations where origin = 'kanbase'");
  // Another node may have done it.
  if (isFormer(rows.map(([name]) => name ?? ''))) {
    const noted = files
      .filter(isOfFormer)
      .map(({ name, checksum }) => `('kanbase', ${pg.escapeLiteral(name)}, ${pg.escapeLiteral(checksum)})`);
    await script.run(`${makeRuleLedger}; ${noteFormerRules}; delete from private.migrations where origin = 'kanbase';
      insert into private.migrations (origin, name, checksum) values ${noted.join(', ')}`);
  }
  await script.run('commit; reset all');
}

/**
 * All rules that differ, as one transaction that gives way as a migration does; the names of their files. `look`: files of tables have run, which
 * may have dropped what rules had made.
 */
async function applyRulesInTurn(
  script: Script,
  rules: readonly Rule[],
  { version = '', again = false, look, log }: Pick<MigrateOptions, 'version' | 'again' | 'log'> & { look: boolean },
): Promise<string[]> {
  if (rules.length === 0) return [];
  const once = async (lockMs: number): Promise<string[]> => {
    const before = await readState(script);
    if (!again && !look && before.sets.at(-1)?.digest === digestOf(rules)) return [];
    await takeTurn(script, true);
    try {
      await script.run(`set local lock_timeout = ${lockMs}; ${makeRuleLedger}`);
      const { noted, sets } = await readState(script);
      const order = orderOf(rules, sets, version);
      if (!again && (order === 'earlier' || (order === 'same' && !look))) {
        await script.run('rollback; reset all');
        return [];
      }
      const missing = again || !look ? null : await findMissing(script);
      const changes = compareRules(rules, noted ?? [], (key) => again || missing?.has(key) === true);
      await applyRules(script, changes, noted ?? []);
      await script.run(
        `insert into private.migrations (origin, name, checksum) values ('rules', ${pg.escapeLiteral(digestOf(rules))}, ${pg.escapeLiteral(version)})
         on conflict (origin, name) do update set checksum = excluded.checksum, applied_at = clock_timestamp(); commit`,
      );
      return filesOf(changes);
    } finally {
      await script.run(`${script.inTransaction() ? 'rollback; ' : ''}reset all`).catch(() => undefined);
    }
  };
  return givingWay(once, log, 'rules');
}

/**
 * While others serve, a migration waits a moment for the tables it changes, and then makes room for those who queue behind it
 * before it tries again. The last try waits for as long as it takes.
 */
async function givingWay<T>(work: (lockMs: number) => Promise<T>, log: Logger | undefined, what: string): Promise<T> {
  for (let left = triesForLocks; ; left--)
    try {
      return await work(left > 0 ? lockWaitMs : 0);
    } catch (error) {
      const { cause } = error as Error;
      const reason = error instanceof PostgresError ? error : cause;
      const busy = reason instanceof PostgresError && ['55P03', '40P01'].includes(reason.sqlstate);
      if (!busy || left === 0) throw error;
      log?.debug({ migration: what }, 'others use the tables of this migration; it is tried again');
      await pause(lockWaitMs);
    }
}

const applyInTurn = (script: Script, plan: MigrationPlan, log: Logger | undefined): Promise<boolean> =>
  plan.oneTransaction
    ? givingWay((lockMs) => apply(script, plan, lockMs), log, plan.file.name)
    : apply(script, plan, 0);

/** False when another node did it meanwhile. */
async function apply(script: Script, plan: MigrationPlan, lockMs: number): Promise<boolean> {
  const { file, parts, oneTransaction } = plan;
  await takeTurn(script, oneTransaction);
  // Where projects from elsewhere look for what extensions bring.
  if (file.origin === 'yours') await script.run('set search_path = "$user", public, extensions');
  let part = parts[0];
  try {
    const [done] = await script.run(
      `select checksum from private.migrations where origin = ${pg.escapeLiteral(file.origin)} and name = ${pg.escapeLiteral(file.name)}`,
    );
    if (done !== undefined) {
      if (file.checksum === done[0]) return false;
      throw new MigrationRefused([`Migration ${file.name} was applied by another node in another version.`]);
    }
    if (oneTransaction) await script.run(`set local lock_timeout = ${lockMs}`);
    for (part of parts) await script.run(part.text);
    if (script.inTransaction() !== oneTransaction)
      throw new Error(oneTransaction ? 'it ended the transaction it ran in' : 'it left a transaction open');
    await script.run(
      `insert into private.migrations (origin, name, checksum) values (${pg.escapeLiteral(file.origin)}, ${pg.escapeLiteral(file.name)}, ${pg.escapeLiteral(file.checksum)})${oneTransaction ? '; commit' : ''}`,
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

/** Tables of the first version did without. */
async function letServiceRoleSee(script: Script): Promise<void> {
  const [there] = await script.run("select to_regprocedure('private.add_service_role_policies()') is not null");
  if (there?.[0] === 't') await script.run('select private.add_service_role_policies()');
}

/** Rooms make roles of their own; whoever the pool logs in as may become each of them. This commit also waits for the disk. */
function letPoolBecomeRoles({ url, poolUrl }: MigrateOptions): string {
  const login = parseTarget(poolUrl ?? url).user;
  return `select private.let_become(r.rolname::text, ${pg.escapeLiteral(login)})
    from pg_catalog.pg_roles r
    where r.rolname in ('anon', 'authenticated', 'task_guest', 'service_role', 'program', 'share_link') or (r.rolname like 'kanbase\\_%' and not r.rolcanlogin)`;
}
