// `npm start`: install what is missing, build what is stale, serve. Options are passed on: `npm start -- --port 8080`.
// `npx kanbase keys --json` runs any other command in the same way. Whoever of npm, this script and the command
// is stopped or killed, all of them end: signals are passed down, and each notices when the one above it has gone.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { staleParts } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';
import { whenParentsGo } from './when-parents-go.mjs';

ensureInstalled();

let child = null;
let stopping = false;

/** Runs a script of ours to its end. The channel lets it notice when this process has gone, however that happened. */
function run(args) {
  return new Promise((resolve) => {
    child = spawn(process.execPath, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 1)));
  });
}

function stop(signal) {
  stopping = true;
  child?.kill(signal);
}

// A terminal sends Ctrl-C to all of us, and npm passes it on once more: the server counts what comes at once as one.
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => stop(signal));

// npm passes on SIGTERM and SIGINT alone, and npx to its shell. Whatever else ends them, we then belong to somebody else.
whenParentsGo(() => {
  if (!stopping) stop('SIGTERM');
});

/** In a process of its own: what builders take in memory goes away with them. */
async function buildWhatIsStale() {
  return staleParts().length === 0 ? 0 : run([join(root, 'scripts/build.mjs')]);
}

const built = await buildWhatIsStale();
if (built !== 0 || stopping) process.exitCode = built;
else
  process.exitCode = await run(['--enable-source-maps', join(root, 'dist/server/main.js'), ...process.argv.slice(2)]);
