// Loads the operator's own OpenTelemetry SDK, from beside Kanbase or from the working directory, only where a collector is set. All parts come from
// one place, since each has state of its own.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as api from '@opentelemetry/api';
import type * as resources from '@opentelemetry/resources';
import type * as sdk from '@opentelemetry/sdk-trace-node';

export interface Sdk {
  readonly api: typeof api;
  readonly sdk: typeof sdk;
  readonly resources: typeof resources;
  readonly exporter: new (options: { url: string; headers: Readonly<Record<string, string>> }) => sdk.SpanExporter;
}

const parts = '@opentelemetry/sdk-trace-node';

/** Beside this file, or in the working directory. */
const places = (): readonly string[] => [import.meta.url, join(process.cwd(), 'package.json')];

export function loadSdk(protocol: 'http/protobuf' | 'http/json', from = places()): Sdk {
  const exporter = `@opentelemetry/exporter-trace-otlp-${protocol === 'http/json' ? 'http' : 'proto'}`;
  for (const place of from) {
    const load = createRequire(place);
    const path = found(load, parts);
    if (path === null) continue;
    const near = createRequire(path);
    return {
      api: near('@opentelemetry/api'),
      sdk: near(parts),
      resources: near('@opentelemetry/resources'),
      exporter: load(exporter).OTLPTraceExporter,
    } as Sdk;
  }
  throw new Error(
    `OTEL_EXPORTER_OTLP_ENDPOINT is set, and the OpenTelemetry SDK isn't installed: npm install ${parts}@2 ${exporter}@0.223 (docs/run/self-hosting.md says where)`,
  );
}

function found(load: NodeJS.Require, name: string): string | null {
  try {
    return load.resolve(name);
  } catch {
    return null;
  }
}
