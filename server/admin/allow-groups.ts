// Tells the database who may make groups, at the start and whenever an operator changes it.

import type { Config } from '../config/config.ts';
import { roomRoles } from '../database/room-roles.ts';
import type { Services } from '../services.ts';

/** Returns how to stop. */
export function allowGroups(
  { database, storedSettings, log }: Pick<Services, 'database' | 'storedSettings' | 'log'>,
  config: Config,
): () => void {
  const tell = (): void =>
    void database
      .runAs(roomRoles.admin, {
        text: 'select private.allow_groups($1::boolean)',
        values: [String(config.identity.groupsMadeBy === 'everyone')],
      })
      .catch((error: unknown) => log.warn({ err: error }, 'GROUPS_MADE_BY could not be told to the database'));
  tell();
  return storedSettings.onChange(tell);
}
