// Installs what package-lock.json asks for and node_modules does not have. Plain JS without dependencies: it runs first.
// Install scripts stay off: nothing here depends on one, and package managers refuse them more and more.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Exits with words when this Node is too old to go on. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(
    `Kanbase needs Node 20.19 or newer; this is ${process.version}. Get a newer one from https://nodejs.org.`,
  );
  process.exit(1);
}

/** Whether every package of the lock file that this platform needs is there in that version. */
export function isInstalled() {
  const kept = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(kept)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const there = JSON.parse(readFileSync(kept, 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, optional, devOptional, link }]) => {
    if (path === '' || link) return true;
    // Binaries of other platforms are listed as optional and stay away.
    if (there[path] === undefined) return optional === true || devOptional === true;
    return there[path].version === version;
  });
}

export function ensureInstalled() {
  checkNode();
  if (isInstalled()) return;
  console.error('Installing packages (once, about a minute) …');
  const npm = process.env.npm_execpath;
  const args = [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const [command, all] =
    npm?.endsWith('.js') && /npm-cli/.test(npm) ? [process.execPath, [npm, ...args]] : ['npm', args];
  const done = spawnSync(command, all, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (done.status === 0) return;
  console.error('npm ci failed. Check the network and the messages above, then try again.');
  process.exit(1);
}
