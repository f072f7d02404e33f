// Settings of the process: its listener, log and address.

import { availableParallelism } from 'node:os';
import { networks } from './networks.ts';
import { choice, flag, list, optionalText, text, whole } from './setting.ts';

export function siteAddress(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new Error('an http(s) address without a path, such as https://boards.example.com');
  return url.origin;
}

function webOrigins(value: string): readonly string[] {
  const parts = value.split(',').map((part) => part.trim());
  for (const part of parts)
    if (!URL.canParse(part) || new URL(part).origin !== part || !part.startsWith('https://'))
      throw new Error('https origins without a path, such as https://lh3.googleusercontent.com');
  return parts;
}

function longSecret(value: string): string {
  if (value.length < 32) throw new Error('at least 32 characters long');
  return value;
}

function longToken(value: string): string {
  if (!/^\S{16,}$/.test(value)) throw new Error('at least 16 characters without spaces');
  return value;
}

function keySetText(value: string): string {
  try {
    const parsed: unknown = JSON.parse(value);
    if (Array.isArray(parsed) || Array.isArray((parsed as { keys?: unknown } | null)?.keys)) return value;
  } catch {
    // Told below.
  }
  throw new Error('a JSON Web Key Set: {"keys":[…]}');
}

function processes(value: string): number {
  if (value === 'auto') return availableParallelism();
  const count = Number(value);
  if (!/^\d+$/.test(value) || count < 1 || count > 64) throw new Error('a whole number from 1 to 64, or auto');
  return count;
}

