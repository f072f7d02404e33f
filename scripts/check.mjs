// `npm run check`: types, format and lint, architecture and docs, linear patterns, whether generated files are fresh and dependencies safe, and
// what nobody uses. All of it side by side, then a verdict.

import { spawn } from 'node:child_process';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
await (await import('./write-web-types.mjs')).writeWebTypes();
const steps = [
  ['generated files', ['scripts/generate.mjs', '--check']],
  [
    'architecture, styles, docs and words',
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      'test/architecture.test.ts',
      'test/function-length.test.ts',
      'test/refs.test.ts',
      'test/words.test.ts',
      'test/written-out.test.ts',
      'test/parts.test.ts',
      'test/styles.test.ts',
      'test/docs.test.ts',
      'test/errors.test.ts',
      'test/web/strings.test.ts',
    ],
  ],
  ['types', ['node_modules/typescript/bin/tsc', '--incremental', '--tsBuildInfoFile', '.cache/types.tsbuildinfo']],
  ['format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings']],
  ['linear patterns', ['scripts/check-patterns.mjs']],
  ['dependencies', ['scripts/audit.mjs']],
  ['nothing unused', ['node_modules/knip/bin/knip.js', '--cache', '--cache-location', '.cache/knip']],
];
const began = performance.now();
const failed = [];
await Promise.all(steps.map(([name, args]) => run(name, args)));
console.log(
  failed.length === 0
    ? `\nAll checks passed in ${seconds(began)}.`
    : `\nFailed: ${failed.join(', ')}. \`npx biome check --write\` formats, \`npm run generate\` writes generated files.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Shows what a step said once it is done, so that steps do not talk over each other. */
function run(name, args) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    child.on('close', (code) => {
      if (code !== 0) failed.push(name);
      console.log(`— ${name} (${seconds(started)})${output.trim() === '' ? '' : `\n${output.trimEnd()}`}`);
      resolve();
    });
  });
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
