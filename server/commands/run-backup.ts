// Runs `kanbase backup`: writes rows, files and secrets into one file, or verifies an existing one.

import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BackupProblem, type Manifest, rowsIn } from '../backup/manifest.ts';
import { verifyBackup } from '../backup/verify-backup.ts';
import { type BackupOptions, writeBackup } from '../backup/write-backup.ts';
import { openLog } from '../open-log.ts';
import { backupContents, sealedSecrets } from './backup-contents.ts';
import { placeOfBackup } from './backup-places.ts';
import { type Call, CommandError, UsageError } from './command.ts';
import { repairOwnership } from './data-ownership.ts';
import { runDoctor } from './run-doctor.ts';
import { withDatabase } from './with-database.ts';

export async function runBackup(call: Call): Promise<number> {
  const { word, flags } = call;
  if (word === null)
    throw new UsageError('say where to: npx kanbase backup kanbase-monday.zip, or - for standard output');
  try {
    return flags.has('verify') ? await verify(call, word) : await write(call, word);
  } catch (error) {
    throw error instanceof BackupProblem ? new CommandError(error.message, { cause: error }) : error;
  }
}

async function write(call: Call, word: string): Promise<number> {
  const { config, flags } = call;
  const secrets = secretsFor(call);
  const log = openLog(config);
  const manifest = await withDatabase(config, log, async (reached) => {
    const all = await backupContents(config, reached, secrets);
    const options = flags.has('without-files') ? { ...all, files: null } : all;
    if (word === '-') return writeOut(options);
    const { place, name } = await placeOfBackup(config, word);
    return place.write(name, options);
  });
  return report(call, word, manifest);
}

/** Leaving them out is a choice, and has to be made. */
function secretsFor({ config, flags }: Call): BackupOptions['secrets'] {
  if (flags.has('without-secrets')) return null;
  const { passphrase } = config.backup;
  if (passphrase === null)
    throw new UsageError(
      'set BACKUP_PASSPHRASE, which seals the secrets in the backup, or leave them out with --without-secrets',
    );
  return sealedSecrets(config);
}

async function writeOut(options: Omit<BackupOptions, 'out'>): Promise<Manifest> {
  const out = new PassThrough();
  const [manifest] = await Promise.all([
    writeBackup({ ...options, out }),
    pipeline(out, process.stdout, { end: false }),
  ]);
  return manifest;
}

function report({ flags, say }: Call, word: string, manifest: Manifest): number {
  const rows = rowsIn(manifest);
  const bytes = manifest.files.reduce((sum, file) => sum + file.size, 0);
  const { missingFiles, hasSecrets, hasFiles } = manifest;
  const tell = word === '-' ? (line: string) => void process.stderr.write(`${line}\n`) : say;
  if (flags.has('json'))
    tell(JSON.stringify({ rows, files: manifest.files.length, bytes, missingFiles, hasSecrets, hasFiles }));
  else {
    tell(
      `${rows} rows, ${manifest.files.length} files of ${bytes} bytes${hasSecrets ? ', secrets sealed' : '; without secrets'}.`,
    );
    for (const version of missingFiles) tell(`Missing: the bytes of ${version}, whose row is there.`);
  }
  return missingFiles.length === 0 ? 0 : 1;
}

async function verify(call: Call, word: string): Promise<number> {
  const { place, name } = await placeOfBackup(call.config, word);
  const { path, done } = await place.open(name);
  try {
    return await verifyFile(call, path, word);
  } finally {
    done();
  }
}

async function verifyFile({ config, say }: Call, path: string, word: string): Promise<number> {
  const log = openLog(config);
  const { rows, files } = await verifyBackup(path, log, async (dataDir) => {
    const scratch = {
      ...config,
      server: { ...config.server, dataDir },
      database: { ...config.database, url: null, directUrl: null },
      backup: { ...config.backup, schedule: null },
      files: { ...config.files, s3Bucket: null, directory: null },
    };
    repairOwnership(scratch);
    const lines: string[] = [];
    const code = await runDoctor({
      config: scratch,
      sources: new Map(),
      flags: new Map(),
      word: null,
      say: (line) => void lines.push(line),
    });
    return code === 0 ? null : lines.filter((line) => /BAD|→/.test(line)).join(' ');
  });
  say(`${word} can be restored: ${rows} rows and ${files} files are as they were, and doctor finds nothing wrong.`);
  return 0;
}
