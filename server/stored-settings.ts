// Settings that operators have changed, from the database into the running configuration: at the start, and on every node as soon as one
// of them is changed.

import type { Logger } from 'pino';
import type { LiveSettings } from './config/live-settings.ts';
import { roomRoles } from './database/room-roles.ts';
import type { Database } from './database/types.ts';
import { seal, unseal } from './session/seal.ts';

export interface StoredSettings extends Pick<LiveSettings, 'placeOf' | 'onChange'> {
  /** For a secret that is to be stored. */
  seal(text: string): string;
  /** Now, instead of when the database tells. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

interface Row {
  readonly name: string;
  readonly value: string | null;
  readonly sealed: string | null;
}

const channel = 'kanbase_settings';

export async function openStoredSettings(
  live: LiveSettings,
  { database, key, log }: { readonly database: Database; readonly key: Buffer; readonly log: Logger },
): Promise<StoredSettings> {
  async function reload(): Promise<void> {
    const rows = await database.objectsAs<Row>(roomRoles.admin, {
      text: 'select name, value, sealed from private.read_server_settings()',
      values: [],
    });
    const stored = new Map<string, string>();
    for (const { name, value, sealed } of rows) {
      const text = sealed === null ? value : unseal(sealed, key);
      if (typeof text === 'string') stored.set(name, text);
      else
        log.warn(
          { setting: name },
          'a stored setting was sealed with another JWT_SECRET: enter it again at the admin page',
        );
    }
    const unreadable = live.apply(stored);
    if (unreadable.length > 0) log.warn({ settings: unreadable }, 'stored settings cannot be read and do not hold');
  }
  const reloadSoon = (): void =>
    void reload().catch((error: unknown) => log.warn({ err: error }, 'stored settings could not be read'));

  // Without them what the environment says holds.
  await reload().catch((error: unknown) => log.warn({ err: error }, 'stored settings could not be read'));
  const unlisten = await database.listen(channel, reloadSoon, reloadSoon).catch((error: unknown) => {
    log.warn({ err: error }, 'changes of settings are not heard of: the database cannot be listened to');
    return async () => undefined;
  });
  return {
    placeOf: live.placeOf,
    onChange: live.onChange,
    seal: (text) => seal(text, key),
    reload,
    close: unlisten,
  };
}
