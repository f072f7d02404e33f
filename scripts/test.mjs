// `npm test`: every test there is. Installs, builds, finds what the tests need, runs vitest and the smoke walk on each
// Node, and closes with one line: `N passed, N failed`, with the skipped ones (named above it) when there are any.
// With CI=true a skip is a failure. `npm test -- test/data` runs only what vitest finds under those words; `--fast` what an
// edit of the server or of SQL is most likely to break, without a build and without a browser.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { installPrograms } from './apt.mjs';
import { ensureBuilt } from './build.mjs';
import { findBrowser } from './find-browser.mjs';
import { findNode, nodeVersions } from './find-node.mjs';
import { ensureInstalled, root } from './install.mjs';

/** Pure code, SQL and the data door; of that, all but what draws at random, fills memory, waits for time, starts an app a test or takes five seconds: of
 * these the matrix of rights alone. */
const fast = ['server/', 'web/', 'test/sql/', 'test/data/', 'test/architecture', 'test/docs.test', 'test/errors'];
const slowIn = {
  'server/database/wire': 'hostile-server',
  'server/files/objects': 'write-body',
  'test/data':
    'callers catalog changed-types database-down deadlock headers limits many-moves openapi plan-cache postgrest-settings responses row-settings server-timing streaming',
  'test/sql':
    'apply-changes custom-fields deleted-projects describe-catalog embeds foreign-rows moving-between-projects own-tasks races rules subtasks templates unauthorised-changes',
  'test/web': 'batches catch-up filters paged-fetch undo',
  web: 'commands',
  'web/editor': 'markdown',
  'web/ui/text': 'bounded-lexer',
};
const slow = Object.entries(slowIn).flatMap(([folder, names]) =>
  names.split(' ').map((name) => `${folder}/${name}.test.ts`),
);
const missing = slow.filter((file) => !existsSync(join(root, file)));
if (missing.length > 0) throw new Error(`slow tests that are not there: ${missing.join(', ')}`);
const isFast = process.argv.includes('--fast');
const chosen = [...(isFast ? fast : []), ...process.argv.slice(2).filter((word) => word !== '--fast')];
const inCi = /^(true|1)$/i.test(process.env.CI ?? '');
const tally = { passed: 0, failed: [], skipped: [], triedAgain: [] };

ensureInstalled();
const browser = isFast ? {} : await findBrowser();
if (browser.message) console.error(browser.message);
if (!isFast) await prepare();
await runVitest();
if (chosen.length === 0) await Promise.all(nodeVersions.map(runSmoke));
report();

async function prepare() {
  installPrograms();
  try {
    await ensureBuilt();
  } catch (error) {
    tally.failed.push(`build: ${error.message}`);
  }
}

async function runVitest() {
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-report-'));
  const outcome = join(directory, 'vitest.json');
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${outcome}`,
    ...chosen,
    ...(isFast ? ['**/*.property.test.ts', ...slow].map((file) => `--exclude=${file}`) : []),
  ];
  const env = {
    ...process.env,
    ...(browser.path ? { KANBASE_BROWSER: browser.path } : {}),
    ...(browser.shell ? { KANBASE_BROWSER_SHELL: browser.shell } : {}),
  };
  const code = await run(process.execPath, args, { env });
  let results = [];
  try {
    results = JSON.parse(readFileSync(outcome, 'utf8')).testResults;
  } catch {
    tally.failed.push('vitest: it left no report');
  }
  for (const file of results) {
    const name = relative(root, file.name);
    if (file.assertionResults.length === 0 && file.status === 'failed')
      tally.failed.push(`${name}: ${firstLine(file.message)}`);
    for (const { status, fullName, meta } of file.assertionResults) {
      if (status === 'passed' && meta?.triedAgain) tally.triedAgain.push(`${name}: ${fullName}`);
      if (status === 'passed') tally.passed += 1;
      else if (status === 'failed') tally.failed.push(`${name}: ${fullName}`);
      else tally.skipped.push(`${name}: ${fullName}`);
    }
  }
  if (code !== 0 && tally.failed.length === 0) tally.failed.push(`vitest: ended with code ${code} outside of any test`);
  rmSync(directory, { recursive: true, force: true });
}

async function runSmoke(version) {
  const node = findNode(version);
  if (node === null) {
    tally.skipped.push(`smoke on Node ${version}: it cannot be had here`);
    return;
  }
  let lines = '';
  await run(node, [join(root, 'scripts/smoke.mjs')], { onLine: (text) => (lines += text) });
  const steps = lines
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  if (steps.length === 0) tally.failed.push(`smoke on Node ${version}: nothing ran`);
  for (const { name, ok, message } of steps) {
    console.log(` ${ok ? '✓' : '×'} Node ${version}: ${name}${ok ? '' : `\n${message}`}`);
    if (ok) tally.passed += 1;
    else tally.failed.push(`smoke on Node ${version}: ${name}`);
  }
}

function run(command, args, { env = process.env, onLine } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', onLine ? 'pipe' : 'inherit', 'inherit'] });
    child.stdout?.setEncoding('utf8').on('data', onLine);
    child.on('exit', (code, signal) => resolve(code ?? signal));
  });
}

function firstLine(text = '') {
  return text.trim().split('\n')[0];
}

function report() {
  const { passed, failed, skipped, triedAgain } = tally;
  if (triedAgain.length > 0)
    console.log(`\nPassed when tried again:\n${triedAgain.map((name) => `  ${name}`).join('\n')}`);
  if (skipped.length > 0) console.log(`\nSkipped:\n${skipped.map((name) => `  ${name}`).join('\n')}`);
  if (failed.length > 0) console.log(`\nFailed:\n${failed.map((name) => `  ${name}`).join('\n')}`);
  // In CI everything must have run.
  const failures = failed.length + (inCi ? skipped.length : 0);
  const skips = inCi ? 0 : skipped.length;
  process.exitCode = failures > 0 || passed === 0 ? 1 : 0;
  console.log(`\n${passed} passed, ${failures} failed${skips > 0 ? `, ${skips} skipped` : ''}`);
}
