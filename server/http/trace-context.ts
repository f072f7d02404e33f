// W3C trace context of requests: reads `traceparent`, answers with the part of the trace that is ours, and gives log lines its ids. Spans are
// recorded in server/tracing, where a collector is set.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Trace {
  readonly traceId: string;
  readonly spanId: string;
  /** Two hexadecimal digits; the last bit says that the trace is recorded. */
  readonly flags: string;
  /** The pattern, never the path; known when the request has been answered. */
  route?: string;
}

/** A statement that another thread has run and tells of. */
export interface DoneStatement {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly ended: number;
  /** SQLSTATE, or the name of the error; null: it succeeded. */
  readonly failure: string | null;
}

/** A run of background work as a span, with its statements below it. */
export interface TracedWork {
  statement(one: DoneStatement): void;
  end(failure: string | null): void;
}

export type TraceWork = (name: string) => TracedWork;

/** Runs what answers a request inside a span of its own. */
export type TraceRequest = (request: IncomingMessage, response: ServerResponse, answer: () => void) => void;

const traces = new WeakMap<IncomingMessage, Trace>();

/** Null: it is not well-formed, and the request starts a trace of its own. */
export function readTraceParent(header: string): Pick<Trace, 'traceId' | 'flags'> | null {
  const [, version, traceId = '', parentId = '', flags = '', more] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  return /^0+$/.test(traceId) || /^0+$/.test(parentId) ? null : { traceId, flags };
}

/** The answer and the log name the trace. */
export function joinTrace(request: IncomingMessage, response: ServerResponse, trace: Trace): void {
  traces.set(request, trace);
  response.setHeader('traceparent', `00-${trace.traceId}-${trace.spanId}-${trace.flags}`);
}

/** For requests that bring a trace, where none are recorded here. */
export function passTraceOn(request: IncomingMessage, response: ServerResponse): void {
  const parent = readTraceParent(String(request.headers.traceparent));
  if (parent !== null) joinTrace(request, response, { ...parent, spanId: randomBytes(8).toString('hex') });
}

export const traceOf = (request: IncomingMessage): Trace | undefined => traces.get(request);

/** Fields of a log line, by the names that log collectors know. */
export function traceFields(request: IncomingMessage): { readonly trace_id?: string; readonly span_id?: string } {
  const trace = traces.get(request);
  return trace === undefined ? {} : { trace_id: trace.traceId, span_id: trace.spanId };
}
