// `npm run bench`: figures, side by side with the limit. What is measured and how stands in bench/.

import { existsSync } from 'node:fs';
import { aptInstall } from './apt.mjs';
import { ensureBuilt } from './build.mjs';
import { findBrowser } from './find-browser.mjs';
import { ensureInstalled } from './install.mjs';
import { runTypeScript } from './run-ts.mjs';

ensureInstalled();
const parts = process.argv.slice(2).filter((one) => one.startsWith('--') && one !== '--dry');
const isChosen = (part) => parts.length === 0 || parts.includes(part);
const onCluster = {
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
};
// These bring their own load and open no page.
const bare = ['--fuzz', '--crash', '--load', '--against'];
const isBare = parts.some((part) => bare.includes(part));
const missing = [
  ...Object.keys(onCluster).filter((name) => parts.includes('--cluster') && !existsSync(onCluster[name])),
  ...(existsSync('/usr/bin/wrk') || isBare ? [] : ['wrk']),
  ...(existsSync('/usr/sbin/nginx') || !isChosen('--files') ? [] : ['nginx']),
  ...(existsSync('/usr/bin/curl') || isBare ? [] : ['curl']),
  ...(existsSync('/usr/bin/pgbench') || isBare ? [] : ['postgresql-client']),
];
if (missing.length > 0 && !aptInstall(missing)) {
  console.error(`Please install ${missing.join(' and ')} first (Debian: apt install ${missing.join(' ')}).`);
  process.exit(1);
}
if (!isBare) {
  const browser = await findBrowser();
  if (!browser.path) {
    console.error(browser.message);
    process.exit(1);
  }
  process.env.KANBASE_BROWSER = browser.path;
}
await ensureBuilt();
process.exitCode = await runTypeScript('bench/main.ts', process.argv.slice(2));
