// The database: does it answer, is it a version we know, may this user do what it must, is the schema up to date, does
// every exposed table have policies, and do the clocks agree. Reads only.

import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { connectionOptions } from '../database/connection-options.ts';
import { findDamage, howToMend } from '../database/find-damage.ts';
import { migrationStatus } from '../database/migrate.ts';
import { addressTester } from '../limits/address-tester.ts';
import { adviceFor, type NoticedProxy } from '../limits/unnamed-proxies.ts';
import { migrations, type ReachedDatabase } from '../reach-database.ts';
import { checkBackups } from './check-backups.ts';
import { checkKnownMode } from './check-billing.ts';
import { checkRealtime } from './check-realtime.ts';
import { checkReplica } from './check-replica.ts';
import { attempt, broken, type Finding, good, thought } from './finding.ts';

export async function checkDatabase(config: Config, reached: ReachedDatabase, log: Logger): Promise<Finding[]> {
  const found = await attempt('the database cannot be reached', advice(reached, config), () =>
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
  );
  if (found[0]?.state === 'broken') return found;
  const ahead = await migrationsAhead(config, reached);
  if (ahead !== null) return [...found, ahead];
  const pool = await attempt("the pool's address cannot be reached", 'Check DATABASE_URL.', () =>
    withClient(reached.url, async (client) => checkRoles(client)),
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
  return good(
    `the database is empty: the first start makes its roles (anon, authenticated, service_role and the server's own) and applies ${status.pending.length} migrations`,
  );
}

function advice(reached: ReachedDatabase, config: Config): string {
  if (reached.embedded)
    return 'Start it with npx kanbase serve and look at its log; LOG_LEVEL=debug shows what Postgres says.';
  const name = config.database.directUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  return `Check host, port, user, password and sslmode in ${name}, and that Postgres listens and lets this machine in (pg_hba.conf).`;
}

async function checkVersion(client: pg.Client): Promise<Finding[]> {
  const { version, name, tls } = await one<{ version: number; name: string; tls: boolean }>(
    client,
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
            coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as tls`,
  );
  const words = `Postgres ${name} answers${tls ? ', over TLS' : ''}`;
  if (version < 150_000) return [broken(words, 'Use Postgres 15 to 18.')];
  if (version >= 190_000) return [thought(words, 'Only 15 to 18 have been tried; expect surprises.')];
  return [good(words)];
}

async function checkClock(client: pg.Client): Promise<Finding[]> {
  const before = Date.now();
  const { now } = await one<{ now: Date }>(client, 'select clock_timestamp() as now');
  const apart = Math.abs(now.getTime() - (before + Date.now()) / 2) / 1000;
  if (apart < 5) return [good('the clocks of server and database agree')];
  return [
    broken(
      `the clocks of server and database are ${apart.toFixed(0)} s apart`,
      'Run a time service (chrony, systemd-timesyncd) on both: tokens expire by these clocks.',
    ),
  ];
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
  if (!may_create)
    found.push(
      broken(
        `${name} may not create schemas in ${database}`,
        `As a superuser: grant create on database "${database}" to "${name}";`,
      ),
    );
  if (!createrole)
    found.push(broken(`${name} may not create roles`, `As a superuser: alter role "${name}" createrole;`));
  if (!owns_public)
    found.push(broken(`${name} does not own schema public`, `As a superuser: alter schema public owner to "${name}";`));
  return found.length > 0 ? found : [good(`${name} may migrate ${database}`)];
}

/** Proxies that the server noticed lately and that were not named, or say not for whom they ask. */
async function checkProxies(client: pg.Client, { server }: Config): Promise<Finding[]> {
  const { rows: known } = await client.query(
    `select 1 from pg_proc where pronamespace = to_regnamespace('private') and proname = 'list_proxies'`,
  );
  if (known.length === 0) return [];
  const { rows } = await client.query<NoticedProxy>('select address, silent from private.list_proxies()');
  const trusts = addressTester(server.trustProxy);
  return rows.filter(({ address, silent }) => silent || !trusts(address)).map(findingOf);
}

function findingOf(proxy: NoticedProxy): Finding {
  const { about, next } = adviceFor(proxy);
  return thought(about, next);
}

async function checkRoles(client: pg.Client): Promise<Finding[]> {
  const { name, missing, closed } = await one<{ name: string; missing: string[]; closed: string[] }>(
    client,
    `select session_user as name,
            array(select r from unnest(array['anon', 'authenticated', 'service_role']) r
                  where not exists (select from pg_roles where rolname = r)) as missing,
            array(select rolname::text from pg_roles
                  where (rolname in ('anon', 'authenticated', 'service_role') or (rolname like 'kanbase\\_%' and not rolcanlogin))
                    and not pg_has_role(session_user, oid, 'member') order by 1) as closed`,
  );
  if (missing.length > 0) return [broken(`the roles ${missing.join(', ')} do not exist`, 'Run npx kanbase migrate.')];
  if (closed.length > 0)
    return [
      broken(
        `${name} may not become ${closed.join(', ')}`,
        `Run npx kanbase migrate, or as a superuser: grant ${closed.join(', ')} to "${name}";`,
      ),
    ];
  return [good(`${name} may become every role it needs`)];
}

async function checkPolicies(client: pg.Client, schemas: readonly string[]): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; secured: boolean; policies: number }>(
    `select format('%I.%I', n.nspname, c.relname) as name, c.relrowsecurity as secured,
            (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname = any ($1) and not c.relispartition
        and exists (select from pg_roles r where r.rolname in ('anon', 'authenticated')
                    and has_table_privilege(r.oid, c.oid, 'select, insert, update, delete'))
      order by 1`,
    [schemas],
  );
  const open = rows.filter((row) => !row.secured).map((row) => row.name);
  const bare = rows.filter((row) => row.secured && row.policies === 0).map((row) => row.name);
  const found: Finding[] = [];
  if (open.length > 0)
    found.push(
      broken(
        `clients reach ${open.join(', ')} past row security`,
        `For each: alter table … enable row level security; and write its policies.`,
      ),
    );
  if (bare.length > 0)
    found.push(
      thought(
        `${bare.join(', ')} have row security and no policy: nobody sees a row`,
        'Write policies, or take the grants away.',
      ),
    );
  if (found.length === 0) found.push(good(`${rows.length} tables are open to clients, each with policies`));
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
    ...(ours.length === 0
      ? []
      : [
          broken(
            `no policy lets the service key through to ${list(ours)}`,
            'Run npx kanbase migrate: it lets service_role through.',
          ),
        ]),
    ...(others.length === 0
      ? []
      : [
          broken(
            `no policy lets the service key through to ${list(others)}`,
            'As the owner of each: create policy service_role_sees_all on … to service_role using (true) with check (true); or as a superuser, for all tables: alter role service_role bypassrls;',
          ),
        ]),
  ];
}

function checkMigrations(config: Config, reached: ReachedDatabase, log: Logger): Promise<Finding[]> {
  return attempt('migrations cannot be read', 'Run npx kanbase migrate.', async () => {
    const { pending, problems, applied } = await migrationStatus(migrations(config, reached, log));
    if (problems.length > 0)
      return problems.map((problem) =>
        broken(problem, 'Use the version of Kanbase that belongs to this database, or put the file back as it was.'),
      );
    const ours = applied.filter(({ origin }) => origin === 'kanbase').map(({ name }) => name);
    const damage = await findDamage(reached.directUrl, migrations(config, reached).directory, ours);
    if (damage.length > 0) return damage.map((words) => broken(words, howToMend));
    if (pending.length > 0)
      return [thought(`${pending.length} migrations are to be applied`, 'Run npx kanbase migrate; serve does so too.')];
    return [good(`all ${applied.length} migrations are applied`)];
  });
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
