// `npm run dev`: serves from source and follows every change: the server is built again and restarted, the pages are
// built again. Options are passed on to `kanbase serve`.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { serverBundle } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
await (await import('./write-web-types.mjs')).writeWebTypes();
const { watch } = await import('rolldown');
const args = process.argv.slice(2);
let server = null;
let stopping = false;
let due = null;

const bundle = serverBundle();
// A directory of its own: `npm start` beside it keeps its build.
const watcher = watch({ ...bundle, output: { ...bundle.output, dir: join(root, '.cache/dev/server') } });
watcher.on('event', async (event) => {
  if (event.code === 'ERROR') console.error(event.error?.message ?? event);
  if (event.code === 'BUNDLE_END') {
    await event.result?.close?.();
    restart();
  }
});

let pages = null;
if (existsSync(join(root, 'vite.config.ts'))) {
  const { build } = await import('vite');
  const outDir = join(root, '.cache/dev/web');
  pages = await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    mode: 'development',
    build: { watch: {}, outDir, emptyOutDir: true },
  });
  // The server reads pages once, when it starts.
  pages.on('event', (event) => {
    if (event.code === 'BUNDLE_END' || event.code === 'END') restart();
  });
}

/** Several changes at once are one restart. */
function restart() {
  clearTimeout(due);
  due = setTimeout(restartNow, 50);
}

function restartNow() {
  const begin = () => {
    if (stopping) return;
    server = spawn(
      process.execPath,
      ['--enable-source-maps', join(root, '.cache/dev/server/main.js'), 'serve', ...args],
      {
        stdio: 'inherit',
        env: { WEB_DIR: join(root, '.cache/dev/web'), ...process.env },
      },
    );
    server.once('exit', (code) => {
      server = null;
      if (code && !stopping) console.error(`The server ended with code ${code}; it starts again at the next change.`);
    });
  };
  if (server === null) return begin();
  server.removeAllListeners('exit');
  server.once('exit', begin);
  server.kill('SIGTERM');
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, async () => {
    if (stopping) return;
    stopping = true;
    clearTimeout(due);
    await Promise.all([watcher.close(), pages?.close?.()]);
    if (server === null) process.exit(0);
    server.removeAllListeners('exit');
    server.once('exit', () => process.exit(0));
    server.kill('SIGTERM');
  });
