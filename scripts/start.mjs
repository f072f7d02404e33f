// `npm start`: install what is missing, build what is stale, serve. Options are passed on: `npm start -- --port 8080`.
// `npm run kanbase -- keys --json` runs any other command in the same way.

import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { staleParts } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
// In a process of its own: what builders take in memory goes away with them.
if (
  staleParts().length > 0 &&
  spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' }).status !== 0
)
  process.exit(1);

const given = process.argv.slice(2);
const args = given.length > 0 && !given[0].startsWith('-') ? given : ['serve', ...given];
const server = spawn(process.execPath, ['--enable-source-maps', join(root, 'dist/server/main.js'), ...args], {
  stdio: 'inherit',
});

// A terminal sends Ctrl-C to both of us; a supervisor sends SIGTERM to this process alone. Either way the server decides when to end.
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
process.on('SIGINT', () => {
  if (!process.stdin.isTTY) server.kill('SIGINT');
});
server.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGKILL' ? 137 : 1);
});
