// Sessions as the settings have them, with kept secrets where the operator set none.

import type { Config } from '../config/config.ts';
import { loadGeneratedSecrets, needsGeneratedSecrets } from '../config/generated-secrets.ts';
import { openSessions } from './open-sessions.ts';
import { readKeySet } from './read-key-set.ts';
import type { Sessions } from './types.ts';

export async function openConfiguredSessions(config: Config): Promise<Sessions> {
  const { server } = config;
  const generated = needsGeneratedSecrets(config) ? loadGeneratedSecrets(server.dataDir) : null;
  return openSessions({
    jwtSecret: server.jwtSecret ?? generated?.jwtSecret ?? '',
    keySet: server.jwtKeys === null ? null : await readKeySet(server.jwtKeys),
    anonKey: server.anonKey,
    serviceRoleKey: server.serviceRoleKey,
    publishableKeys:
      server.publishableKeys.length > 0 ? server.publishableKeys : generated ? [generated.publishableKey] : [],
    audience: server.jwtAudience,
    secretKeys: server.secretKeys.length > 0 ? server.secretKeys : generated ? [generated.secretKey] : [],
  });
}
