// Spans of requests, and of the database work within them, sent to an OpenTelemetry collector. They carry patterns of routes and texts of
// statements, which hold no values: no address, no row and no token leaves the process.

import type { Span } from '@opentelemetry/api';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/types.ts';
import { joinTrace, type TraceRequest, type TraceWork, traceOf } from '../http/trace-context.ts';
import { packageVersion } from '../package-root.ts';
import { loadSdk } from './load-sdk.ts';
import { traceDatabase } from './trace-database.ts';
import { workTracer } from './trace-work.ts';

export interface Tracing {
  readonly request: TraceRequest;
  readonly work: TraceWork;
  database(database: Database): Database;
  /** Sends what has not been sent yet. */
  close(): Promise<void>;
}

/** Null where no collector is set. */
export function openTracing({ endpoint, headers, protocol, serviceName }: Config['tracing']): Tracing | null {
  if (endpoint === null) return null;
  const { api, sdk, resources, exporter: Exporter } = loadSdk(protocol);
  const about = { 'service.name': serviceName, 'service.version': packageVersion() };
  const provider = new sdk.NodeTracerProvider({
    resource: resources.defaultResource().merge(resources.resourceFromAttributes(about)),
    spanProcessors: [
      new sdk.BatchSpanProcessor(new Exporter({ url: `${endpoint}/v1/traces`, headers: readHeaders(headers) })),
    ],
  });
  provider.register();
  const tracer = provider.getTracer('kanbase', packageVersion());

  const finish = (span: Span, route: string, method: string, status: number): void => {
    span.updateName(`${method} ${route}`);
    span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
    if (status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
    span.end();
  };

  return {
    request(request, response, answer) {
      const { method = 'GET', headers: given } = request;
      const parent = api.propagation.extract(api.context.active(), given);
      const span = tracer.startSpan(
        method,
        { kind: api.SpanKind.SERVER, attributes: { 'http.request.method': method } },
        parent,
      );
      const { traceId, spanId, traceFlags } = span.spanContext();
      joinTrace(request, response, { traceId, spanId, flags: traceFlags.toString(16).padStart(2, '0') });
      response.once('close', () => finish(span, traceOf(request)?.route ?? 'unknown', method, response.statusCode));
      api.context.with(api.trace.setSpan(parent, span), answer);
    },
    work: workTracer(api, tracer),
    database: (database) => traceDatabase(database, api, tracer),
    close: () => provider.shutdown(),
  };
}

/** `name=value` pairs, the values encoded as in an address. */
function readHeaders(text: string | null): Record<string, string> {
  const pairs = (text ?? '').split(',').filter((pair) => pair.includes('='));
  return Object.fromEntries(
    pairs.map((pair) => [
      pair.slice(0, pair.indexOf('=')).trim(),
      decodeURIComponent(pair.slice(pair.indexOf('=') + 1)),
    ]),
  );
}
