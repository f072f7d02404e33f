// Paths of the programs that the server runs beside its own: in a build they stand beside it. From source, which tests run, they are built first.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packageRoot } from './package-root.ts';

type Program = 'import-worker' | 'outbox-thread';

let folder: Promise<string> | null = null;

export async function programFile(program: Program): Promise<string> {
  folder ??= findFolder();
  const file = join(await folder, `${program}.js`);
  if (!existsSync(file)) throw new Error(`${program}.js is missing beside main.js: install the package again`);
  return file;
}

async function findFolder(): Promise<string> {
  const here = fileURLToPath(import.meta.url);
  if (here.endsWith('.ts')) {
    const scripts = pathToFileURL(join(packageRoot(), 'scripts/build.mjs')).href;
    const { buildServerAside } = (await import(/* @vite-ignore */ scripts)) as { buildServerAside(): Promise<string> };
    return dirname(await buildServerAside());
  }
  const folders = [dirname(here), dirname(dirname(here))];
  return folders.find((one) => existsSync(join(one, 'import-worker.js'))) ?? dirname(here);
}
