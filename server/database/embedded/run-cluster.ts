// The embedded Postgres from a data directory: lock it, clear what a crash left, make the cluster if there is none,
// start it, and hand out the addresses.

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { socketUrl } from '../connection-url.ts';
import { PostgresError } from '../types.ts';
import { dial } from '../wire/dial.ts';
import { runScript } from '../wire/run-script.ts';
import { parseTarget } from '../wire/target.ts';
import { type ClusterUser, chooseClusterUser } from './choose-user.ts';
import { clearLeftovers } from './clear-leftovers.ts';
import { fixedSettings } from './cluster-settings.ts';
import { type Binaries, findBinaries } from './find-binaries.ts';
import {
  DirectoryInUse,
  type DirectoryLock,
  findHolder,
  lockDirectory,
  longestSocketPath,
  shortDirectory,
} from './lock-directory.ts';
import { giveTo, makeCluster, syncTree } from './make-cluster.ts';
import { Postmaster } from './postmaster.ts';

export interface ClusterOptions {
  readonly dataDir: string;
  readonly log: Logger;
  /** Another server holds the directory: use its cluster instead of refusing. `stop` then does nothing. */
  readonly share?: boolean;
  /** Nothing is forced to disk. For tests, whose data a power cut may take. */
  readonly fast?: boolean;
  /** Called while a cluster is being made, or started. */
  readonly meanwhile?: (() => void) | undefined;
}

export interface Cluster {
  /** The pool's login, which owns nothing and may become the roles of callers. */
  readonly url: string;
  /** The owner of the schema, who runs migrations and listens. */
  readonly directUrl: string;
  /** The superuser, for tests and rescue only. */
  readonly adminUrl: string;
  stop(): Promise<void>;
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { log, share = false } = options;
  const dataDir = openDataDirectory(options.dataDir);
  let lock: DirectoryLock;
  try {
    lock = await lockDirectory(dataDir);
  } catch (error) {
    if (share && error instanceof DirectoryInUse) return await shareCluster(dataDir, error);
    throw error;
  }
  try {
    return await bringUp(dataDir, options, lock);
  } catch (error) {
    lock.release();
    log.debug({ err: error }, 'the embedded Postgres did not start');
    throw error;
  }
}

/** Closed to everybody else: as it is made, and where an earlier version left it open to more than the user of its database. */
function openDataDirectory(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const dataDir = realpathSync(path);
  const { uid, mode } = statSync(dataDir);
  const holds = statSync(join(dataDir, 'postgres'), { throwIfNoEntry: false });
  const user = process.getuid?.();
  if ((mode & 0o077) !== 0 && holds?.uid === uid && (user === 0 || user === uid)) chmodSync(dataDir, 0o700);
  return dataDir;
}

async function bringUp(
  dataDir: string,
  { log, fast = false, meanwhile = () => undefined }: ClusterOptions,
  lock: DirectoryLock,
): Promise<Cluster> {
  const pgdata = join(dataDir, 'postgres');
  const servant = chooseClusterUser(pgdata);
  const binaries = findBinaries({ servant, ownDirectory: dataDir });
  mkdirSync(pgdata, { recursive: true, mode: 0o700 });
  const fresh = !existsSync(join(pgdata, 'PG_VERSION'));
  if (!fresh) {
    refuseForeign(pgdata, binaries);
  }
  const password = process.platform === 'win32' ? keepPassword(dataDir) : null;
  let synced: Promise<void> = Promise.resolve();
  if (fresh) {
    await makeCluster({ pgdata, binaries, servant, password, meanwhile });
    if (servant !== null) giveTo(pgdata, servant);
    if (!fast) synced = syncTree(pgdata);
    synced.catch(() => undefined);
  } else if (servant !== null && statSync(pgdata).uid !== servant.uid) giveTo(pgdata, servant);
  chmodSync(pgdata, 0o700);

  const place = await choosePlace(dataDir, pgdata, servant);
  if (!fresh) await clearLeftovers(pgdata, place.directory, log);
  const postmaster = new Postmaster({
    binaries,
    pgdata,
    servant,
    settings: { ...fixedSettings(place.setting, fast), ...place.settings },
    log,
  });
  const started = postmaster.start();
  if (!fresh) meanwhile();
  await started;
  const addresses = {
    url: place.address('authenticator', 'kanbase', password),
    directUrl: place.address('kanbase', 'kanbase', password),
    adminUrl: place.address('postgres', 'postgres', password),
  };
  try {
    await prepare(addresses, fresh, password);
    await synced;
  } catch (error) {
    await postmaster.stop();
    throw error;
  }
  lock.announce(addresses);
  return {
    ...addresses,
    stop: async () => {
      await postmaster.stop();
      lock.release();
    },
  };
}

