// Messages between the server and an import worker: the task, statements and pieces of files that the worker asks for, and how it ended.
// Errors cross as plain data and are the same classes on the other side.

import { PostgresError, type Result, type RunOptions, type Statement } from '../../../database/types.ts';
import { CatalogError } from '../../../errors.ts';
import { NotSaved } from '../../files-in-zip.ts';
import { UnreadableFile } from '../../neutral.ts';
import type { ChosenForImport } from '../read-choices.ts';

interface About {
  readonly fileName: string;
  readonly choices: ChosenForImport;
}

interface Preview extends About {
  readonly userId: string;
  /** As JSON, of the person whose import it is. */
  readonly claims: string;
  readonly projectId: string | null;
}

/** The file itself comes packed on the worker's standard input. */
export type WorkerTask =
  | ({ readonly to: 'recognise' } & About)
  | ({ readonly to: 'preview' } & Preview)
  | ({
      readonly to: 'write';
      readonly jobId: string;
      readonly projectId: string;
      readonly isNew: boolean;
      readonly importId: string | null;
    } & Preview)
  | { readonly to: 'undo'; readonly importId: string };

/** What a worker asks of the server. The caller is no part of it: every statement runs as the person whose import it is. */
export interface Asked {
  run(statement: Statement, options: RunOptions): Result;
  begin(transaction: number, options: RunOptions): null;
  runIn(transaction: number, statement: Statement): Result;
  commit(transaction: number): null;
  rollback(transaction: number): null;
  save(file: number, key: string, type: string): number;
  piece(file: number, bytes: Buffer | null): null;
}

export type Question = readonly [name: keyof Asked, ...args: readonly unknown[]];

export type ToWorker =
  | { readonly type: 'task'; readonly task: WorkerTask }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly error: SentError }
  | { readonly type: 'stop' };

export type FromWorker =
  | { readonly type: 'ask'; readonly id: number; readonly question: Question }
  /** The file was read: from here on it writes. */
  | { readonly type: 'read' }
  | { readonly type: 'done'; readonly value: unknown }
  | { readonly type: 'failed'; readonly error: SentError };

export interface SentError {
  readonly kind: 'postgres' | 'catalog' | 'unreadable' | 'not saved' | 'other';
  readonly message: string;
  readonly more: Readonly<Record<string, unknown>>;
}

export function sendable(error: unknown): SentError {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof PostgresError) {
    const { sqlstate, detail, hint, fields, ofCaller } = error;
    return { kind: 'postgres', message, more: { sqlstate, detail, hint, fields, ofCaller } };
  }
  if (error instanceof CatalogError) {
    const { code, status, details, hint, headers } = error;
    return { kind: 'catalog', message, more: { code, status, details, hint, headers } };
  }
  if (error instanceof UnreadableFile) return { kind: 'unreadable', message, more: {} };
  if (error instanceof NotSaved) return { kind: 'not saved', message, more: {} };
  return { kind: 'other', message, more: { stack: error instanceof Error ? error.stack : undefined } };
}

export function received({ kind, message, more }: SentError): Error {
  const text = (name: string): string | null => (typeof more[name] === 'string' ? more[name] : null);
  const words = (name: string): Record<string, string> => Object(more[name]);
  if (kind === 'postgres')
    return new PostgresError(
      text('sqlstate') ?? '',
      message,
      text('detail'),
      text('hint'),
      words('fields'),
      more.ofCaller === true,
    );
  if (kind === 'catalog')
    return new CatalogError(text('code') ?? '', Number(more.status), {
      message,
      details: text('details'),
      hint: text('hint'),
      headers: words('headers'),
    });
  if (kind === 'unreadable') return new UnreadableFile(message);
  if (kind === 'not saved') return new NotSaved(message);
  const error = new Error(message);
  error.stack = text('stack') ?? error.stack;
  return error;
}
