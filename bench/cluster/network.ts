// Simulated machines: network namespaces on one bridge, inside a namespace that the system removes with all processes in it.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const network = '10.77.0.0/24';
export const front = '10.77.0.254';
export const numbers = [1, 2, 3] as const;

export const addressOf = (number: number): string => `10.77.0.${number}`;
export const spaceOf = (number: number): string => `machine${number}`;

const inside = 'KANBASE_CLUSTER_INSIDE';

/** Where the machines have their disks. */
export const directory = process.env[inside] ?? '';

/** Runs this program once more where it may make networks and where nothing of it is left behind; null: we are there already. */
export function goInside(): number | null {
  if (process.env[inside] !== undefined) return null;
  const made = mkdtempSync(join(tmpdir(), 'kanbase-cluster-'));
  chmodSync(made, 0o755);
  const own = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  // The first process of its own is a shell, which buries the dead: a Postgres that was killed would stay in the table of processes, and its
  // Patroni would take it to be alive.
  const first = ['bash', '-c', '"$@" & wait $!', 'bash'];
  const self = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const done = spawnSync('unshare', [...own, ...first, ...self], {
    stdio: 'inherit',
    env: { ...process.env, [inside]: made },
  });
  // Whatever ran in there has ended with it. After a failure its logs are worth reading.
  if (done.status === 0) rmSync(made, { recursive: true, force: true, maxRetries: 5 });
  else console.error(`The logs are in ${made}`);
  return done.status ?? 1;
}

const run = (command: string, ...args: string[]): void => void execFileSync(command, args, { stdio: 'pipe' });
const ip = (...args: string[]): void => run('ip', ...args);

export function makeNetwork(): void {
  mkdirSync('/run/netns', { recursive: true });
  run('mount', '-t', 'tmpfs', 'tmpfs', '/run/netns');
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'bridge0', 'type', 'bridge');
  ip('address', 'add', `${front}/24`, 'dev', 'bridge0');
  ip('link', 'set', 'bridge0', 'up');
  for (const number of numbers) {
    const [space, outer, inner] = [spaceOf(number), `to-${number}`, 'net0'];
    ip('netns', 'add', space);
    ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', space);
    ip('link', 'set', outer, 'master', 'bridge0', 'up');
    ip('-n', space, 'link', 'set', 'lo', 'up');
    ip('-n', space, 'link', 'set', inner, 'up');
    ip('-n', space, 'address', 'add', `${addressOf(number)}/24`, 'dev', inner);
  }
}

/** Packets between the two are swallowed without a word, both ways, as a broken switch does it. */
export function cut(one: number, other: number): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const)
    ip('-n', spaceOf(from), 'route', 'add', 'blackhole', addressOf(to));
}

export function mend(one: number, other: number): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const)
    ip('-n', spaceOf(from), 'route', 'del', 'blackhole', addressOf(to));
}

/** Nobody reaches the machine, nor it anybody. */
export function unplug(number: number): void {
  ip('link', 'set', `to-${number}`, 'down');
}

export function plugIn(number: number): void {
  ip('link', 'set', `to-${number}`, 'up');
}
