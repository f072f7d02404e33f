// All that a backup of this service consists of, from its settings: for the command and for the schedule.

import { join } from 'node:path';
import { type Backups, startBackups } from '../backup/start-backups.ts';
import type { BackupOptions } from '../backup/write-backup.ts';
import type { Config } from '../config/config.ts';
import { loadGeneratedSecrets, needsGeneratedSecrets } from '../config/generated-secrets.ts';
import { inTurn, openStores } from '../files/store/open-store.ts';
import { packageVersion } from '../package-root.ts';
import { migrations, type ReachedDatabase } from '../reach-database.ts';
import type { Services } from '../services.ts';
import { openBackupPlace } from './backup-places.ts';

export async function backupContents(
  config: Config,
  reached: Pick<ReachedDatabase, 'url' | 'directUrl'>,
  secrets: BackupOptions['secrets'],
): Promise<Omit<BackupOptions, 'out'>> {
  const { directory, extraDirectory = null } = migrations(config, reached);
  return {
    url: reached.directUrl,
    directory,
    extraDirectory,
    files: inTurn(await openStores(config)),
    secrets,
    version: packageVersion(),
  };
}

/** Null where no passphrase is set. */
export function sealedSecrets(config: Config): BackupOptions['secrets'] {
  const { passphrase } = config.backup;
  if (passphrase === null) return null;
  const { jwtSecret, publishableKeys, secretKeys } = config.server;
  const generated = needsGeneratedSecrets(config) ? loadGeneratedSecrets(config.server.dataDir) : null;
  const values = {
    jwtSecret: jwtSecret ?? generated?.jwtSecret,
    publishableKey: publishableKeys[0] ?? generated?.publishableKey,
    secretKey: secretKeys[0] ?? generated?.secretKey,
  };
  return { values, passphrase };
}

/** As the settings say now, and anew whenever these change. */
export async function followBackupSettings(
  services: Pick<Services, 'config' | 'jobs' | 'log' | 'metrics' | 'storedSettings'>,
  reached: Pick<ReachedDatabase, 'url' | 'directUrl'>,
): Promise<{ stop(): Promise<void> }> {
  const { config, log, storedSettings } = services;
  const wanted = (): string => JSON.stringify([config.backup.schedule, config.backup.keep]);
  let running = await startScheduledBackups(services, reached);
  let known = wanted();
  let turning: Promise<void> = Promise.resolve();
  const stopFollowing = storedSettings.onChange(() => {
    turning = turning
      .then(async () => {
        if (wanted() === known) return;
        known = wanted();
        await running?.stop();
        running = null;
        running = await startScheduledBackups(services, reached);
      })
      .catch((error: unknown) => log.error({ err: error }, 'the schedule of backups could not be changed'));
  });
  return {
    async stop() {
      stopFollowing();
      await turning;
      await running?.stop();
    },
  };
}

/** Null where nobody asked for any. */
export async function startScheduledBackups(
  { config, jobs, log, metrics }: Pick<Services, 'config' | 'jobs' | 'log' | 'metrics'>,
  reached: Pick<ReachedDatabase, 'url' | 'directUrl'>,
): Promise<Backups | null> {
  const { schedule, directory, keep, passphrase } = config.backup;
  if (schedule === null) return null;
  if (passphrase === null)
    log.warn('backups are made without the secrets of the service: set BACKUP_PASSPHRASE to have them in');
  return startBackups({
    schedule,
    place: await openBackupPlace(config, directory ?? join(config.server.dataDir, 'backups')),
    keep,
    backup: await backupContents(config, reached, sealedSecrets(config)),
    gauge: metrics.gauge,
    run: jobs.run,
    log,
  });
}
