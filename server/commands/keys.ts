// `kanbase keys`: the API keys of this service. `kanbase keys rotate`: a new key for ID tokens.

import pg from 'pg';
import type { Config } from '../config/config.ts';
import { loadGeneratedSecrets, needsGeneratedSecrets } from '../config/generated-secrets.ts';
import { connectionOptions } from '../database/connection-options.ts';
import { type Fragment, statement } from '../database/sql.ts';
import { makeSigningKey } from '../identity/oauth/signing-keys.ts';
import { openLog } from '../open-log.ts';
import { generateKeySet } from '../session/generate-key-set.ts';
import { openConfiguredSessions } from '../session/open-configured-sessions.ts';
import { type Call, type Command, UsageError } from './command.ts';
import { becomeOwner } from './data-ownership.ts';
import { withDatabase } from './with-database.ts';

export const keys: Command = {
  name: 'keys',
  summary: 'Print the API keys: anon and publishable for clients, service and secret for servers only.',
  argument: {
    name: 'rotate',
    meaning: 'Makes a new ES256 key for ID tokens; those before it stay published for a month.',
  },
  flags: [
    { name: 'json', meaning: 'As JSON.' },
    {
      name: 'generate',
      meaning: 'Print a new ES256 key set for JWT_KEYS, with the keys in use behind the new one (rotation).',
    },
  ],
  run: runKeys,
};

async function runKeys({ config, word, flags, say }: Call): Promise<number> {
  if (word !== null) return rotate(config, word, say);
  if (flags.has('generate')) {
    say(JSON.stringify(await generateKeySet(config.server.jwtKeys)));
    return 0;
  }
  // Secrets that are not there yet are made here.
  const giveBack = becomeOwner(config, openLog(config));
  const sessions = await openConfiguredSessions(config);
  const { server } = config;
  const generated = needsGeneratedSecrets(config) ? loadGeneratedSecrets(server.dataDir) : null;
  giveBack();
  const found = {
    anon: sessions.anonKey,
    service_role: sessions.serviceRoleKey,
    publishable: server.publishableKeys[0] ?? generated?.publishableKey ?? null,
    secret: server.secretKeys[0] ?? generated?.secretKey ?? null,
  };
  if (flags.has('json')) say(JSON.stringify(found, null, 2));
  else
    say(
      [
        'For clients (they may be seen by anyone):',
        `  anon          ${found.anon}`,
        `  publishable   ${found.publishable}`,
        '',
        'For servers only (they pass every policy; never put them into a page or an app):',
        `  service_role  ${found.service_role}`,
        `  secret        ${found.secret}`,
      ].join('\n'),
    );
  return 0;
}

async function rotate(config: Config, word: string, say: (line: string) => void): Promise<number> {
  if (word !== 'rotate') throw new UsageError('npx kanbase keys, or npx kanbase keys rotate');
  const sessions = await openConfiguredSessions(config);
  return withDatabase(config, openLog(config), async ({ directUrl }) => {
    const client = new pg.Client(connectionOptions(directUrl));
    await client.connect();
    try {
      const { kid } = await makeSigningKey({
        keys: { seal: sessions.deriveKey('sealed values') },
        async query<T>(fragment: Fragment) {
          const { text, values } = statement(fragment);
          return (await client.query(text, [...values])).rows as T[];
        },
      });
      say(`ID tokens are signed with ${kid} from now on.`);
      return 0;
    } finally {
      await client.end();
    }
  });
}
