// Manifest of a backup: the migrations that made its tables, the number of rows and files, and the checksum of each. It is the last entry
// of the archive, so an archive without one was broken off.

export const manifestName = 'manifest.json';
export const secretsName = 'secrets.sealed.json';
/** Raised when archives change in a way that an older version cannot read. */
export const format = 2;

export interface BackupTable {
  /** Quoted where it has to be, with its schema. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly entry: string;
  readonly rows: number;
  readonly sha256: string;
}

export interface BackupFile {
  readonly version: string;
  readonly size: number;
  readonly sha256: string;
}

export interface BackupMigration {
  readonly origin: 'kanbase' | 'yours';
  /** Of ours with its folder, `rules/tasks/moving.sql`; in archives of format 1 there were none. */
  readonly name: string;
  /** Of its text; backups of before have none. */
  readonly sha256?: string;
}

export interface Manifest {
  readonly format: number;
  readonly kanbase: string;
  readonly postgres: string;
  readonly createdAt: string;
  readonly migrations: readonly BackupMigration[];
  readonly tables: readonly BackupTable[];
  readonly sequences: readonly { readonly name: string; readonly value: string }[];
  readonly files: readonly BackupFile[];
  /** False: files were left out by choice. */
  readonly hasFiles: boolean;
  /** Versions of files whose rows were there and whose bytes were not. */
  readonly missingFiles: readonly string[];
  readonly hasSecrets: boolean;
}

export const migrationEntry = ({ origin, name }: Pick<BackupMigration, 'origin' | 'name'>): string =>
  `migrations/${origin}/${name}`;
export const fileEntry = (version: string): string => `files/${version}`;

export const rowsIn = ({ tables }: Manifest): number => tables.reduce((sum, { rows }) => sum + rows, 0);

/** Something about an archive or the place it is to go that a person can mend; `message` says what and how. */
export class BackupProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupProblem';
  }
}

export function readManifest(text: string): Manifest {
  let read: Partial<Manifest>;
  try {
    read = JSON.parse(text) as Partial<Manifest>;
  } catch (cause) {
    throw new BackupProblem('The list of what is in the backup cannot be read: the file is damaged.', { cause });
  }
  if (typeof read.format !== 'number' || !Array.isArray(read.tables) || !Array.isArray(read.migrations))
    throw new BackupProblem('This is no backup of Kanbase.');
  if (read.format > format)
    throw new BackupProblem(
      `This backup was written by Kanbase ${read.kanbase}, which is newer: restore it with that.`,
    );
  return read as Manifest;
}
