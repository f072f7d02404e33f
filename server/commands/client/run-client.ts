// Runs a client command and returns its exit code. 0: done. 1: could not be done. 2: the command line is wrong. 4: nobody is signed in.

import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { SignInError, UsageError } from '../command.ts';
import type { ClientCall, ClientCommand } from './client-command.ts';
import { clientHelp, groupHelp } from './client-help.ts';
import { clientCommands } from './client-list.ts';
import { type Instance, openInstance } from './instance.ts';
import { readWords } from './read-words.ts';
import type { Environment } from './sign-ins.ts';
import { cleanLine, cleanText, openScreen } from './write-output.ts';

export async function runClient(argv: readonly string[], env: Environment): Promise<number> {
  const screen = openScreen(process.stdout, process.stderr, env);
  const [first = '', second] = argv;
  const group = clientCommands.filter(({ name }) => name.startsWith(`${first} `));
  const command = clientCommands.find(({ name }) => name === (group.length > 0 ? `${first} ${second}` : first));
  const name = command?.name ?? first;
  try {
    if (command !== undefined) return await call(command, argv.slice(group.length > 0 ? 2 : 1), env, screen);
    if (second === undefined || second === '--help' || second === '-h') {
      screen.say(groupHelp(first, group));
      return 0;
    }
    const known = group.map((one) => one.name.slice(first.length + 1)).join(', ');
    throw new UsageError(`${JSON.stringify(second)} is not known to ${first}: choose ${known}`);
  } catch (error) {
    if (env.LOG_LEVEL === 'debug') screen.note(cleanText(inspect(error)));
    const words = error instanceof Error ? error.message : String(error);
    screen.note(`kanbase ${name}: ${cleanLine(words)}`);
    return error instanceof UsageError ? 2 : error instanceof SignInError ? 4 : 1;
  }
}

async function call(
  command: ClientCommand,
  argv: readonly string[],
  env: Environment,
  screen: ClientCall['screen'],
): Promise<number> {
  const { words, flags } = readWords(command, argv);
  if (flags.has('help')) {
    screen.say(clientHelp(command));
    return 0;
  }
  let opened: Promise<Instance> | null = null;
  await command.run({
    words,
    flags,
    env,
    screen,
    commands: clientCommands,
    instance: () => (opened ??= openInstance(env, flags.get('instance')?.at(-1) ?? null)),
    async input() {
      if (process.stdin.isTTY) throw new UsageError('the text is missing: write it behind, or pipe it in');
      return text(process.stdin);
    },
  });
  return 0;
}

export { clientCommands };

export function clientHelpOf(words: readonly string[]): string | null {
  const [first = '', second] = words;
  const group = clientCommands.filter(({ name }) => name.startsWith(`${first} `));
  const command = clientCommands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (command !== undefined) return clientHelp(command);
  return group.length > 0 ? groupHelp(first, group) : null;
}
