// The systemd unit of the self-hosting guide: systemd accepts it, and it is as closed as the guide says.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { haveProgram } from '../../scripts/apt.mjs';
import { guideBlock } from '../helpers/guide-block.ts';
import { scratch } from '../helpers/kanbase.ts';

const place = scratch('systemd');
afterAll(() => place.remove());

const unit = guideBlock('run/self-hosting', 'ini', '[Service]');

test('systemd takes the unit, which builds before it starts and is rated as the guide says', () => {
  expect(haveProgram('systemd')).toBe(true);
  const file = join(place.path, 'kanbase.service');
  // Where this machine has its Node; a unit names programs by full path.
  writeFileSync(file, existsSync('/usr/bin/node') ? unit : unit.replaceAll('/usr/bin/node', process.execPath));
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  // Other units of this machine may have their faults; ours has none.
  expect(`${verified.stdout}${verified.stderr}`).not.toContain('kanbase.service');
  expect(verified.status, verified.stderr).toBe(0);

  const rated = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], { encoding: 'utf8' });
  const [, score = ''] = /Overall exposure level for kanbase\.service: ([\d.]+) /.exec(rated.stdout) ?? [];
  expect(Number(score), rated.stderr).toBeLessThan(2);
  const stated = /exposure of this unit\s+([\d.]+)/.exec(readFileSync('docs/run/self-hosting.md', 'utf8'))?.[1];
  expect(stated).toBe(score);

  const steps = unit.split('\n').filter((line) => line.startsWith('ExecStart'));
  expect(steps[0]).toMatch(/^ExecStartPre=\+\/bin\/sh -c 'umask \d+; exec \S+ \S+\/scripts\/build\.mjs'$/);
  expect(steps[1]).toMatch(/^ExecStart=.* serve$/);
});

test('the service can read what is built for it, and nobody can read what it writes', () => {
  const [, mask = ''] = /^UMask=(\d+)$/m.exec(unit) ?? [];
  const [, build = ''] = /sh -c '(.*)'$/m.exec(unit) ?? [];
  const modeUnder = (command: string, name: string): number => {
    const file = join(place.path, name);
    // systemd sets the mask of the unit for every step.
    const words = `umask ${mask}; ${command.replace(/exec .*$/, '')} : > '${file}'`;
    expect(spawnSync('/bin/sh', ['-c', words]).status).toBe(0);
    return statSync(file).mode & 0o777;
  };
  expect(modeUnder(build, 'built')).toBe(0o644);
  expect(modeUnder('', 'written')).toBe(0o600);
});
