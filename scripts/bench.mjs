// `npm run bench`: figures, side by side with the limit. What is measured and how stands in bench/.

import { existsSync } from 'node:fs';
import { aptInstall } from './apt.mjs';
import { ensureBuilt } from './build.mjs';
import { findBrowser } from './find-browser.mjs';
import { ensureInstalled } from './install.mjs';
import { runTypeScript } from './run-ts.mjs';

/** Without a name all of these run. */
const usual = '--data --identity --pages --realtime --files --imports'.split(' ');
const named =
  '--hostile --fuzz --policies --crash --load --growth --groups --against --upgrade --vs --workers --cluster --backup --webhooks --claims --mcp'.split(
    ' ',
  );
/** What parts read beside their names (bench/flag.ts), most of them `--name=value`. */
const settings =
  '--dry --quick --only --case --log --fault --seed --count --request --cycles --minutes --people --seconds --page-profile --peer'.split(
    ' ',
  );
const parts = process.argv.slice(2).filter((one) => one.startsWith('--') && one !== '--dry');
const unknown = parts.find((one) => ![...usual, ...named, ...settings].includes(one.replace(/=.*$/s, '')));
if (unknown !== undefined) {
  const known = `Parts: ${usual.join(' ')} (these without a name), ${named.join(' ')}.\nSettings: ${settings.join(' ')}.`;
  console.error(unknown === '--help' ? known : `There is no ${unknown}.\n${known}`);
  process.exit(unknown === '--help' ? 0 : 1);
}
ensureInstalled();
const chosen = parts.filter((part) => [...usual, ...named].includes(part));
const isAsked = (part) => (chosen.length > 0 ? chosen : usual).includes(part);
const onCluster = {
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
};
const programs = {
  wrk: '/usr/bin/wrk',
  nginx: '/usr/sbin/nginx',
  curl: '/usr/bin/curl',
  'postgresql-client': '/usr/bin/pgbench',
};
/** What each part runs; those that are not named bring their own load. */
const runs = {
  '--data': ['wrk', 'postgresql-client'],
  '--identity': ['wrk'],
  '--files': ['wrk', 'nginx', 'curl'],
  '--workers': ['wrk', 'postgresql-client'],
  '--vs': ['wrk'],
};
const missing = [
  ...Object.keys(onCluster).filter((name) => parts.includes('--cluster') && !existsSync(onCluster[name])),
  ...Object.keys(programs).filter(
    (name) =>
      !existsSync(programs[name]) && Object.keys(runs).some((part) => isAsked(part) && runs[part].includes(name)),
  ),
];
if (missing.length > 0 && !aptInstall(missing)) {
  console.error(`Please install ${missing.join(' and ')} first (Debian: apt install ${missing.join(' ')}).`);
  process.exit(1);
}
// Without it the clock is not tried, which the page says.
if (isAsked('--crash') && !existsSync('/usr/bin/faketime')) aptInstall(['faketime']);
if (isAsked('--pages') || isAsked('--realtime')) {
  const browser = await findBrowser();
  if (!browser.path) {
    console.error(browser.message);
    process.exit(1);
  }
  process.env.KANBASE_BROWSER = browser.path;
}
await ensureBuilt();
process.exitCode = await runTypeScript('bench/main.ts', process.argv.slice(2));
