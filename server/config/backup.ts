// Backups: where they go, how often, how many stay, and what seals the secrets in them.

import { Cron } from 'croner';
import { optionalText, type Setting, whole } from './setting.ts';

export const backupSettings = {
  passphrase: optionalText('BACKUP_PASSPHRASE', {
    meaning: 'Encrypts the service’s secrets in backups. Keep it elsewhere.',
    secret: true,
  }),
  schedule: {
    ...optionalText('BACKUP_SCHEDULE', {
      meaning: 'When the service backs itself up, as a cron pattern in UTC: 0 3 * * * is every night at three.',
      fallbackText: 'no scheduled backups',
    }),
    read: cronPattern,
  } as Setting<string | null>,
  directory: optionalText('BACKUP_DIR', {
    meaning:
      'Directory for those backups, preferably on another disk; or s3://bucket/folder at the service of STORAGE_S3_ENDPOINT.',
    fallbackText: 'backups in DATA_DIR',
  }),
  keep: whole(
    'BACKUP_KEEP',
    { min: 1, max: 10_000 },
    { meaning: 'How many of those backups are kept; the oldest are deleted first.', fallback: 14 },
  ),
} as const;

function cronPattern(text: string): string | null {
  if (text === '') return null;
  try {
    new Cron(text, { paused: true }).stop();
  } catch {
    throw new Error('a cron pattern of five fields, such as 0 3 * * *');
  }
  return text;
}
