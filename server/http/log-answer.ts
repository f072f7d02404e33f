// Counts, times and logs an answered request, whichever door answered it: at `debug`, or at `warn` for a server error. A line per request at
// `info` would cost more than most requests do.

import type { IncomingMessage } from 'node:http';
import type { Services } from '../services.ts';
import { causeOf } from './failure-causes.ts';
import { traceFields, traceOf } from './trace-context.ts';

interface Answered {
  /** The pattern, never the path. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly id: string;
  readonly ip?: string;
}

export function answerNotes({ metrics, log }: Pick<Services, 'metrics' | 'log'>) {
  const tellsAll = log.isLevelEnabled('debug');
  return (request: IncomingMessage, { route, status, ms, id, ip }: Answered): void => {
    const method = request.method ?? 'GET';
    metrics.record(route, method, status, ms / 1000);
    const trace = traceOf(request);
    if (trace !== undefined) trace.route = route;
    if (status < 500 && !tellsAll) return;
    const fields = { reqId: id, ...traceFields(request), method, route, status, ms: Math.round(ms) };
    if (status >= 500) log.warn({ err: causeOf(request), ...fields }, 'answered with an error');
    else log.debug({ ...fields, ip }, 'answered');
  };
}
