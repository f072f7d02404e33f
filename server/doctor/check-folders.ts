// Finds folders of the data that the service cannot write in: a folder that root has made refuses what belongs in there, an
// upload, an export or a backup. A write is tried in those at the top; of what lies deeper the rights are looked at.

import { constants, existsSync, mkdtempSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { actAs, type User } from '../effective-user.ts';
import { broken, type Finding, good } from './finding.ts';

/** So many are named; the same command mends all of them. */
const mostNamed = 5;

/** `user`: as whom the service runs, where this process is root and would act as them; null: as this process. */
export async function checkFolders(
  config: Pick<Config, 'server' | 'files' | 'backup'>,
  user: User | null,
): Promise<Finding[]> {
  const tops = placesOf(config).filter((path) => existsSync(path));
  const { geteuid, getegid } = process;
  if (tops.length === 0 || geteuid === undefined || getegid === undefined) return [];
  const owner = user ?? { uid: geteuid.call(process), gid: getegid.call(process) };
  const first = tops.flatMap((top) => [top, ...foldersIn(top)]);
  const closed = new Set(as(user, () => first.filter((path) => !takesFolders(path))));
  for (const path of first.filter((one) => !closed.has(one) && !tops.includes(one)))
    for (const deeper of await closedBelow(path, user)) closed.add(deeper);
  const paths = [...closed];
  if (paths.length === 0) return [good('health.folders.good', { uid: String(owner.uid), folders: tops.join(', ') })];
  const named = paths.slice(0, mostNamed);
  const values = { uid: String(owner.uid), folders: named.join(', '), more: paths.length - named.length };
  const dataDir = resolve(config.server.dataDir);
  const belongsTo = statSync(existsSync(join(dataDir, 'postgres')) ? join(dataDir, 'postgres') : dataDir).uid;
  if (belongsTo !== owner.uid)
    return [broken('health.folders.closed', 'health.folders.others', { ...values, owner: String(belongsTo) })];
  return [
    broken('health.folders.closed', 'health.folders.give', {
      ...values,
      user: `${owner.uid}:${owner.gid}`,
      paths: named.join(' '),
    }),
  ];
}

function placesOf({ server, files, backup }: Pick<Config, 'server' | 'files' | 'backup'>): string[] {
  const backups = backup.schedule === null || backup.directory?.startsWith('s3:') ? null : backup.directory;
  return [
    ...new Set([server.dataDir, files.directory, backups].filter((path) => path !== null).map((path) => resolve(path))),
  ];
}

/** Postgres sees to its own. */
function foldersIn(top: string): string[] {
  try {
    return readdirSync(top, { withFileTypes: true })
      .filter((one) => one.isDirectory() && !/^(postgres(\..*)?|lost\+found)$/.test(one.name))
      .map((one) => join(top, one.name));
  } catch {
    return [];
  }
}

async function closedBelow(folder: string, user: User | null): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    const isOpen = await (user === null ? isOpenHere(path) : isOpenTo(user, path));
    if (isOpen === true) found.push(...(await closedBelow(path, user)));
    else if (isOpen === false) found.push(path);
  }
  return found;
}

/** Null: it is gone. */
async function isOpenTo(user: User, path: string): Promise<boolean | null> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null) return null;
  const bits = stats.uid === user.uid ? stats.mode >> 6 : stats.gid === user.gid ? stats.mode >> 3 : stats.mode;
  return (bits & 0o3) === 0o3;
}

/** Asked of the system, which knows what root and other groups may. */
async function isOpenHere(path: string): Promise<boolean | null> {
  return access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? null : false),
  );
}

function takesFolders(path: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(path, '.kanbase-doctor-')));
    return true;
  } catch {
    return false;
  }
}

function as<T>(user: User | null, act: () => T): T {
  if (user === null) return act();
  const giveBack = actAs(user);
  try {
    return act();
  } finally {
    giveBack();
  }
}
