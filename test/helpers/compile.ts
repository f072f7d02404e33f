// Type-checks programs of others' making, as strictly as a reader would: against the real supabase-js.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Faults that the compiler finds in these files, by name; '' when there are none. */
export function compile(files: Readonly<Record<string, string>>): string {
  mkdirSync('.cache/test', { recursive: true });
  // Below the repository, so that packages are found.
  const folder = mkdtempSync(resolve('.cache/test/compiled-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const options = {
      ...{ strict: true, noEmit: true, skipLibCheck: true, target: 'es2023', lib: ['es2024', 'dom'] },
      ...{ module: 'preserve', moduleResolution: 'bundler', allowImportingTsExtensions: true, types: [] },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
    const { stdout, stderr } = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder], {
      encoding: 'utf8',
    });
    return (stdout + stderr).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
