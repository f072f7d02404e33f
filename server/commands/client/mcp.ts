// `kanbase mcp`: a bridge for agents that start their servers themselves: messages of standard input to the instance, its answers to standard output, a
// message a line, and nothing else there. It ends with its input, by a signal, or when nobody reads its output.

import { randomUUID } from 'node:crypto';
import { type ClientCall, type ClientCommand, one } from './client-command.ts';
import { openBridge } from './mcp-bridge.ts';
import { readLines } from './read-lines.ts';

export const mcp: ClientCommand = {
  name: 'mcp',
  summary: 'Serve the instance to an agent over standard input and output.',
  about: 'For agents that start MCP servers as commands; those that take an address connect to /mcp themselves.',
  flags: [{ name: 'session', value: 'id', meaning: 'Work in this session of an agent.' }],
  examples: ['claude mcp add kanbase -- npx kanbase mcp'],
  run: bridge,
};

const mostCharacters = 4 * 1024 * 1024;
/** For what is under way when the input ends. */
const lastMs = 5000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function bridge(call: ClientCall): Promise<void> {
  const session = one(call, 'session') ?? call.env.KANBASE_SESSION;
  /** What this process asks is one connection. */
  const own = { 'agent-connection': randomUUID(), ...(session === undefined ? {} : { 'agent-session': session }) };
  const opened = openBridge(await call.instance(), own, write, (words) => call.screen.note(`kanbase mcp: ${words}`));
  const input = process.stdin.setEncoding('utf8');
  const stopped = new Promise<void>((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve());
    process.stdout.once('error', () => resolve());
  });
  const ended = (async () => {
    for await (const line of readLines(input, mostCharacters)) if (line?.trim() !== '') await opened.take(line);
  })();
  await Promise.race([ended, stopped]);
  await Promise.race([opened.close(lastMs), stopped.then(() => opened.close(0))]);
  input.destroy();
}

/** Resolves when there is room for more. */
function write(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(`${text}\n`, () => resolve());
  });
}
