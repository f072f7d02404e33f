// A server that was started as root gives that up as soon as it listens, for good, and goes on as the user its Postgres
// runs as. What it still has to read and write must be open to that user; where it is not, it stays root and says why.

import {
  chmodSync,
  chownSync,
  closeSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { chooseServant, type Servant } from '../database/embedded/choose-servant.ts';
import { shortDirectory } from '../database/embedded/lock-directory.ts';
import { parseTarget } from '../database/wire/target.ts';
import { packageRoot } from '../package-root.ts';

export function leaveRoot(config: Config, log: Logger): void {
  const { setgroups, setgid, setuid } = process;
  if (process.getuid?.() !== 0 || setgroups === undefined || setgid === undefined || setuid === undefined) return;
  const dataDir = resolve(config.server.dataDir);
  const user = chooseServant(join(dataDir, 'postgres'));
  if (user === null) return;
  handOver(dataDir, user);
  // Where files lie may be elsewhere.
  const filesDir = config.files.directory === null ? null : resolve(config.files.directory);
  if (filesDir !== null) {
    mkdirSync(filesDir, { recursive: true });
    giveWhatIsRoots(filesDir, user);
  }
  const closed = closedTo(user, neededLater(config, dataDir), filesDir === null ? [] : [filesDir]);
  if (closed !== null) {
    log.warn(
      { path: closed, uid: user.uid },
      'still running as root, because this path is closed to the user of the database: move it where that user may use it (such as /opt and /var/lib), or start as an ordinary user',
    );
    return;
  }
  setgroups([user.gid]);
  setgid(user.gid);
  setuid(user.uid);
  log.debug({ uid: user.uid }, 'no longer root');
}

/** The data directory and what root made in it. Postgres' own part belongs to its user already. */
function handOver(dataDir: string, user: Servant): void {
  giveWhatIsRoots(dataDir, user);
  if (lstatSync(dataDir).uid === user.uid) chmodSync(dataDir, 0o700);
  const short = shortDirectory(dataDir);
  if (lstatSync(short, { throwIfNoEntry: false })?.uid === 0) giveWhatIsRoots(short, user);
}

function giveWhatIsRoots(path: string, user: Servant): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.uid !== 0) return;
  if (stats.isDirectory()) {
    for (const name of readdirSync(path)) giveWhatIsRoots(join(path, name), user);
    chownSync(path, user.uid, user.gid);
  } else if (stats.nlink === 1 || !stats.isFile()) lchownSync(path, user.uid, user.gid);
}

/** Code that is loaded when it is first needed, migrations to look at, keys for the next connection. */
function neededLater({ database }: Config, dataDir: string): string[] {
  const target = parseTarget(database.url ?? 'postgres://localhost');
  const native = join(packageRoot(), 'node_modules', '@node-rs');
  return [
    dataDir,
    dirname(process.argv[1] ?? packageRoot()),
    process.argv[1],
    join(packageRoot(), 'sql'),
    lstatSync(native, { throwIfNoEntry: false }) === undefined ? null : native,
    database.migrationsDir,
    target.sslrootcert === 'system' ? null : target.sslrootcert,
    target.sslcert,
    target.sslkey,
  ].filter((path) => path !== null && path !== undefined);
}

/** The first of these paths that the user may not read, or of these directories and the temporary one, where nothing can be put. */
function closedTo(user: Servant, paths: readonly string[], directories: readonly string[]): string | null {
  const { seteuid, setegid, getgroups, setgroups } = process;
  if (!seteuid || !setegid || !getgroups || !setgroups) return paths[0] ?? null;
  const groups = getgroups.call(process);
  // Asked for first: while the effective user is another one, Node does not read TMPDIR.
  const temporary = tmpdir();
  setgroups.call(process, [user.gid]);
  setegid.call(process, user.gid);
  seteuid.call(process, user.uid);
  try {
    return (
      paths.find((path) => !isReadable(path)) ?? [...directories, temporary].find((path) => !takesFiles(path)) ?? null
    );
  } finally {
    seteuid.call(process, 0);
    setegid.call(process, 0);
    setgroups.call(process, groups);
  }
}

function isReadable(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Long answers are kept there while they are sent. */
function takesFiles(directory: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(directory, 'kanbase-')));
    return true;
  } catch {
    return false;
  }
}
