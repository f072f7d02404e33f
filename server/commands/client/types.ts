// `kanbase types`: the `Database` type for `createClient<Database>()`, as this build has it or as an instance says.

import { writeFileSync } from 'node:fs';
import { CommandError, UsageError } from '../command.ts';
import { type ClientCall, type ClientCommand, one } from './client-command.ts';
import { fetchText, requireAddress } from './send-request.ts';
import { cleanText } from './write-output.ts';

const path = '/docs/database.ts';

export const types: ClientCommand = {
  name: 'types',
  summary: 'Write the Database type for createClient<Database>() of supabase-js.',
  about:
    'Rows, inserts, updates, relationships for embedded reads, procedures and enums, as TypeScript. Without --instance: those of this version. No sign-in is needed.',
  flags: [{ name: 'output', short: 'o', value: 'file', meaning: 'Write to this file in place of standard output.' }],
  examples: [
    'npx kanbase types -o database.ts',
    'npx kanbase types --instance https://board.example.com > database.ts',
  ],
  run: writeTypes,
};

async function writeTypes(call: ClientCall): Promise<void> {
  if (call.flags.has('json')) throw new UsageError('types are TypeScript: leave --json out');
  const named = one(call, 'instance');
  const text = named === null ? (await import('../../docs/database-types.ts')).databaseTypes() : await typesOf(named);
  const file = one(call, 'output');
  if (file === null) return call.screen.say(text.trimEnd());
  writeFileSync(file, text);
  call.screen.note(`Wrote ${file}`);
}

async function typesOf(named: string): Promise<string> {
  const address = requireAddress(named, '--instance');
  const { response, text } = await fetchText(address, path);
  if (response.status === 200 && /^export type Database = \{$/m.test(text)) return cleanText(text);
  throw new CommandError(
    `${address} has no types at ${path}: it is no Kanbase, or an older one. Without --instance they come from this version`,
  );
}
