// Options that every export format gets: the caller, the projects, the destination and a callback for progress. Formats know nothing of
// jobs, doors and files on disk.

import type { Readable, Writable } from 'node:stream';
import type { Caller, Database, Value } from '../database/types.ts';

export const formats = ['json', 'zip', 'csv', 'markdown', 'ical'] as const;
export type Format = (typeof formats)[number];

export interface ExportedProject {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

export interface ReadFile {
  readonly bytes: Readable;
  /** Behind the name, where the bytes are still encoded; else empty. */
  readonly ending: string;
}

export interface ExportOptions {
  readonly database: Database;
  readonly caller: Caller;
  readonly projects: readonly ExportedProject[];
  readonly out: Writable;
  /** Reads the bytes of an attachment without the encoding they are stored in; rejects when there are none. */
  readonly readFile: (version: string, encoding: string | null) => Promise<ReadFile>;
  /** The public address, no trailing slash: tasks in a calendar lead there. */
  readonly siteUrl: string;
  readonly onProgress: (done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The statements of an export read long and much, and change nothing. */
export const reading = (signal: AbortSignal | undefined) =>
  ({ readOnly: true, timeoutMs: 3_600_000, ...(signal === undefined ? {} : { signal }) }) as const;

/** The ids as one bound value, for `= any ($1::uuid[])`. */
export function idsOf(projects: readonly ExportedProject[]): Value {
  return `{${projects.map(({ id }) => id).join(',')}}`;
}

/** What the caller sees: one project, or all. */
export function findProjects(
  database: Database,
  caller: Caller,
  projectId: string | null,
): Promise<readonly ExportedProject[]> {
  return database.objectsAs<ExportedProject>(
    caller,
    {
      text: 'select id, key, name from public.projects where $1::uuid is null or id = $1::uuid order by created_at, id',
      values: [projectId],
    },
    { readOnly: true },
  );
}