/** The server that holds the directory may still be starting: it tells its addresses as soon as it has them. */
async function shareCluster(dataDir: string, refusal: DirectoryInUse): Promise<Cluster> {
  for (let attempt = 0, holder = refusal.holder; attempt < 200; attempt++) {
    const { url, directUrl, adminUrl } = holder.addresses;
    if (url !== undefined && directUrl !== undefined && adminUrl !== undefined)
      return { url, directUrl, adminUrl, stop: async () => undefined };
    await new Promise((resolve) => setTimeout(resolve, 50));
    const next = await findHolder(dataDir);
    if (next === null) break;
    holder = next;
  }
  throw refusal;
}

interface Place {
  /** Where the socket file lies. */
  readonly directory: string;
  /** For `unix_socket_directories`. */
  readonly setting: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly address: (user: string, database: string, password: string | null) => string;
}

/** The socket lies in the data directory itself, which is closed to others, unless the path is too long for a socket. */
async function choosePlace(dataDir: string, pgdata: string, servant: ClusterUser | null): Promise<Place> {
  if (process.platform === 'win32') {
    const port = await freePort();
    return {
      directory: pgdata,
      setting: '',
      settings: { listen_addresses: '127.0.0.1', port: String(port) },
      address: (user, database, password) =>
        `postgres://${user}:${password ?? ''}@127.0.0.1:${port}/${database}?sslmode=disable`,
    };
  }
  // Relative to where Postgres works, so that it holds when the way there is closed to its user.
  if (Buffer.byteLength(pgdata) + '/.s.PGSQL.5432'.length <= longestSocketPath)
    return {
      directory: pgdata,
      setting: '.',
      settings: {},
      address: (user, database) => socketUrl(pgdata, user, database),
    };
  const directory = join(shortDirectory(dataDir), 'socket');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (servant !== null) chownSync(directory, servant.uid, servant.gid);
  const stats = lstatSync(directory);
  const expected = servant?.uid ?? process.getuid?.();
  if (!stats.isDirectory() || stats.uid !== expected)
    throw new Error(`${directory} belongs to someone else; give --data-dir a shorter path, or remove that directory`);
  chmodSync(directory, 0o700);
  return {
    directory,
    setting: directory,
    settings: {},
    address: (user, database) => socketUrl(directory, user, database),
  };
}

function refuseForeign(pgdata: string, binaries: Binaries): void {
  const uid = process.getuid?.();
  const owner = statSync(pgdata).uid;
  if (uid !== undefined && uid !== 0 && owner !== uid)
    throw new Error(
      `The database in ${pgdata} belongs to user ${owner}, probably since a start as root. ` +
        `Start as that user or as root, or hand it over: chown -R ${uid} ${pgdata}`,
    );
  const major = readFileSync(join(pgdata, 'PG_VERSION'), 'utf8').trim();
  if (major !== binaries.major)
    throw new Error(
      `The database in ${pgdata} was made by Postgres ${major}; this Kanbase brings Postgres ${binaries.major}. ` +
        'Back it up with the earlier release (npx kanbase backup; pg_dumpall where it has none yet) and restore it into a new data directory.',
    );
}

/** The owner and the pool's login exist, and the database. On a later start that is one look. */
async function prepare(
  addresses: { directUrl: string; adminUrl: string },
  fresh: boolean,
  password: string | null,
): Promise<void> {
  try {
    if (!fresh) {
      const { socket } = await dial(parseTarget(addresses.directUrl));
      socket.destroy();
      return;
    }
  } catch (error) {
    // A start that was interrupted before this: no such role (28000, 28P01), no such database (3D000).
    if (!(error instanceof PostgresError) || !['28000', '28P01', '3D000'].includes(error.sqlstate)) throw error;
  }
  const secret = password === null ? '' : ` password '${password}'`;
  const statements = [
    // bypassrls so that it can hand that on to service_role; replication for the change feed.
    `create role kanbase login createrole createdb bypassrls replication${secret}`,
    `create role authenticator login noinherit${secret}`,
    'grant authenticator to kanbase with admin option',
    'create database kanbase owner kanbase',
  ];
  // Already there: duplicate role, duplicate database.
  await runScript(parseTarget(addresses.adminUrl), statements, ['42710', '42P04']);
}

function keepPassword(dataDir: string): string {
  const path = join(dataDir, '.postgres-password');
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(path, 'utf8').trim();
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
