// Runs `kanbase restore`: clears the database where that is allowed, then restores files, rows and secrets.

import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkEntries, checkTablesAside, checkVersion } from '../backup/check-archive.ts';
import { clearDatabase, isUsed } from '../backup/clear-database.ts';
import { BackupProblem, rowsIn, secretsName } from '../backup/manifest.ts';
import { type Archive, openArchive } from '../backup/open-archive.ts';
import { restoreFiles } from '../backup/restore-files.ts';
import { restoreRows } from '../backup/restore-rows.ts';
import { unseal } from '../backup/seal-secrets.ts';
import { type GeneratedSecrets, secretsPath, writeSecrets } from '../config/generated-secrets.ts';
import { migrate } from '../database/migrate.ts';
import { DirectoryInUse } from '../database/start-cluster.ts';
import { openStores } from '../files/store/open-store.ts';
import { openLog } from '../open-log.ts';
import { packageRoot } from '../package-root.ts';
import { migrations, reachDatabase } from '../reach-database.ts';
import { placeOfBackup } from './backup-places.ts';
import { type Call, CommandError, UsageError } from './command.ts';
import { becomeOwner } from './data-ownership.ts';

export async function runRestore(call: Call): Promise<number> {
  if (call.word === null) throw new UsageError('say what to restore: npx kanbase restore kanbase-monday.zip');
  try {
    const { place, name } = await placeOfBackup(call.config, call.word);
    const { path, done } = await place.open(name);
    try {
      return await restoreFrom(call, path);
    } finally {
      done();
    }
  } catch (error) {
    if (error instanceof BackupProblem) throw new CommandError(error.message, { cause: error });
    if (error instanceof DirectoryInUse)
      throw new CommandError(`${error.message} Stop it first: a restore needs the database for itself.`, {
        cause: error,
      });
    throw error;
  }
}

async function restoreFrom(call: Call, path: string): Promise<number> {
  const archive = await openArchive(path);
  try {
    return await restoreAll(call, archive);
  } finally {
    archive.close();
  }
}

async function restoreAll(call: Call, archive: Archive): Promise<number> {
  const { config, say } = call;
  const { manifest } = archive;
  // All that can be refused is refused before anything is touched.
  const secrets = await secretsOf(call, archive);
  await checkEntries(archive);
  const { database } = config;
  await checkVersion(archive, { directory: ourMigrations(), extraDirectory: database.migrationsDir });
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const room = await makeRoom(call, archive, stamp);
  try {
    await fill(call, archive);
  } catch (error) {
    room.putBack();
    throw error;
  }
  if (secrets !== null)
    asOwner(call, () =>
      writeSecrets(config.server.dataDir, secrets, `${secretsPath(config.server.dataDir)}.before-${stamp}`),
    );
  const rows = rowsIn(manifest);
  say(
    `Restored ${rows} rows and ${manifest.files.length} files as they were on ${manifest.createdAt}. Start with npx kanbase serve.`,
  );
  if (room.aside !== null) say(`What was here before is in ${room.aside}: remove it when all is well.`);
  if (secrets === null) say('The secrets are those of this place, not of the backup: everybody signs in again.');
  return 0;
}

async function fill({ config }: Call, archive: Archive): Promise<void> {
  const log = openLog(config);
  const reached = await reachDatabase(config, log, { alone: true });
  const giveBack = becomeOwner(config, log);
  try {
    if (archive.manifest.hasFiles) await restoreFiles(archive, (await openStores(config)).first);
    await restoreRows(archive, reached);
    await migrate(migrations(config, reached, log));
  } finally {
    giveBack();
    await reached.stop();
  }
}

function asOwner({ config }: Call, act: () => void): void {
  const giveBack = becomeOwner(config, openLog(config));
  try {
    act();
  } finally {
    giveBack();
  }
}

async function secretsOf({ config, flags }: Call, archive: Archive): Promise<GeneratedSecrets | null> {
  if (!archive.manifest.hasSecrets || flags.has('without-secrets')) return null;
  const { passphrase } = config.backup;
  if (passphrase === null)
    throw new UsageError(
      'the backup has secrets: set BACKUP_PASSPHRASE to open them, or go without with --without-secrets',
    );
  return unseal(await archive.text(secretsName), passphrase) as GeneratedSecrets;
}

const ourMigrations = (): string => resolve(packageRoot(), 'sql');

interface Room {
  /** Where the embedded database of before lies now. */
  readonly aside: string | null;
  /** The restore failed: what was here before is here again. */
  putBack(): void;
}

/** Never over data without being told to. */
async function makeRoom({ config, flags }: Call, archive: Archive, stamp: string): Promise<Room> {
  const embedded = config.database.url === null;
  const cluster = join(resolve(config.server.dataDir), 'postgres');
  const remove = (): void => rmSync(cluster, { recursive: true, force: true, maxRetries: 5 });
  if (embedded && !existsSync(cluster)) return { aside: null, putBack: remove };
  const reached = await reachDatabase(config, openLog(config), { alone: true });
  let used: boolean;
  try {
    used = await isUsed(reached.directUrl, ourMigrations());
    if (used && !flags.has('replace'))
      throw new CommandError(
        'there is data here already, and nothing was changed. Restore into an empty DATA_DIR or database, or say --replace.',
      );
    // Nothing of it is kept beside, so the archive is tried out first.
    if (used && !embedded) await checkTablesAside(archive, openLog(config));
    if (!embedded) await clearDatabase(reached.directUrl);
  } finally {
    await reached.stop();
  }
  if (!embedded) return { aside: null, putBack: () => undefined };
  if (!used) {
    remove();
    return { aside: null, putBack: remove };
  }
  const aside = `${cluster}.before-${stamp}`;
  renameSync(cluster, aside);
  return {
    aside,
    putBack() {
      remove();
      renameSync(aside, cluster);
    },
  };
}
