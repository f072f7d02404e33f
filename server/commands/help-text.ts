// Text of `--help`.

import { flagName } from '../config/read-config.ts';
import type { Command } from './command.ts';
import { allSettings } from './parse-arguments.ts';

const width = 26;

export function generalHelp(commands: readonly Command[], version: string): string {
  return [
    `kanbase ${version}: project and task management in one process over Postgres`,
    '',
    'Usage: npx kanbase <command> [flags]',
    '',
    ...commands.map((command) => entry(command.name, command.summary)),
    '',
    'Without a command: serve. Every setting is a flag, an environment variable or a line in .env; flags win.',
    '`npx kanbase <command> --help` tells more, `npx kanbase config` lists every setting with its value.',
  ].join('\n');
}

export function commandHelp(command: Command): string {
  const { argument } = command;
  const named = command.words?.map((word) => word.name).join('|');
  const words = argument ? ` ${argument.name}` : named ? ` [${named}]` : '';
  const lines = [`Usage: kanbase ${command.name}${words} [flags]`, '', command.summary];
  if (command.about) lines.push('', command.about);
  if (command.words) lines.push('', ...command.words.map((word) => entry(word.name, word.meaning)));
  if (argument) lines.push('', entry(argument.name, argument.meaning));
  lines.push('', 'Flags');
  for (const flag of command.flags ?? [])
    lines.push(entry(`--${flag.name}${flag.value ? ` <${flag.value}>` : ''}`, flag.meaning));
  lines.push(entry('--settings-file <path>', 'A file of settings in place of ./.env.'), entry('--help', 'This text.'));
  lines.push('', 'Settings (also as environment variables: --data-dir is DATA_DIR)');
  for (const setting of allSettings()) {
    const fallback = setting.fallbackText ?? plain(setting.fallback);
    lines.push(entry(flagName(setting.env), `${setting.meaning}${fallback === '' ? '' : ` [${fallback}]`}`));
  }
  return lines.join('\n');
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join(',') : String(value);
}

function entry(name: string, meaning: string): string {
  return name.length >= width ? `  ${name}\n  ${' '.repeat(width)}${meaning}` : `  ${name.padEnd(width)}${meaning}`;
}
