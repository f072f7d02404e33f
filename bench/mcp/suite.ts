// The official conformance suite, and the Node it wants, in .cache/mcp-conformance.

import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const suite = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', 'node@22.23.3'];
const place = join('.cache', 'mcp-conformance');

export async function installSuite(say: (line: string) => void): Promise<void> {
  if (existsSync(join(place, 'node_modules', '@modelcontextprotocol'))) return;
  say(`installing ${suite.join(' and ')} into ${place}`);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{"private":true}\n');
  const run = promisify(execFile);
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...suite], { cwd: place });
  // Its script does no more than this.
  await run('node', ['installArchSpecificPackage.js'], { cwd: join(place, 'node_modules', 'node') }).catch(
    () => undefined,
  );
}

/** All it printed. `hear`: given that as it grows. */
export async function runSuite(args: readonly string[], hear: (output: string) => void = () => undefined) {
  const main = join('node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  const results = mkdtempSync(join(tmpdir(), 'kanbase-conformance-'));
  try {
    return await new Promise<string>((resolve, reject) => {
      const child = spawn(join('node_modules', 'node', 'bin', 'node'), [main, ...args, '-o', results], { cwd: place });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          hear(output);
        });
      child.on('error', reject);
      child.on('close', () => resolve(output));
    });
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}
