// The database: does it answer, is it a version we know, may this user do what it must, is the schema up to date, does
// every exposed table have policies, and do the clocks agree. Reads only.

import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { connectionOptions } from '../database/connection-options.ts';
import { findDamage } from '../database/find-damage.ts';
import { migrationStatus } from '../database/migrate.ts';
import { migrations, type ReachedDatabase } from '../reach-database.ts';
import { checkBackups } from './check-backups.ts';
import { checkKnownMode } from './check-billing.ts';
import { checkProxies } from './check-proxies.ts';
import { checkRealtime } from './check-realtime.ts';
import { checkReplica } from './check-replica.ts';
import { attempt, broken, type Finding, good, thought } from './finding.ts';

export async function checkDatabase(config: Config, reached: ReachedDatabase, log: Logger): Promise<Finding[]> {
  const found = await attempt(
    () =>
      withClient(reached.directUrl, async (client) => [
        ...(await checkVersion(client)),
        ...(await checkClock(client)),
        ...(await checkOwner(client)),
        ...((await isEmpty(client)) ? [] : await checkPolicies(client, config.data.schemas)),
        ...(await checkServiceRole(client, config.data.schemas)),
        ...(await checkRealtime(client, config)),
        ...(await checkReplica(config, client)),
        ...(await checkBackups(client, config)),
        ...(await checkKnownMode(client, config)),
        ...(await checkProxies(client, config)),
      ]),
    (reason) => unreachable(reason, reached, config),
  );
  if (found[0]?.state === 'broken') return found;
  const ahead = await migrationsAhead(config, reached);
  if (ahead !== null) return [...found, ahead];
  const pool = await attempt(
    () => withClient(reached.url, async (client) => checkRoles(client)),
    (reason) => broken('health.database.poolUnreachable', 'health.database.checkUrl', { reason }),
  );
  return [...found, ...pool, ...(await checkMigrations(config, reached, log))];
}

/** A database that nobody has served yet: what the first start makes is no fault that it is not there. */
async function isEmpty(client: pg.Client): Promise<boolean> {
  const { there } = await one<{ there: boolean }>(
    client,
    `select to_regclass('private.migrations') is not null as there`,
  );
  return !there;
}

async function migrationsAhead(config: Config, reached: ReachedDatabase): Promise<Finding | null> {
  const status = await migrationStatus(migrations(config, reached)).catch(() => null);
  if (status === null || status.applied.length > 0 || status.problems.length > 0) return null;
  return good('health.database.empty', { n: status.pending.length });
}

function unreachable(reason: string, reached: ReachedDatabase, config: Config): Finding {
  if (reached.embedded) return broken('health.database.unreachable', 'health.database.lookAtLog', { reason });
  const name = config.database.directUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  return broken('health.database.unreachable', 'health.database.checkAddress', { reason, name });
}

