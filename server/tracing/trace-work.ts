// Spans of a run of background work whose statements another thread has run and tells of. Other background work is not traced.

import type * as Api from '@opentelemetry/api';
import type { Tracer } from '@opentelemetry/api';
import type { TraceWork } from '../http/trace-context.ts';
import { describeStatement, operationOf } from './trace-database.ts';

export function workTracer(api: typeof Api, tracer: Tracer): TraceWork {
  const fail = (span: Api.Span, failure: string | null): void => {
    if (failure === null) return;
    span.setStatus({ code: api.SpanStatusCode.ERROR });
    span.setAttribute('error.type', failure);
  };

  return (name) => {
    const work = tracer.startSpan(name, { root: true });
    const below = api.trace.setSpan(api.ROOT_CONTEXT, work);
    return {
      statement({ text, began, ended, failure }) {
        const attributes = describeStatement(text);
        const kind = api.SpanKind.CLIENT;
        const span = tracer.startSpan(operationOf(text), { kind, startTime: began, attributes }, below);
        fail(span, failure);
        span.end(ended);
      },
      end(failure) {
        fail(work, failure);
        work.end();
      },
    };
  };
}
