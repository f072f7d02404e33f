#!/usr/bin/env node
// The `kanbase` command. Commands that work with a running instance load nothing of the server, so that they start at once.

import { clientNames } from './commands/client/names.ts';

async function main(argv: readonly string[]): Promise<number> {
  if (clientNames.includes(argv[0] ?? ''))
    return (await import('./commands/client/run-client.ts')).runClient(argv, process.env);
  return (await import('./commands/run-command.ts')).runCommand(argv, process.env);
}

// A reader that goes away (`kanbase config | head`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await main(process.argv.slice(2));

// What is done is done: a connection or a timer that nobody closed holds the process no longer, once all that was printed is out.
setTimeout(() => process.stdout.write('', () => process.stderr.write('', () => process.exit())), 1000).unref();
