// Structured logs, one JSON object a line, on standard error: standard output belongs to what commands print. At a terminal
// the same lines are written for eyes.
// Every line is scrubbed of tokens, keys and passwords on its way out, whoever put them there.

import { type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import type { Config } from './config/config.ts';

/** Field names whose values are never logged, wherever they stand near the top. */
const secretFields = [
  'authorization',
  'apikey',
  'cookie',
  '"set-cookie"',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'secret',
  'client_secret',
  'device_code',
  'user_code',
];

const secretShapes: readonly (readonly [RegExp, string])[] = [
  // a JWT
  [/\beyJ[\w-]{8,8192}\.[\w-]+\.[\w-]+/g, '[token]'],
  // an opaque API key, ours or the payment provider's
  [/\b(sb_secret|sb_publishable|sk_live|sk_test|rk_live|rk_test|whsec)_[\w-]+/g, '$1_[key]'],
  // a key of a person
  [/\bkb_[0-9a-f]{16,}/g, 'kb_[key]'],
  // a password in an address
  [/(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@"\\]{0,500}):[^\s@/"\\]{1,2000}@/gi, '$1:[password]@'],
  // what may stand in an address or a form: ?token=…, &code=…
  [
    /\b(access_token|refresh_token|token_hash|token|code|device_code|user_code|client_secret|apikey|password|code_verifier)=[^&\s"\\]+/gi,
    '$1=[secret]',
  ],
  // what may stand in JSON, also in JSON inside a JSON string
  [
    /(\\{0,8}")(authorization|apikey|cookie|set-cookie|password|access_token|refresh_token|provider_token|secret|client_secret|device_code|user_code)\1(\s{0,20}:\s{0,20})\\{0,8}"(?:[^"\\]|\\(?!")[^"])*\\{0,8}"/gi,
    '$1$2$1$3$1[secret]$1',
  ],
];

export function scrub(line: string): string {
  let clean = line;
  for (const [shape, replacement] of secretShapes) clean = clean.replace(shape, replacement);
  return clean;
}

/** `10:28:50 warn  the pages are not built {"port":3000}` */
export function forEyes(line: string): string {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { level, time, pid: _pid, msg = '', err, ...rest } = fields;
  const more = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
  const stack = typeof err === 'object' && err !== null && 'stack' in err ? `\n${String(err.stack)}` : '';
  return `${new Date(String(time)).toTimeString().slice(0, 8)} ${String(level).padEnd(5)} ${String(msg)}${more}${stack}\n`;
}

export function openLog(config: Pick<Config, 'server'>, destination?: { write(line: string): void }): Logger {
  const options: LoggerOptions = {
    level: config.server.logLevel,
    base: { pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError },
    redact: {
      paths: secretFields.flatMap((name) => [pathOf('', name), pathOf('*', name), pathOf('*.*', name)]),
      censor: '[secret]',
    },
    hooks: { streamWrite: destination === undefined && process.stderr.isTTY ? (line) => forEyes(scrub(line)) : scrub },
  };
  return pino(options, destination ?? pino.destination({ dest: 2, sync: true }));
}

/** What the operating system or Postgres said lies below the errors that were made of it: its code and path stand at the top. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return stdSerializers.err(error as Error);
  let root: Error = error;
  for (let depth = 0; root.cause instanceof Error && depth < mostCauses; depth += 1) root = root.cause;
  const { errno, syscall, path, sqlstate, code } = root as Error & Readonly<Record<string, unknown>>;
  const below = Object.entries({ errno, syscall, path, sqlstate, ...(root === error ? {} : { causeCode: code }) });
  return { ...stdSerializers.err(error), ...Object.fromEntries(below.filter(([, value]) => value !== undefined)) };
}

const mostCauses = 8;

function pathOf(parents: string, name: string): string {
  const field = name.startsWith('"') ? `[${name}]` : parents === '' ? name : `.${name}`;
  return `${parents}${field}`;
}
