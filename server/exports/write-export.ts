// One export from the first byte to the last, in whichever format; and what its file is called.

import type { ExportedProject, ExportOptions, Format } from './export-options.ts';
import { writeCsv } from './write-csv.ts';
import { writeIcal } from './write-ical.ts';
import { writeJson, writeJsonFolder } from './write-json.ts';
import { writeMarkdown } from './write-markdown.ts';
import { writeZip, writeZips } from './write-zip.ts';

interface Kind {
  readonly write: (options: ExportOptions) => Promise<void>;
  readonly ending: string;
  readonly type: string;
}

const kinds: Readonly<Record<Format | 'json of all' | 'zip of all', Kind>> = {
  json: { write: writeJson, ending: '.json', type: 'application/json' },
  'json of all': { write: writeJsonFolder, ending: '-json.zip', type: 'application/zip' },
  zip: { write: writeZip, ending: '.zip', type: 'application/zip' },
  'zip of all': { write: writeZips, ending: '-zip.zip', type: 'application/zip' },
  csv: { write: writeCsv, ending: '.csv', type: 'text/csv' },
  markdown: { write: writeMarkdown, ending: '-markdown.zip', type: 'application/zip' },
  ical: { write: writeIcal, ending: '.ics', type: 'text/calendar' },
};

export interface Export {
  write(options: ExportOptions): Promise<void>;
  /** "HAR-2026-11-24.json": no name of a project, which may be written in any script. */
  readonly fileName: string;
  readonly contentType: string;
}

/** Of one project, or of all that somebody sees. */
export function exportOf(format: Format, only: ExportedProject | null, now = new Date()): Export {
  const folder = format === 'json' || format === 'zip' ? (`${format} of all` as const) : format;
  const { write, ending, type } = kinds[only === null ? folder : format];
  return {
    write,
    fileName: `${only === null ? 'kanbase' : only.key}-${now.toISOString().slice(0, 10)}${ending}`,
    contentType: type,
  };
}
