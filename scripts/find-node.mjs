// Other versions of Node for the smoke tests, from the packages behind npm's `node` (one per platform, the binary inside).
// Kept in .cache/node; returns a path, or null when that version cannot be had here.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

/** The oldest that is promised, and the newest of each line after it. */
export const nodeVersions = ['20.19.0', '22', '24'];

export function findNode(version) {
  const [major, minor] = process.versions.node.split('.');
  if (version === major || version === `${major}.${minor}` || version === process.versions.node)
    return process.execPath;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const directory = join(root, '.cache', 'node', version);
  const binary = join(directory, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  console.error(`Fetching Node ${version} (once) …`);
  mkdirSync(directory, { recursive: true });
  const args = [
    'install',
    '--prefix',
    directory,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `${name}@${version}`,
  ];
  spawnSync('npm', args, { stdio: ['ignore', 2, 2], shell: process.platform === 'win32', cwd: directory });
  return existsSync(binary) ? binary : null;
}
