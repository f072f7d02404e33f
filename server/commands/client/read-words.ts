// Words after the name of a client command → words and flags. What cannot be read is named, with what is accepted.

import { UsageError } from '../command.ts';
import type { ClientCommand, ClientFlag } from './client-command.ts';

export const commonFlags: readonly ClientFlag[] = [
  { name: 'json', meaning: 'The result as JSON.' },
  { name: 'instance', value: 'url', meaning: 'Another instance than the one signed in to last.' },
  { name: 'help', short: 'h', meaning: 'This text.' },
];

export interface ReadWords {
  readonly words: readonly string[];
  readonly flags: ReadonlyMap<string, readonly string[]>;
}

export function flagsOf(command: ClientCommand): readonly ClientFlag[] {
  return [...(command.flags ?? []), ...commonFlags];
}

export function readWords(command: ClientCommand, argv: readonly string[]): ReadWords {
  const known = flagsOf(command);
  const words: string[] = [];
  const flags = new Map<string, string[]>();
  const rest = [...argv];
  for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
    if (next === '--') {
      words.push(...rest.splice(0));
      break;
    }
    if (!next.startsWith('-') || next === '-') {
      words.push(next);
      continue;
    }
    const [name = '', ...inline] = next.split('=');
    const flag = known.find((one) => name === `--${one.name}` || (one.short !== undefined && name === `-${one.short}`));
    if (flag === undefined) {
      const accepted = `${name} is not a flag of ${command.name}. Accepted: ${known.map(shown).join(', ')}`;
      const takesText = command.words?.at(-1)?.takesRest === true;
      throw new UsageError(
        takesText
          ? `${accepted}. Put -- before text that begins with -: npx kanbase ${usage(command, ' -- ')}`
          : accepted,
      );
    }
    const attached = next.includes('=') ? inline.join('=') : null;
    if (flag.value === undefined && attached !== null) throw new UsageError(`${name} takes no value`);
    const value = flag.value === undefined ? '' : (attached ?? rest.shift());
    if (value === undefined || (attached === null && value.startsWith('--')))
      throw new UsageError(`${name} needs a value: ${flag.value}`);
    const before = flags.get(flag.name) ?? [];
    if (before.length > 0 && flag.several !== true && flag.value !== undefined)
      throw new UsageError(`${name} can be given once`);
    flags.set(flag.name, [...before, value]);
  }
  return { words: flags.has('help') ? words : fitWords(command, words), flags };
}

function fitWords(command: ClientCommand, words: readonly string[]): readonly string[] {
  const wanted = command.words ?? [];
  const missing = wanted.find((one, at) => one.isOptional !== true && words[at] === undefined);
  if (missing !== undefined)
    throw new UsageError(
      `${missing.name} is missing: npx kanbase ${usage(command)}. See npx kanbase ${command.name} --help`,
    );
  const last = wanted.at(-1);
  if (last?.takesRest === true && words.length > wanted.length)
    return [...words.slice(0, wanted.length - 1), words.slice(wanted.length - 1).join(' ')];
  const excess = words[wanted.length];
  if (excess !== undefined)
    throw new UsageError(`${JSON.stringify(excess)} is one word too many: npx kanbase ${usage(command)}`);
  return words;
}

export function usage(command: ClientCommand, beforeLast = ' '): string {
  const words = (command.words ?? []).map((one) => (one.isOptional ? `[${one.name}]` : one.name));
  const last = words.pop();
  return [command.name, ...words].join(' ') + (last === undefined ? '' : beforeLast + last);
}

export const shown = (flag: ClientFlag): string => `--${flag.name}`;
