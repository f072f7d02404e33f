// `kanbase backup`: all of the service in one file, while it runs; and the proof that such a file can be restored.

import type { Command } from './command.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Write everything into one file while the service runs: rows of one moment, files, secrets sealed.',
  about: [
    'The file has the rows as they were in one moment, the files that belong to them, and the migrations that made the tables, each with its checksum.',
    'Secrets (DATA_DIR/secrets.json) go into it under BACKUP_PASSPHRASE, or are left out with --without-secrets: without them everybody signs in again, and second factors and push keys are lost.',
    'Passwords of accounts are in it as hashes. Keep it where only you can read it.',
  ].join('\n'),
  argument: {
    name: 'FILE|-',
    meaning: 'Where to write it, or what to verify: a path, s3://bucket/name, or - for standard output.',
  },
  flags: [
    {
      name: 'verify',
      meaning: 'Restore the file into a database of its own for a moment, compare every row and file, and run doctor.',
    },
    { name: 'without-secrets', meaning: 'Leave the secrets out.' },
    { name: 'without-files', meaning: 'Leave the bytes of uploaded files out.' },
    { name: 'json', meaning: 'Say what was done as JSON.' },
  ],
  run: async (call) => (await import('./run-backup.ts')).runBackup(call),
};
