// Text of `--help`.

import type { Command } from './command.ts';

interface Listed {
  readonly name: string;
  readonly summary: string;
}

const width = 26;

export function generalHelp(commands: readonly Listed[], clientCommands: readonly Listed[], version: string): string {
  return [
    `kanbase ${version}: project and task management in one process over Postgres`,
    '',
    'Usage: npx kanbase <command> [flags]',
    '',
    'To run an instance',
    ...commands.map((command) => helpEntry(command.name, command.summary)),
    '',
    'To work with one, from any machine',
    ...clientCommands.map((command) => helpEntry(command.name, command.summary)),
    '',
    'Without a command: serve. Every setting is a flag, an environment variable or a line in .env; flags win.',
    '`npx kanbase <command> --help` tells more, `npx kanbase config` lists every setting with its value.',
  ].join('\n');
}

export function commandHelp(command: Command): string {
  const { argument } = command;
  const named = command.words?.map((word) => word.name).join('|');
  const words = argument ? ` ${argument.name}` : named ? ` [${named}]` : '';
  const lines = [`Usage: npx kanbase ${command.name}${words} [flags]`, '', command.summary];
  if (command.about) lines.push('', command.about);
  if (command.words) lines.push('', ...command.words.map((word) => helpEntry(word.name, word.meaning)));
  if (argument) lines.push('', helpEntry(argument.name, argument.meaning));
  lines.push('', 'Flags');
  for (const flag of command.flags ?? [])
    lines.push(helpEntry(`--${flag.name}${flag.value ? ` <${flag.value}>` : ''}`, flag.meaning));
  lines.push(
    helpEntry('--settings-file <path>', 'A file of settings in place of ./.env.'),
    helpEntry('--help', 'This text.'),
  );
  lines.push(
    '',
    'Every setting is a flag too, DATA_DIR as --data-dir: `npx kanbase config` lists them, docs/configuration.md explains them.',
  );
  return lines.join('\n');
}

export function helpEntry(name: string, meaning: string): string {
  return name.length >= width ? `  ${name}\n  ${' '.repeat(width)}${meaning}` : `  ${name.padEnd(width)}${meaning}`;
}
