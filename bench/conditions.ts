// The line of a page that says when, on what and with which versions its figures were taken: every page has it from here.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { findBinaries } from '../server/database/embedded/find-binaries.ts';

type Tool = 'wrk' | 'pgbench' | 'nginx' | 'curl' | 'Chromium';

/** How each is asked, and which word of its answer counts. */
const tools: Readonly<Record<Tool, readonly [command: string, argument: string]>> = {
  wrk: ['wrk', '-v'],
  pgbench: ['pgbench', '--version'],
  nginx: ['/usr/sbin/nginx', '-v'],
  curl: ['curl', '--version'],
  Chromium: [process.env.KANBASE_BROWSER ?? 'chromium', '--version'],
};

export function conditions(...used: readonly Tool[]): string {
  const [load = 0] = loadavg();
  const versions = [
    ...machine(),
    `embedded PostgreSQL ${postgres()}`,
    ...used.map((tool) => `${tool} ${versionOf(...tools[tool])}`),
  ];
  return `${versions.join(', ')}, load ${load.toFixed(1)} at the end`;
}

/** Of a run that is not about the embedded Postgres. */
export function machine(): string[] {
  return [
    new Date().toISOString().slice(0, 10),
    `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
    `Node ${process.versions.node}`,
    `Kanbase ${ownVersion()}`,
  ];
}

/** With the commit, where there is one, and whether anything but pages stood beside it that was not committed. */
function ownVersion(): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const git = (...words: string[]) => spawnSync('git', words, { encoding: 'utf8' });
  const commit = git('rev-parse', '--short', 'HEAD').stdout?.trim() ?? '';
  if (commit === '') return version;
  return `${version} ${commit}${git('diff', '--quiet', 'HEAD', '--', ':!docs').status === 0 ? '' : ' and changes'}`;
}

/** What the server that was started says of itself. */
function postgres(): string {
  return versionOf(findBinaries({ servant: null, ownDirectory: tmpdir() }).postgres, '--version');
}

/** Some answer on standard error, and some end with 1. */
function versionOf(command: string, argument: string): string {
  const { stdout = '', stderr = '' } = spawnSync(command, [argument], { encoding: 'utf8' });
  return /\d+(\.\d+)+/.exec(`${stdout}${stderr}`)?.[0] ?? 'of an unknown version';
}
