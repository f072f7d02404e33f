// Options of an import, and its result.

import type { Caller, StatementRunner } from '../database/types.ts';
import type { FilesOfImport, SaveFile } from './files-in-zip.ts';
import type { Problem, Read } from './neutral.ts';
import type { Invited, Matched } from './people.ts';

export interface ImportOptions {
  readonly database: StatementRunner;
  readonly caller: Caller;
  readonly userId: string;
  readonly projectId: string;
  /** Its columns become those of the file. */
  readonly isNew: boolean;
  readonly fileName: string;
  readonly read: Read;
  readonly matched: Matched;
  /** What came beside the file in a zip, and who saves it. */
  readonly files?: FilesOfImport | null;
  readonly saveFile?: SaveFile;
  /** Who is asked to come. */
  readonly invited?: Invited;
  readonly signal?: AbortSignal;
  /** An import that was cut short, to be gone on with. */
  readonly importId?: string | null;
  /** False: what the file says of dates long past stands in words, as whoever writes by hand would put it. */
  readonly keepDates?: boolean;
  /** Told first, so that an import that is cut short can be taken back. */
  readonly onBegin?: (importId: string) => void | Promise<void>;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface Imported {
  readonly id: string;
  readonly state: 'done' | 'cancelled';
  readonly made: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly problems: readonly Problem[];
}
