// `npm run check` asks by this: is anything that others run, on the server or in the pages, known to be unsafe, and is the lock file one that
// nobody can slip something into? The first needs the registry; where it is not reached, or does not take the question, that is said and nothing
// more, unless `--must-answer` makes it a fault, as in CI and before a release.

import { spawnSync } from 'node:child_process';
import { root } from './install.mjs';
import { packages, shippedPaths } from './shipped.mjs';

const shipped = shippedPaths();
const faults = [];
for (const path of shipped) {
  const { resolved = '', integrity = '' } = packages[path];
  if (!integrity.startsWith('sha512-')) faults.push(`${path} has no checksum (sha512) in package-lock.json`);
  // A lock file may leave the address out; one from elsewhere than a registry is no release.
  if (!/^(https:\/\/.*\.tgz)?$/.test(resolved)) faults.push(`${path} comes from ${resolved}`);
}

const asked = spawnSync('npm', ['audit', '--json', '--fetch-retries=0', '--fetch-timeout=15000'], {
  cwd: root,
  encoding: 'utf8',
  timeout: 30_000,
  shell: process.platform === 'win32',
});
const answer = readAnswer(asked.stdout ?? '');
if (answer?.vulnerabilities === undefined) {
  const said = 'The registry did not say what is known to be unsafe.';
  if (process.argv.includes('--must-answer')) faults.push(said);
  else console.log(said);
} else
  for (const [name, { severity, range, nodes }] of Object.entries(answer.vulnerabilities))
    if (['high', 'critical'].includes(severity) && nodes.some((path) => shipped.has(path)))
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
