// Path of an import worker's program: beside the server's own in a build. From source, which tests run, it is built first.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packageRoot } from '../../../package-root.ts';

let found: Promise<string> | null = null;

export function workerFile(): Promise<string> {
  found ??= find();
  return found;
}

async function find(): Promise<string> {
  const here = fileURLToPath(import.meta.url);
  if (here.endsWith('.ts')) {
    const scripts = pathToFileURL(join(packageRoot(), 'scripts/build.mjs')).href;
    const { buildServerAside } = (await import(/* @vite-ignore */ scripts)) as { buildServerAside(): Promise<string> };
    return join(dirname(await buildServerAside()), 'import-worker.js');
  }
  const folders = [dirname(here), dirname(dirname(here))];
  const file = folders.map((folder) => join(folder, 'import-worker.js')).find(existsSync);
  if (file === undefined) throw new Error('import-worker.js is missing beside main.js: install the package again');
  return file;
}
