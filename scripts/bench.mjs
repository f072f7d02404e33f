// `npm run bench`: figures, side by side with the limit. What is measured and how is told in bench/.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall } from './apt.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';
import { runTypeScript } from './run-ts.mjs';

ensureInstalled();
const missing = [
  ...(existsSync('/usr/bin/wrk') ? [] : ['wrk']),
  ...(existsSync('/usr/bin/pgbench') ? [] : ['postgresql-client']),
];
if (missing.length > 0 && !aptInstall(missing)) {
  console.error(`Please install ${missing.join(' and ')} first (Debian: apt install ${missing.join(' ')}).`);
  process.exit(1);
}
await ensureBuilt();
const entry = ['bench/main.ts', 'bench/run.ts'].find((file) => existsSync(join(root, file)));
if (entry === undefined) {
  console.error('There is no benchmark in bench/.');
  process.exitCode = 1;
} else process.exitCode = await runTypeScript(entry, process.argv.slice(2));
