// Every check in turn, for the admin pages; the command beside it also copes with a database that is not there (commands/run-doctor.ts).

import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { ReachedDatabase } from '../reach-database.ts';
import { checkDatabase } from './check-database.ts';
import { checkMachine } from './check-machine.ts';
import { checkSettings } from './check-settings.ts';
import type { Finding } from './finding.ts';

export async function examine(
  config: Config,
  addresses: Pick<ReachedDatabase, 'url' | 'directUrl'>,
  log: Logger,
): Promise<readonly Finding[]> {
  const reached = { ...addresses, embedded: config.database.url === null, stop: async () => undefined };
  // The service itself asks: it has left root, or has stayed it where it had to.
  return [
    ...(await checkMachine(config, null)),
    ...checkSettings(config),
    ...(await checkDatabase(config, reached, log)),
  ];
}
