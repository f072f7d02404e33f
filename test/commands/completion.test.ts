// `kanbase completion`, tried in bash as it is sourced there; and what client commands read to start.

import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { buildServerAside } from '../../scripts/build.mjs';
import { clientCommands } from '../../server/commands/client/client-list.ts';
import { clientNames } from '../../server/commands/client/names.ts';
import { commands } from '../../server/commands/list.ts';
import { runKanbase } from '../helpers/kanbase.ts';

test.each([
  ['ta', 'task'],
  ['task ', 'list next keep release show new comment move done'],
  ['task sh', 'show'],
  ['task list --mi', '--mine'],
  [
    'task list --',
    '--project --mine --assignee --column --label --priority --search --all --limit --json --instance --help',
  ],
  ['backup --ver', '--verify'],
  ['backup file --ver', '--verify'],
  ['completion ', 'bash zsh fish'],
  ['completion -', '--json --instance --help'],
  ['task show ', '--project --json --instance --help'],
  // The value of a flag is no command, and is none of the flags.
  ['task list --column done --mi', '--mine'],
  ['task list --column ', ''],
  ['help ta', 'task'],
  // Left to the names of files.
  ['import ', ''],
])('in bash, %j offers %j', async (typed, offered) => {
  const { code, stdout } = await runKanbase(['completion', 'bash']);
  expect(code).toBe(0);
  const words = ['kanbase', ...typed.split(' ')];
  const script = `${stdout}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_kanbase kanbase '${words.at(-1)}' '${words.at(-2)}'; echo "\${COMPREPLY[*]}"`;
  const { stdout: replied, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(replied.trim()).toBe(offered);
});

test.each(['zsh', 'fish'])('the script for %s names every command and flag', async (shell) => {
  const { stdout } = await runKanbase(['completion', shell]);
  for (const { name } of commands) expect(stdout).toContain(name);
  for (const { name, flags } of clientCommands) {
    for (const word of name.split(' ')) expect(stdout).toContain(word);
    for (const flag of flags ?? []) expect(stdout).toContain(shell === 'fish' ? `-l ${flag.name}` : `'--${flag.name}:`);
  }
  // A client command takes no files; behind these flags stands a value, and no other flag.
  expect(stdout).toContain(
    shell === 'fish'
      ? "complete -c kanbase -n '__kanbase_in task move' -f\ncomplete -c kanbase -n '__kanbase_in task move' -l project -s p -x"
      : 'values=(--project -p --instance) ;;',
  );
});

test('first words of client commands are those by which they are found', () => {
  expect([...new Set(clientCommands.map(({ name }) => name.split(' ')[0]))]).toEqual(clientNames);
});

test.each(clientCommands.map(({ name }) => [name]))('%s --help tells words, flags and examples', async (name) => {
  const { code, stdout, stderr } = await runKanbase([...name.split(' '), '--help']);
  expect([code, stderr]).toEqual([0, '']);
  const command = clientCommands.find((one) => one.name === name);
  expect(stdout).toContain(`Usage: npx kanbase ${name}`);
  for (const flag of command?.flags ?? []) expect(stdout).toContain(`--${flag.name}`);
  for (const example of command?.examples ?? []) expect(stdout).toContain(example);
  expect((await runKanbase(['help', ...name.split(' ')])).stdout).toBe(stdout);
});

/** Files of the build that a start reads, from this one on. */
function startFiles(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, from = ''] of text.matchAll(/^(?:import|export) [^;]*?(?:from )?"(\.[^"]+)";$/gm))
    startFiles(join(dirname(file), from), found);
  return found;
}

test('a client command reads its own kilobytes and nothing of the server', async () => {
  const main = await buildServerAside();
  const text = readFileSync(main, 'utf8');
  const [, chunk = ''] = /import\("(\.\/parts\/run-client-[^"]+)"\)/.exec(text) ?? [];
  const files = [...startFiles(join(dirname(main), chunk), startFiles(main))];
  const size = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(files.length).toBeGreaterThan(1);
  expect(size).toBeLessThan(100_000);
  const packages = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/ from "([^".][^"]*)";$/gm)].map(([, name = '']) => name),
  );
  expect(packages.filter((name) => !name.startsWith('node:'))).toEqual([]);
});
