// `kanbase restore`: fills an empty instance with a backup.

import type { Command } from './command.ts';

export const restore: Command = {
  name: 'restore',
  summary: 'Fill an empty instance with a backup; the service must be stopped.',
  about: [
    'All rows come in one transaction: either all of them are there afterwards, or none. A backup of an older version is brought up to date.',
    'Secrets in it are opened with BACKUP_PASSPHRASE.',
  ].join('\n'),
  argument: { name: 'FILE', meaning: 'What `npx kanbase backup` wrote.' },
  flags: [
    {
      name: 'replace',
      meaning:
        'Also where there is data already. The embedded database is kept beside, under another name; one of your own is emptied.',
    },
    { name: 'without-secrets', meaning: 'Keep the secrets that are here, or have new ones made.' },
  ],
  run: async (call) => (await import('./run-restore.ts')).runRestore(call),
};
