// Commands that run an instance: finds the one that is meant, reads flags and settings, runs it, returns the exit code.
// 0: done. 1: could not be done, and why. 2: the command line or a setting is wrong, and what is accepted.

import { ConfigError, flagName, readConfig, readEnvFile } from '../config/read-config.ts';
import { packageVersion } from '../package-root.ts';
import { clientNames } from './client/names.ts';
import { type Command, CommandError, inOneLine, UsageError } from './command.ts';
import { commandHelp, generalHelp } from './help-text.ts';
import { commands } from './list.ts';
import { parseArguments, secretsShown } from './parse-arguments.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export async function runCommand(argv: readonly string[], env: Environment): Promise<number> {
  const [first, ...rest] = argv;
  if (first === '--help' || first === '-h' || first === 'help') {
    console.log(await helpOn(rest));
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
      `kanbase: ${JSON.stringify(name)} is not a command: choose ${[...commands.map((one) => one.name), ...clientNames].join(', ')}`,
      2,
    );
  try {
    return await call(command, named ? rest : argv, env);
  } catch (error) {
    if (error instanceof UsageError || error instanceof ConfigError)
      return complain(`kanbase ${command.name}: ${error.message}`, 2);
    if (error instanceof CommandError) return complain(`kanbase ${command.name}: ${error.message}`, 1);
    if (env.LOG_LEVEL === 'debug' || env.LOG_LEVEL === 'trace') console.error(error);
    return complain(`kanbase ${command.name}: ${error instanceof Error ? error.message : String(error)}`, 1);
  }
}

async function helpOn(words: readonly string[]): Promise<string> {
  const about = commands.find((command) => command.name === words[0]);
  if (about !== undefined) return commandHelp(about);
  const { clientCommands, clientHelpOf } = await import('./client/run-client.ts');
  return clientHelpOf(words) ?? generalHelp(commands, clientCommands, packageVersion());
}

async function call(command: Command, argv: readonly string[], env: Environment): Promise<number> {
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
  const { config, sources } = readConfig({ env, envFile, flags: parsed.settings });
  return command.run({
    config,
    sources,
    flags: parsed.flags,
    word: parsed.word,
    say: (line) => void process.stdout.write(`${line}\n`),
  });
}

function complain(line: string, code: number): number {
  process.stderr.write(`${inOneLine(line)}\n`);
  return code;
}
