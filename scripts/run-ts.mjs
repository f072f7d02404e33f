// Runs a TypeScript file of this repository on any supported Node: `node scripts/run-ts.mjs bench/main.ts --quick`.
// The file and what it imports from here are bundled into .cache/; packages stay in node_modules.

import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from './install.mjs';

/** Bundles a file and what it imports from here; answers the path of a module to run or to import. */
export async function buildTypeScript(file) {
  const { build } = await import('rolldown');
  const name = file.replaceAll(/[^\w-]+/g, '-');
  const directory = join(root, '.cache', 'run', name);
  await build({
    input: resolve(root, file),
    platform: 'node',
    // Runtime helpers of the compiler are part of what is compiled.
    external: (id) =>
      !id.startsWith('@oxc-project/') && !id.startsWith('.') && !id.startsWith('/') && !/^[A-Za-z]:/.test(id),
    logLevel: 'warn',
    output: {
      dir: directory,
      format: 'esm',
      entryFileNames: 'main.mjs',
      chunkFileNames: '[name]-[hash].mjs',
      sourcemap: true,
      cleanDir: true,
    },
  });
  return join(directory, 'main.mjs');
}

export async function runTypeScript(file, args = []) {
  const done = spawnSync(process.execPath, ['--enable-source-maps', await buildTypeScript(file), ...args], {
    stdio: 'inherit',
    cwd: root,
  });
  return done.status ?? 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [file, ...args] = process.argv.slice(2);
  if (file === undefined) {
    console.error('Usage: node scripts/run-ts.mjs <file.ts> [arguments]');
    process.exit(2);
  }
  ensureInstalled();
  process.exitCode = await runTypeScript(file, args);
}
