// Imports, as the server's door tells of them: answers, not rows.

import { askServer, resultOf } from '../../sync/ask-server.ts';
import { Refusal } from '../../sync/door.ts';
import type { Sync } from '../../sync/sync.ts';

export type ImportState = 'ready' | 'waiting' | 'running' | 'done' | 'cancelled' | 'failed' | 'undoing' | 'undone';

export interface ImportProblem {
  readonly kind: string;
  readonly line: number | null;
  readonly about: string;
}

export interface ImportJob {
  readonly id: string;
  readonly state: ImportState;
  readonly product: string;
  readonly fileName: string;
  readonly projectId: string | null;
  readonly projectName: string | null;
  readonly canUndo: boolean;
  readonly createdAt: string;
  readonly done: number;
  readonly total: number;
  readonly made: number;
  readonly updated: number;
  readonly failure: string | null;
  readonly problems: readonly ImportProblem[];
  readonly problemCount: number;
}

export interface ImportPreview {
  readonly product: string;
  readonly name: string;
  readonly keepsDates: boolean;
  readonly mayInvite: boolean;
  readonly columns:
    | readonly { readonly name: string; readonly field: string; readonly samples: readonly string[] }[]
    | null;
  readonly counts: Readonly<
    Record<'tasks' | 'archived' | 'subtasks' | 'comments' | 'items' | 'labels' | 'dependencies' | 'files', number>
  >;
  readonly lists: readonly {
    readonly name: string | null;
    readonly count: number;
    readonly first: readonly string[];
  }[];
  readonly people: readonly {
    readonly key: string;
    readonly name: string;
    readonly address: string | null;
    readonly userId: string | null;
    readonly invited: string | null;
  }[];
  readonly problems: readonly ImportProblem[];
  readonly problemCount: number;
}

export interface ImportChoices {
  readonly project: string | null;
  readonly from: string | null;
  readonly mapping: readonly string[] | null;
  readonly dates: 'dmy' | 'mdy' | null;
  readonly people: Readonly<Record<string, string>>;
}

export const readImports = ({ door }: Sync) => resultOf<readonly ImportJob[]>(askServer(door, '/api/imports/'));
export const readImport = ({ door }: Sync, id: string) => resultOf<ImportJob>(askServer(door, `/api/imports/${id}`));

/** What a zip holds, where it is refused because that is several. */
export function partsIn(reason: unknown): readonly string[] {
  return reason instanceof Refusal && reason.code === 'KB828' ? (reason.details ?? '').split('\n') : [];
}
