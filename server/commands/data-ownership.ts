// One rule for who owns what on disk: everything in the data directory, and where files and scheduled backups lie, belongs to
// the user of the database. A start gives them what root has left there; a command that root started acts as that user.

import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { type ClusterUser, chooseClusterUser } from '../database/embedded/choose-user.ts';
import { shortDirectory } from '../database/embedded/lock-directory.ts';
import { actAs } from '../effective-user.ts';
import { chownRootFiles } from './chown-root-files.ts';
import { findClosedPath } from './find-closed-path.ts';

/** Null where this process is not root, and so leaves nothing of root's behind. */
export function ownerOfData({ server }: Config): ClusterUser | null {
  return chooseClusterUser(join(resolve(server.dataDir), 'postgres'));
}

/** All that root made, however deep it lies. Before anything is started, so that nothing meets it. */
export function repairOwnership(config: Config): void {
  const owner = ownerOfData(config);
  if (owner !== null) handOver(config, owner, []);
}

/** What this process itself has made as root since then. */
export function chownNew(config: Config): void {
  const owner = ownerOfData(config);
  if (owner !== null) handOver(config, owner, large);
}

/** For a command: until what is returned is called, files are read and written as the owner of the data. */
export function becomeOwner(config: Config, log: Logger): () => void {
  const owner = ownerOfData(config);
  if (owner === null) return () => undefined;
  mkdirSync(resolve(config.server.dataDir), { recursive: true, mode: 0o700 });
  handOver(config, owner, large);
  const closed = findClosedPath(owner, config);
  if (closed === null) return actAs(owner);
  log.debug(
    { path: closed, uid: owner.uid },
    'still running as root, because this path is closed to the owner of the data',
  );
  const giveBack = (): void => handOver(config, owner, ['postgres']);
  process.once('exit', giveBack);
  return () => {
    process.off('exit', giveBack);
    giveBack();
  };
}

/** Looked through at a start alone. */
const large = ['files', 'postgres'];

/** The data directory, where files and backups lie if that is elsewhere, and the socket if the path to it would be too long. */
function handOver(config: Config, owner: ClusterUser, except: readonly string[]): void {
  const dataDir = resolve(config.server.dataDir);
  if (existsSync(dataDir)) {
    chownRootFiles(dataDir, owner, except);
    if (lstatSync(dataDir).uid === owner.uid) chmodSync(dataDir, 0o700);
    const short = shortDirectory(dataDir);
    if (lstatSync(short, { throwIfNoEntry: false })?.isDirectory() === true) chownRootFiles(short, owner);
  }
  const { directory } = config.files;
  if (directory !== null) {
    mkdirSync(resolve(directory), { recursive: true });
    if (!except.includes('files') || lstatSync(directory).uid === 0) chownRootFiles(resolve(directory), owner);
  }
  const backups = backupDirectory(config);
  if (backups !== null) {
    mkdirSync(backups, { recursive: true, mode: 0o700 });
    if (hasOnlyBackups(backups)) chownRootFiles(backups, owner);
  }
}

/** Of the schedule, where it is a directory outside of the data. */
export function backupDirectory({ backup }: Pick<Config, 'backup'>): string | null {
  const { schedule, directory } = backup;
  return schedule === null || directory === null || directory.startsWith('s3:') ? null : resolve(directory);
}

/** A directory that others use as well, such as /var/backups, stays theirs; doctor says that nothing can be written there. */
function hasOnlyBackups(directory: string): boolean {
  return readdirSync(directory).every((name) => /^(kanbase|before)-.*\.zip(\.part)?$/.test(name));
}
