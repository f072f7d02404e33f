// Traces: where spans of requests and database work are sent, in the names that OpenTelemetry gives these settings.

import { choice, optionalText, text } from './setting.ts';

function collector(value: string): string | null {
  if (value === '') return null;
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new Error('the http(s) address of a collector, such as http://127.0.0.1:4318');
  return value.replace(/\/$/, '');
}

function isPair(pair: string): boolean {
  try {
    decodeURIComponent(pair);
  } catch {
    return false;
  }
  return /^[^=,\s]+=[^,]*$/.test(pair.trim());
}

function pairs(value: string): string | null {
  if (value !== '' && !value.split(',').every(isPair))
    throw new Error('name=value pairs with commas between them, values encoded as in an address');
  return value === '' ? null : value;
}

export const tracingSettings = {
  endpoint: {
    ...optionalText('OTEL_EXPORTER_OTLP_ENDPOINT', {
      meaning:
        'OpenTelemetry collector for spans of requests and database work, by HTTP; needs two packages, see docs/run/self-hosting.md.',
    }),
    read: collector,
  },
  headers: {
    ...optionalText('OTEL_EXPORTER_OTLP_HEADERS', {
      meaning: 'Headers for the collector, such as Authorization=Bearer%20…; several with commas between them.',
      secret: true,
    }),
    read: pairs,
  },
  protocol: choice('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf', 'http/json'], {
    meaning: 'Form in which the collector takes spans.',
    fallback: 'http/protobuf',
  }),
  serviceName: text('OTEL_SERVICE_NAME', { meaning: 'Name of this service in traces.', fallback: 'kanbase' }),
} as const;
