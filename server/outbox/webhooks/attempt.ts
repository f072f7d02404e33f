// One attempt of one delivery: signed, posted, and its answer read. Nothing is recorded here.

import type { WebhookShape } from '../../../contract/webhooks.ts';
import { InwardAddress, type Outward } from '../post-outward.ts';
import { shapes } from './shapes.ts';
import type { Signers } from './sign-webhook.ts';
import type { Payload } from './write-payload.ts';

const longestWaitSeconds = 86_400;

export interface Claimed {
  readonly id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event: string;
  readonly attempts: number;
  readonly url: string;
  readonly shape: WebhookShape;
  readonly sealed: string | null;
  readonly former: string | null;
  readonly payload: Payload | null;
}

export interface Outcome {
  readonly id: string;
  readonly outcome: 'delivered' | 'failed' | 'gone';
  readonly status?: number;
  readonly duration_ms?: number;
  readonly request?: string;
  readonly response?: string;
  readonly error?: string;
  readonly retry_after?: number;
  /** The receiver as a whole, not this one delivery. */
  readonly in_trouble?: boolean;
  /** Its secret can't be read. */
  readonly is_unsigned?: true;
}

export async function attempt(one: Claimed, outward: Outward, known: Signers): Promise<Outcome> {
  const signers = [one.sealed, one.former].flatMap((sealed) => (sealed === null ? [] : [known.of(sealed)]));
  const failed = { id: one.id, outcome: 'failed' as const };
  if (signers[0] === undefined || signers[0] === null)
    return { ...failed, error: 'Its secret can’t be read: replace it', is_unsigned: true };
  if (one.payload === null) return { ...failed, error: 'The payload has been deleted' };
  const body = JSON.stringify(shapes[one.shape](one.payload));
  const seconds = Math.floor(Date.now() / 1000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Kanbase-Webhooks',
    'webhook-id': one.event_id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signers.flatMap((sign) => sign?.(one.event_id, seconds, body) ?? []).join(' '),
  };
  const began = performance.now();
  const tried = (): Pick<Outcome, 'request' | 'duration_ms'> => ({
    ...(one.shape === 'json' ? {} : { request: body }),
    duration_ms: Math.round(performance.now() - began),
  });
  try {
    const { status, body: response, retryAfter } = await outward.post(one.url, headers, body);
    return { id: one.id, ...outcomeOf(status), ...waitOf(retryAfter, status), ...tried(), status, response };
  } catch (error) {
    return { ...failed, error: wordsOf(error), in_trouble: true, ...tried() };
  }
}

function outcomeOf(status: number): Pick<Outcome, 'outcome' | 'error' | 'in_trouble'> {
  if (status >= 200 && status < 300) return { outcome: 'delivered' };
  if (status === 410) return { outcome: 'gone', error: 'The receiver wants no more (410)' };
  const error =
    status >= 300 && status < 400
      ? `Answered with a redirect (${status}), which is not followed: change the address`
      : `Answered ${status}`;
  return { outcome: 'failed', error, in_trouble: status < 200 || status >= 500 || status === 429 || status === 408 };
}

/** Seconds or a date; no more than a day. */
function waitOf(retryAfter: string | null, status: number): Pick<Outcome, 'retry_after'> {
  if (retryAfter === null || status < 300) return {};
  const seconds = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? { retry_after: Math.min(seconds, longestWaitSeconds) } : {};
}

function wordsOf(error: unknown): string {
  if (error instanceof InwardAddress) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return (code === undefined ? message : `${code}: ${message}`).slice(0, 500);
}
