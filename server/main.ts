#!/usr/bin/env node
// The `kanbase` command: finds the command that is meant, reads flags and settings, runs it, sets the exit code.
// 0: done. 1: could not be done, and why. 2: the command line or a setting is wrong, and what is accepted.

import { type Command, CommandError, UsageError } from './commands/command.ts';
import { commandHelp, generalHelp } from './commands/help-text.ts';
import { commands } from './commands/list.ts';
import { parseArguments, secretsShown } from './commands/parse-arguments.ts';
import { ConfigError, flagName, readConfig, readEnvFile } from './config/read-config.ts';
import { packageVersion } from './package-root.ts';

async function main(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === '--help' || first === '-h' || first === 'help') {
    const about = commands.find((command) => command.name === rest[0]);
    console.log(about ? commandHelp(about) : generalHelp(commands, packageVersion()));
    return 0;
  }
  if (first === '--version' || first === '-v') {
    console.log(packageVersion());
    return 0;
  }
  const named = first !== undefined && !first.startsWith('-');
  const name = named ? first : 'serve';
  const command = commands.find((one) => one.name === name);
  if (command === undefined)
    return complain(
      `kanbase: ${JSON.stringify(name)} is not a command: choose ${commands.map((one) => one.name).join(', ')}`,
      2,
    );
  try {
    return await call(command, named ? rest : argv);
  } catch (error) {
    if (error instanceof UsageError || error instanceof ConfigError)
      return complain(`kanbase ${command.name}: ${error.message}`, 2);
    if (error instanceof CommandError) return complain(`kanbase ${command.name}: ${error.message}`, 1);
    if (process.env.LOG_LEVEL === 'debug' || process.env.LOG_LEVEL === 'trace') console.error(error);
    return complain(`kanbase ${command.name}: ${error instanceof Error ? error.message : String(error)}`, 1);
  }
}

async function call(command: Command, argv: readonly string[]): Promise<number> {
  const parsed = parseArguments(command, argv);
  if (parsed.help) {
    console.log(commandHelp(command));
    return 0;
  }
  const envFile = readEnvFile(parsed.envFile ?? '.env');
  if (parsed.envFile !== null && envFile === null)
    throw new UsageError(`--settings-file ${parsed.envFile} does not exist`);
  for (const name of secretsShown(parsed))
    process.stderr.write(
      `kanbase ${command.name}: ${flagName(name)} is a secret, and everybody on this machine can read command lines: set ${name}, or put it into a file and name that with ${name}_FILE or ${flagName(name)}-file\n`,
    );
  const { config, sources } = readConfig({ env: process.env, envFile, flags: parsed.settings });
  return command.run({
    config,
    sources,
    flags: parsed.flags,
    word: parsed.word,
    say: (line) => void process.stdout.write(`${line}\n`),
  });
}

function complain(line: string, code: number): number {
  process.stderr.write(`${line.replaceAll(/\s*\n\s*/g, ' ')}\n`);
  return code;
}

// A reader that goes away (`kanbase config | head`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await main(process.argv.slice(2));

// What is done is done: a connection or a timer that nobody closed holds the process no longer, once all that was printed is out.
setTimeout(() => process.stdout.write('', () => process.stderr.write('', () => process.exit())), 1000).unref();
