// The machine: is Node new enough, is the data directory ours and private, is there room on the disk.

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { secretsPath } from '../config/generated-secrets.ts';
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
    good('health.node', { version: process.versions.node }),
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
    return [good(place === dataDir ? 'health.dataDir.good' : 'health.dataDir.later', { path: dataDir })];
  } catch {
    return [broken('health.dataDir.closed', 'health.dataDir.open', { path: place })];
  }
}

function checkSecrets(dataDir: string): Finding[] {
  const path = secretsPath(dataDir);
  if (!existsSync(path) || process.platform === 'win32') return [];
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return [good('health.secrets.good')];
  return [broken('health.secrets.open', 'health.secrets.close', { path, mode: mode.toString(8) })];
}

function checkDisk(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(nearestExisting(dataDir));
  const free = bavail * bsize;
  const values = { free: Math.round((free / gigabyte) * 10) / 10 };
  if (free < gigabyte / 4) return broken('health.disk.free', 'health.disk.full', values);
  if (free < 2 * gigabyte) return thought('health.disk.free', 'health.disk.low', values);
  return good('health.disk.free', values);
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}