async function checkVersion(client: pg.Client): Promise<Finding[]> {
  const { number, version, tls } = await one<{ number: number; version: string; tls: 'yes' | 'no' }>(
    client,
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
            case when (select ssl from pg_stat_ssl where pid = pg_backend_pid()) then 'yes' else 'no' end as tls`,
  );
  const values = { version, tls };
  if (number < 150_000) return [broken('health.database.version', 'health.database.tooOld', values)];
  if (number >= 190_000) return [thought('health.database.version', 'health.database.tooNew', values)];
  return [good('health.database.version', values)];
}

async function checkClock(client: pg.Client): Promise<Finding[]> {
  const before = Date.now();
  const { now } = await one<{ now: Date }>(client, 'select clock_timestamp() as now');
  const apart = Math.abs(now.getTime() - (before + Date.now()) / 2) / 1000;
  if (apart < 5) return [good('health.clock.good')];
  return [broken('health.clock.apart', 'health.clock.set', { seconds: Math.round(apart) })];
}

async function checkOwner(client: pg.Client): Promise<Finding[]> {
  const { name, may_create, createrole, database, owns_public } = await one<{
    name: string;
    may_create: boolean;
    createrole: boolean;
    database: string;
    owns_public: boolean;
  }>(
    client,
    `select current_user as name, current_database() as database,
            has_database_privilege(current_database(), 'create') as may_create,
            (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as createrole,
            pg_has_role((select nspowner from pg_namespace where nspname = 'public'), 'usage') as owns_public`,
  );
  const found: Finding[] = [];
  if (!may_create) found.push(broken('health.database.noSchemas', 'health.database.grantCreate', { name, database }));
  if (!createrole) found.push(broken('health.database.noRoles', 'health.database.grantRoles', { name }));
  if (!owns_public) found.push(broken('health.database.notOwner', 'health.database.makeOwner', { name }));
  return found.length > 0 ? found : [good('health.database.owner', { name, database })];
}

async function checkRoles(client: pg.Client): Promise<Finding[]> {
  const { name, missing, closed } = await one<{ name: string; missing: string[]; closed: string[] }>(
    client,
    `select session_user as name,
            array(select r from unnest(array['anon', 'authenticated', 'task_guest', 'service_role', 'program', 'share_link']) r
                  where not exists (select from pg_roles where rolname = r)) as missing,
            array(select rolname::text from pg_roles
                  where (rolname in ('anon', 'authenticated', 'task_guest', 'service_role', 'program', 'share_link') or (rolname like 'kanbase\\_%' and not rolcanlogin))
                    and not pg_has_role(session_user, oid, 'member') order by 1) as closed`,
  );
  if (missing.length > 0)
    return [broken('health.roles.missing', 'health.migrations.run', { roles: missing.join(', ') })];
  if (closed.length > 0)
    return [broken('health.roles.closed', 'health.roles.grant', { name, roles: closed.join(', ') })];
  return [good('health.roles.good', { name })];
}

async function checkPolicies(client: pg.Client, schemas: readonly string[]): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; secured: boolean; policies: number }>(
    `select format('%I.%I', n.nspname, c.relname) as name, c.relrowsecurity as secured,
            (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname = any ($1) and not c.relispartition
        and exists (select from pg_roles r where r.rolname in ('anon', 'authenticated', 'task_guest', 'program', 'share_link')
                    and has_table_privilege(r.oid, c.oid, 'select, insert, update, delete'))
      order by 1`,
    [schemas],
  );
  const open = rows.filter((row) => !row.secured).map((row) => row.name);
  const bare = rows.filter((row) => row.secured && row.policies === 0).map((row) => row.name);
  const found: Finding[] = [];
  if (open.length > 0) found.push(broken('health.tables.open', 'health.tables.secure', { tables: open.join(', ') }));
  if (bare.length > 0) found.push(thought('health.tables.bare', 'health.tables.write', { tables: bare.join(', ') }));
  if (found.length === 0) found.push(good('health.tables.good', { n: rows.length }));
  return found;
}

/** Where service_role lacks bypassrls, a table without a policy for it is empty to the service key. */
async function checkServiceRole(client: pg.Client, schemas: readonly string[]): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; ours: boolean }>(
    `select format('%I.%I', n.nspname, c.relname) as name, pg_has_role(c.relowner, 'usage') as ours
       from pg_class c join pg_namespace n on n.oid = c.relnamespace, pg_roles r
      where c.relkind in ('r', 'p') and n.nspname = any ($1) and c.relrowsecurity
        and r.rolname = 'service_role' and not r.rolbypassrls
        and has_table_privilege(r.oid, c.oid, 'select, insert, update, delete')
        and not exists (select from pg_policy p where p.polrelid = c.oid and r.oid = any (p.polroles))
      order by 1`,
    [schemas],
  );
  const list = (those: typeof rows): string => those.map((row) => row.name).join(', ');
  const [ours, others] = [rows.filter((row) => row.ours), rows.filter((row) => !row.ours)];
  return [
    ...(ours.length === 0 ? [] : [broken('health.tables.closed', 'health.tables.letThrough', { tables: list(ours) })]),
    ...(others.length === 0
      ? []
      : [broken('health.tables.closed', 'health.tables.ownerLets', { tables: list(others) })]),
  ];
}

function checkMigrations(config: Config, reached: ReachedDatabase, log: Logger): Promise<Finding[]> {
  return attempt(
    async () => {
      const { pending, problems, applied } = await migrationStatus(migrations(config, reached, log));
      if (problems.length > 0)
        return problems.map((words) => broken('health.said', 'health.migrations.otherVersion', { words }));
      const ours = applied.filter(({ origin }) => origin === 'kanbase').map(({ name }) => name);
      const damage = await findDamage(reached.directUrl, migrations(config, reached).directory, ours);
      if (damage.length > 0) return damage.map((words) => broken('health.said', 'health.migrations.mend', { words }));
      if (pending.length > 0)
        return [thought('health.migrations.pending', 'health.migrations.runOrServe', { n: pending.length })];
      return [good('health.migrations.good', { n: applied.length })];
    },
    (reason) => broken('health.migrations.unread', 'health.migrations.run', { reason }),
  );
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function one<T extends pg.QueryResultRow>(client: pg.Client, text: string): Promise<T> {
  const { rows } = await client.query<T>(text);
  if (rows[0] === undefined) throw new Error('the database answered with no row');
  return rows[0];
}
