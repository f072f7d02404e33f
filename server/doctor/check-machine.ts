// The machine: is Node new enough, is the data directory ours and private, is there room on the disk.

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { secretsPath } from '../config/keep-secrets.ts';
import type { User } from '../effective-user.ts';
import { checkFolders } from './check-folders.ts';
import { broken, type Finding, good, thought } from './finding.ts';

const gigabyte = 1024 ** 3;

/** `user`: as whom the service runs, if not as this process. */
export async function checkMachine(
  config: Pick<Config, 'server' | 'files' | 'backup'>,
  user: User | null,
): Promise<Finding[]> {
  const dataDir = resolve(config.server.dataDir);
  return [
    good(`Node ${process.versions.node}`),
    ...checkDataDir(dataDir),
    ...(await checkFolders(config, user)),
    ...checkSecrets(dataDir),
    checkDisk(dataDir),
  ];
}

function checkDataDir(dataDir: string): Finding[] {
  const place = nearestExisting(dataDir);
  try {
    accessSync(place, constants.W_OK);
    return [good(`the data directory is ${dataDir}${place === dataDir ? '' : ' (made at first start)'}`)];
  } catch {
    return [
      broken(`${place} cannot be written`, `Give this user the right to write it, or choose another with DATA_DIR.`),
    ];
  }
}

function checkSecrets(dataDir: string): Finding[] {
  const path = secretsPath(dataDir);
  if (!existsSync(path) || process.platform === 'win32') return [];
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return [good('generated secrets are readable by their owner alone')];
  return [broken(`${path} is readable by others (mode ${mode.toString(8)})`, `Run: chmod 600 '${path}'`)];
}

function checkDisk(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(nearestExisting(dataDir));
  const free = bavail * bsize;
  const words = `${(free / gigabyte).toFixed(1)} GB free where the data lives`;
  if (free < gigabyte / 4) return broken(words, 'Make room: Postgres stops when the disk is full.');
  if (free < 2 * gigabyte) return thought(words, 'Make room before it runs out.');
  return good(words);
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}
