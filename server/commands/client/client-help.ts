// Text of `--help` of client commands.

import { helpEntry } from '../help-text.ts';
import type { ClientCommand } from './client-command.ts';
import { flagsOf, usage } from './read-words.ts';

export function clientHelp(command: ClientCommand): string {
  const lines = [`Usage: npx kanbase ${usage(command)} [flags]`, '', command.summary];
  if (command.about) lines.push('', command.about);
  const words = command.words ?? [];
  if (words.length > 0) lines.push('', ...words.map(({ name, meaning }) => helpEntry(name, meaning)));
  lines.push('', 'Flags');
  for (const { name, short, value, meaning } of flagsOf(command))
    lines.push(helpEntry(`${short === undefined ? '' : `-${short}, `}--${name}${value ? ` <${value}>` : ''}`, meaning));
  if (command.examples) lines.push('', 'Examples', ...command.examples.map((example) => `  ${example}`));
  return lines.join('\n');
}

/** Of `kanbase task`: what can follow. */
export function groupHelp(name: string, commands: readonly ClientCommand[]): string {
  return [
    `Usage: npx kanbase ${name} <command> [flags]`,
    '',
    ...commands.map((command) => helpEntry(usage(command), command.summary)),
    '',
    `\`npx kanbase ${name} <command> --help\` tells more.`,
  ].join('\n');
}
