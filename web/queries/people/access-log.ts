// The access log, of one project or whole, a page at a time. Nothing of it is saved on the device.

import { csvRow } from '../../../contract/csv-row.ts';
import type { AccessKind, AccessLine } from '../../sync/procedures.ts';
import { useSync } from '../../sync/react.tsx';
import type { Sync } from '../../sync/sync.ts';
import { type LiveResult, useUnsavedResult } from '../../sync/use-result.ts';

export type { AccessKind, AccessLine };

/** Of which project, null: of all; `words`: of a name or address. */
export interface AccessFilter {
  readonly projectId: string | null;
  readonly words: string;
  readonly kind: AccessKind | null;
}

export const linesOnPage = 50;
const linesAtOnce = 1000;

const askFor = ({ call }: Sync, { projectId, words, kind }: AccessFilter, before: string | null, size: number) =>
  call('access_log_page', {
    ...(projectId === null ? {} : { project_id: projectId }),
    ...(kind === null ? {} : { kind }),
    ...(before === null ? {} : { before }),
    ...{ words, size },
  });

/** Asked again when memberships change here; the whole log, which has projects of others too, from time to time. */
export function useAccessLog(filter: AccessFilter, before: string | null): LiveResult<readonly AccessLine[]> {
  const sync = useSync();
  return useUnsavedResult<readonly AccessLine[]>({
    name: `access_log_page ${JSON.stringify([filter, before])}`,
    ...(filter.projectId === null
      ? {}
      : {
          about: {
            kind: 'figures',
            projectId: undefined,
            tables: ['projects', 'project_members', 'group_members', 'project_invitations', 'join_links'],
            alone: true,
          },
        }),
    ask: () => askFor(sync, filter, before, linesOnPage),
  });
}

/** All lines as a file for a spreadsheet; how many there are. Its parts are held by the browser, which may put them on the disk. */
export async function readAccessFile(
  sync: Sync,
  filter: AccessFilter,
  columns: readonly string[],
  cellsOf: (line: AccessLine) => readonly (string | null)[],
): Promise<{ readonly file: Blob; readonly count: number }> {
  const rowOf = (cells: readonly (string | null)[]): string => `${csvRow(cells)}\r\n`;
  const parts = [new Blob(['\uFEFF', rowOf(columns)])];
  let count = 0;
  let before: string | null = null;
  for (;;) {
    const lines: readonly AccessLine[] = await askFor(sync, filter, before, linesAtOnce);
    parts.push(new Blob(lines.map((line) => rowOf(cellsOf(line)))));
    count += lines.length;
    if (lines.length < linesAtOnce) return { file: new Blob(parts, { type: 'text/csv' }), count };
    before = lines.at(-1)?.id ?? null;
  }
}
