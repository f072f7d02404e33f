// Requests of an import: upload, preview, start, stop, delete, undo. The server undoes an import.

import type { ImportChoices, ImportPreview } from '../queries/projects/imports.ts';
import { askServer, resultOf } from '../sync/ask-server.ts';
import type { Sync } from '../sync/sync.ts';

const post = ({ door }: Sync, path: string, body: object): Promise<Response> =>
  askServer(door, `/api/imports${path}`, 'POST', body);

/** `part`: of a zip with several, the one that is meant; empty: the one there is. */
export const uploadImport = (sync: Sync, file: File, part = '') =>
  resultOf<{ readonly id: string }>(post(sync, `/?${new URLSearchParams({ name: file.name, part })}`, file));

export const lookAtImport = (sync: Sync, id: string, choices: ImportChoices) =>
  resultOf<ImportPreview>(post(sync, `/${id}/preview`, choices));

export const beginImport = (sync: Sync, id: string, choices: ImportChoices & { readonly name: string }) =>
  post(sync, `/${id}/start`, choices);

export const stopImport = (sync: Sync, id: string) => post(sync, `/${id}/cancel`, {});

export const takeImportBack = (sync: Sync, id: string) => post(sync, `/${id}/undo`, {});

export const forgetImport = ({ door }: Sync, id: string) => askServer(door, `/api/imports/${id}`, 'DELETE');
