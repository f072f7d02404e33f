// Names of all commands: every name that web/commands gives a mutation. Tests of all commands use it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const directory = join(import.meta.dirname, '../../web/commands');

export function commandNames(): string[] {
  return readdirSync(directory)
    .flatMap((file) =>
      [
        ...readFileSync(join(directory, file), 'utf8').matchAll(
          /^export function (\w+)\((?:(?!\n\})[\s\S])*?\): Mutation \{/gm,
        ),
      ].map(([, name = '']) => name),
    )
    .sort();
}

/** `'moveTask, to done'` is a case of moveTask. */
export function commandsOf(cases: object): string[] {
  return [...new Set(Object.keys(cases).map((name) => name.split(',')[0] ?? ''))].sort();
}
