// Answers that show no object are the same for one of others' and for none. They leave at fixed times, so that the clock does not tell
// them apart either.

import type { FastifyReply } from 'fastify';
import type { CatalogError } from '../errors.ts';
import { nextStep } from '../http/fixed-answer-times.ts';

const hiding: ReadonlySet<string> = new Set(['NoSuchKey', 'NoSuchBucket', 'AccessDenied']);

/** `arrived`: when the request did, by `performance.now()`. */
export async function hideObjects(arrived: number, error: CatalogError): Promise<void> {
  if (hiding.has(error.code)) await nextStep(arrived);
}

/** Rows about as many objects as were asked for are answered at once. */
export async function unlessFewer<T>(rows: readonly T[], asked: number, reply: FastifyReply): Promise<readonly T[]> {
  if (rows.length < asked) await nextStep(arrivalOf(reply));
  return rows;
}

export const arrivalOf = (reply: FastifyReply): number => performance.now() - reply.elapsedTime;
