// Debian packages for tests, where this user may install them. Says whether they are there afterwards.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** What tests run against, by the file that shows it is there. */
const programs = {
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  pgbouncer: '/usr/sbin/pgbouncer',
  'nginx-light': '/usr/sbin/nginx',
  caddy: '/usr/bin/caddy',
  systemd: '/usr/bin/systemd-analyze',
};

let updated = false;

export function aptInstall(packages) {
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return false;
  console.error(`Installing ${packages.join(', ')} through apt …`);
  // Run level 1: what Debian would start by itself after installing it stays off.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const run = (...args) =>
    spawnSync('apt-get', ['-q', ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env,
      encoding: 'utf8',
      timeout: 600_000,
    });
  if (!updated) {
    run('update');
    updated = true;
  }
  const done = run('install', '-y', '--no-install-recommends', ...packages);
  if (done.status !== 0) console.error((done.stderr ?? '').trim().split('\n').slice(-3).join('\n'));
  return done.status === 0;
}

/** Whether one of the programs above is there, after trying to install it. */
export function haveProgram(name) {
  const path = programs[name];
  if (!existsSync(path)) aptInstall([name]);
  return existsSync(path);
}

/** All that the tests run against, in one go. */
export function installPrograms() {
  const missing = Object.keys(programs).filter((name) => !existsSync(programs[name]));
  if (missing.length > 0) aptInstall(missing);
}
