// Imports, as the server's door tells of them: answers, not rows. The token goes in the header; cookies open nothing there.

import { type Door, Refusal } from '../../sync/door.ts';

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

async function ask(door: Door, method: string, path: string, body?: object | File): Promise<Response> {
  const { data, error } = await door.auth.getSession();
  if (data.session === null) throw new Refusal(error?.message ?? 'signed out', '', error ? 0 : 401);
  const isFile = body instanceof File;
  const response = await fetch(`/api/imports${path}`, {
    method,
    headers: {
      authorization: `Bearer ${data.session.access_token}`,
      ...(body === undefined ? {} : { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
  }).catch((reason: Error) => {
    throw new Refusal(reason.message, '', 0);
  });
  if (response.ok) return response;
  const refused = (await response.json().catch(() => ({}))) as Partial<
    Record<'message' | 'error' | 'code' | 'details', string>
  >;
  const words = refused.message ?? refused.error ?? `HTTP ${response.status}`;
  throw new Refusal(words, refused.code ?? '', response.status, refused.details ?? null);
}

const answer = async <T>(response: Promise<Response>): Promise<T> => (await (await response).json()) as T;

export const readImports = (door: Door) => answer<readonly ImportJob[]>(ask(door, 'GET', '/'));
export const readImport = (door: Door, id: string) => answer<ImportJob>(ask(door, 'GET', `/${id}`));
/** `part`: of a zip with several, the one that is meant; empty: the one there is. */
export const uploadImport = (door: Door, file: File, part = '') =>
  answer<{ readonly id: string }>(ask(door, 'POST', `/?${new URLSearchParams({ name: file.name, part })}`, file));

/** What a zip holds, where it is refused because that is several. */
export function partsIn(reason: unknown): readonly string[] {
  return reason instanceof Refusal && reason.code === 'KB828' ? (reason.details ?? '').split('\n') : [];
}
export const lookAtImport = (door: Door, id: string, choices: ImportChoices) =>
  answer<ImportPreview>(ask(door, 'POST', `/${id}/preview`, choices));
export const beginImport = (door: Door, id: string, choices: ImportChoices & { readonly name: string }) =>
  ask(door, 'POST', `/${id}/start`, choices);
export const stopImport = (door: Door, id: string) => ask(door, 'POST', `/${id}/cancel`, {});
export const takeImportBack = (door: Door, id: string) => ask(door, 'POST', `/${id}/undo`, {});
export const forgetImport = (door: Door, id: string) => ask(door, 'DELETE', `/${id}`);
