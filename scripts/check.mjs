// `npm run check`: types, format and lint, architecture, and whether generated files are fresh. All of it, then a verdict.

import { spawnSync } from 'node:child_process';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const steps = [
  ['types', ['node_modules/typescript/bin/tsc', '--noEmit']],
  ['format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings']],
  ['architecture', ['node_modules/vitest/vitest.mjs', 'run', 'test/architecture.test.ts']],
  ['generated files', ['scripts/generate.mjs', '--check']],
];
const failed = [];
for (const [name, args] of steps) {
  console.log(`— ${name}`);
  const done = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (done.status !== 0) failed.push(name);
}
console.log(
  failed.length === 0
    ? '\nAll checks passed.'
    : `\nFailed: ${failed.join(', ')}. \`npx biome check --write\` formats, \`npm run generate\` writes generated files.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
