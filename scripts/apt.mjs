// Debian packages for tests, where this user may install them. Says whether they are there afterwards.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

let updated = false;

export function aptInstall(packages) {
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return false;
  console.error(`Installing ${packages.join(', ')} through apt …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
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

/** PostgreSQL 15 and PgBouncer, against which the database tests run. Debian would start a cluster of its own: not here. */
export function installDatabases() {
  const missing = [];
  if (!existsSync('/usr/lib/postgresql/15/bin/postgres')) missing.push('postgresql-15');
  if (!existsSync('/usr/sbin/pgbouncer')) missing.push('pgbouncer');
  if (missing.length > 0) aptInstall(missing);
}