export const serverSettings = {
  port: whole('PORT', { min: 0, max: 65_535 }, { meaning: 'Port to listen on; 0 picks a free one.', fallback: 3000 }),
  host: text('HOST', { meaning: 'Address to listen on.', fallback: '0.0.0.0' }),
  workers: {
    ...whole(
      'WORKERS',
      { min: 1, max: 64 },
      {
        meaning: 'Processes that serve on one port; auto: one per processor.',
        fallback: 1,
      },
    ),
    read: processes,
  },
  siteUrl: {
    ...optionalText('SITE_URL', {
      meaning: 'Public address of the service, used in emails and redirects.',
      fallbackText: 'http://localhost:<port>',
    }),
    read: siteAddress,
  },
  apiExternalUrl: {
    ...optionalText('API_EXTERNAL_URL', {
      meaning: 'Public address of /auth/v1, if not under SITE_URL; used in emailed links, provider sign-in and tokens.',
      fallbackText: 'SITE_URL',
    }),
    read: siteAddress,
  },
  dataDir: text('DATA_DIR', {
    meaning: 'Directory for the embedded database, files and generated secrets.',
    fallback: './data',
  }),
  readyFreeBytes: whole(
    'READY_FREE_BYTES',
    { min: 0, max: 1_000_000_000_000_000 },
    {
      meaning: 'With less than this free on the disk of DATA_DIR, /ready answers 503; 0: no check.',
      fallback: 67_108_864,
    },
  ),
  jwtSecret: {
    ...optionalText('JWT_SECRET', {
      meaning: 'Signs and verifies tokens (HS256); at least 32 characters.',
      fallbackText: 'generated on first start, kept in the data directory',
      secret: true,
    }),
    read: longSecret,
  },
  jwtAudience: optionalText('JWT_AUDIENCE', {
    meaning: 'Tokens that name audiences (aud) must name this one; ours are for "authenticated".',
    fallbackText: 'any',
  }),
  anonKey: optionalText('ANON_KEY', { meaning: 'Public API key.', fallbackText: 'minted from the JWT secret' }),
  serviceRoleKey: optionalText('SERVICE_ROLE_KEY', {
    meaning: 'Privileged API key; never in client code.',
    fallbackText: 'minted from the JWT secret',
    secret: true,
  }),
  publishableKeys: list('PUBLISHABLE_KEYS', {
    meaning: 'Opaque public API keys (sb_publishable_…), for the role anon.',
    fallback: [],
    fallbackText: 'one, generated on first start',
  }),
  secretKeys: list('SECRET_KEYS', {
    meaning: 'Opaque privileged API keys (sb_secret_…), for the role service_role.',
    fallback: [],
    fallbackText: 'one, generated on first start',
    secret: true,
  }),
  jwtKeys: {
    ...optionalText('JWT_KEYS', {
      meaning:
        'JSON Web Key Set with private keys (EC P-256 or RSA); the first private one signs tokens, all verify them.',
      fallbackText: 'tokens are signed with JWT_SECRET',
      secret: true,
    }),
    read: keySetText,
  },
  bodyLimit: whole(
    'HTTP_BODY_LIMIT',
    { min: 1024, max: 1_073_741_824 },
    {
      meaning: 'Largest request body in bytes.',
      fallback: 10_485_760,
    },
  ),
  bodiesTotal: whole(
    'HTTP_BODIES_TOTAL',
    { min: 0, max: 10_737_418_240 },
    {
      meaning: 'Bytes of all request bodies under way; the slowest are dropped first. 0: no limit.',
      fallback: 134_217_728,
    },
  ),
  answersTotal: whole(
    'HTTP_ANSWERS_TOTAL',
    { min: 0, max: 10_737_418_240 },
    {
      meaning: 'Bytes of responses that wait in memory for their readers; the slowest are cut off first. 0: no limit.',
      fallback: 134_217_728,
    },
  ),
  readTimeoutMs: whole(
    'HTTP_READ_TIMEOUT_MS',
    { min: 0, max: 3_600_000 },
    {
      meaning: 'How long a client may read almost nothing of a response; 0: no limit.',
      fallback: 30_000,
    },
  ),
  bodyTimeoutMs: whole(
    'HTTP_BODY_TIMEOUT_MS',
    { min: 0, max: 3_600_000 },
    {
      meaning: 'How long a request body may take to arrive, and a file upload may stall; 0: five minutes.',
      fallback: 60_000,
    },
  ),
  corsOrigins: list('CORS_ORIGINS', {
    meaning: 'Origins whose pages may read responses of the APIs, such as https://app.example.com.',
    fallback: [],
    fallbackText: 'any, without cookies',
  }),
  workBudgetSeconds: whole(
    'WORK_BUDGET_SECONDS',
    { min: 0, max: 86_400 },
    {
      meaning:
        'Seconds of work (statements over 20 ms, resized images, exports, long parsing) one person may use at once; half a second is added back each second. 0: no limit.',
      fallback: 60,
    },
  ),
  shutdownMs: whole(
    'SHUTDOWN_TIMEOUT_MS',
    { min: 0, max: 600_000 },
    {
      meaning:
        'How long running requests and emails may take when the server stops; the whole stop takes at most 20 seconds more.',
      fallback: 10_000,
    },
  ),
  logLevel: choice('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    meaning: 'How much is logged.',
    fallback: 'info',
  }),
  trustProxy: {
    ...list('TRUST_PROXY', {
      meaning: 'Addresses or networks of reverse proxies whose X-Forwarded-* headers are believed.',
      fallback: [],
    }),
    read: networks,
  },
  imageOrigins: {
    ...list('IMAGE_ORIGINS', {
      meaning:
        'Origins whose images pages may show besides our own, such as https://lh3.googleusercontent.com; their owners see who views them.',
      fallback: [],
    }),
    read: webOrigins,
  },
  shareFrameAncestors: {
    ...list('SHARE_FRAME_ANCESTORS', {
      meaning: 'Origins whose pages may embed public links (/share), such as https://wiki.example.com.',
      fallback: [],
    }),
    read: webOrigins,
  },
  metricsToken: {
    ...optionalText('METRICS_TOKEN', {
      meaning: 'Bearer token that reads /metrics; at least 16 characters.',
      fallbackText: '/metrics answers METRICS_ADDRESSES alone',
      secret: true,
    }),
    read: longToken,
  },
  metricsAddresses: {
    ...list('METRICS_ADDRESSES', {
      meaning:
        'Addresses or networks that read /metrics without a token, not through a proxy; never one that a proxy asks from.',
      fallback: [],
    }),
    read: networks,
  },
  production: flag('PRODUCTION', {
    meaning: 'Turns developer conveniences off (the inbox page).',
    fallback: false,
  }),
} as const;
