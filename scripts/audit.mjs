// `npm run check` asks by this: is anything that the service runs with known to be unsafe, and is the lock file one that nobody can slip something
// into? The first needs the registry; where it is not reached, or does not take the question, that is said and nothing more.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const faults = [];
for (const [path, { resolved = '', integrity = '', dev = false }] of Object.entries(packages)) {
  // What only developers have is not what people run.
  if (path === '' || dev) continue;
  if (!integrity.startsWith('sha512-')) faults.push(`${path} has no checksum (sha512) in package-lock.json`);
  // A lock file may leave the address out; one from elsewhere than a registry is no release.
  if (!/^(https:\/\/.*\.tgz)?$/.test(resolved)) faults.push(`${path} comes from ${resolved}`);
}

const asked = spawnSync(
  'npm',
  ['audit', '--json', '--omit=dev', '--audit-level=high', '--fetch-retries=0', '--fetch-timeout=15000'],
  { cwd: root, encoding: 'utf8', timeout: 30_000, shell: process.platform === 'win32' },
);
const answer = readAnswer(asked.stdout ?? '');
if (answer?.vulnerabilities === undefined) console.log('The registry did not say what is known to be unsafe.');
else
  for (const [name, { severity, range }] of Object.entries(answer.vulnerabilities))
    if (severity === 'high' || severity === 'critical')
      faults.push(`${name} ${range} is known to be unsafe (${severity}): npm audit tells more`);

for (const fault of faults) console.log(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

function readAnswer(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
