// Writes npm-shrinkwrap.json for the package, or with --remove takes it away again: the versions of package-lock.json, without those
// that only developers have, so that who installs the package runs what was tested. In a checkout it would win over the lock.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

const path = join(root, 'npm-shrinkwrap.json');

if (process.argv.includes('--remove')) rmSync(path, { force: true });
else {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { devDependencies: _devDependencies, ...own } = lock.packages[''];
  const packages = Object.entries(lock.packages)
    .filter(([name, { dev }]) => name !== '' && dev !== true)
    // Whoever installs it may have another registry; what has to be the same are the bytes, and these have their checksum. Which
    // Node is needed is said by our own engines: some packages name a newer one than these versions of them were tried on here.
    .map(([name, { resolved: _resolved, devOptional: _devOptional, engines: _engines, ...entry }]) => [name, entry]);
  writeFileSync(
    path,
    `${JSON.stringify({ ...lock, packages: Object.fromEntries([['', own], ...packages]) }, null, 2)}\n`,
  );
}
