// `kanbase keys`: the API keys of this service.

import { loadGeneratedSecrets, needsGeneratedSecrets } from '../config/generated-secrets.ts';
import { openLog } from '../open-log.ts';
import { generateKeySet } from '../session/generate-key-set.ts';
import { openConfiguredSessions } from '../session/open-configured-sessions.ts';
import type { Call, Command } from './command.ts';
import { becomeOwner } from './data-ownership.ts';

export const keys: Command = {
  name: 'keys',
  summary: 'Print the API keys: anon and publishable for clients, service and secret for servers only.',
  flags: [
    { name: 'json', meaning: 'As JSON.' },
    {
      name: 'generate',
      meaning: 'Print a new ES256 key set for JWT_KEYS, with the keys in use behind the new one (rotation).',
    },
  ],
  run: runKeys,
};

async function runKeys({ config, flags, say }: Call): Promise<number> {
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
