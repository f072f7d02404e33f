// How the process listens, logs and names itself.

import { choice, flag, list, optionalText, text, whole } from './setting.ts';

export const serverSettings = {
  port: whole('PORT', { min: 0, max: 65_535 }, { meaning: 'Port to listen on; 0 takes any free one.', fallback: 3000 }),
  host: text('HOST', { meaning: 'Address to listen on.', fallback: '0.0.0.0' }),
  siteUrl: optionalText('SITE_URL', {
    meaning: 'Public address of the service, used in mails and redirects.',
    fallbackText: 'http://localhost:<port>',
  }),
  dataDir: text('DATA_DIR', {
    meaning: 'Where the embedded database, files and generated secrets live.',
    fallback: './data',
  }),
  jwtSecret: optionalText('JWT_SECRET', {
    meaning: 'Signs and verifies tokens (HS256); at least 32 characters.',
    fallbackText: 'generated on first start, kept in the data directory',
    secret: true,
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
  jwtKeys: optionalText('JWT_KEYS', {
    meaning:
      'JSON Web Key Set with private keys (EC P-256 or RSA); the first private one signs tokens, all verify them.',
    fallbackText: 'tokens are signed with JWT_SECRET',
    secret: true,
  }),
  bodyLimit: whole(
    'HTTP_BODY_LIMIT',
    { min: 1024, max: 1_073_741_824 },
    {
      meaning: 'Largest request body in bytes.',
      fallback: 10_485_760,
    },
  ),
  shutdownMs: whole(
    'SHUTDOWN_TIMEOUT_MS',
    { min: 0, max: 600_000 },
    {
      meaning: 'How long requests in flight may take to finish when the server stops.',
      fallback: 10_000,
    },
  ),
  logLevel: choice('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    meaning: 'How much is logged.',
    fallback: 'info',
  }),
  trustProxy: list('TRUST_PROXY', {
    meaning: 'Addresses or networks of reverse proxies whose X-Forwarded-* headers are believed.',
    fallback: [],
  }),
  production: flag('PRODUCTION', {
    meaning: 'Turns developer conveniences off (the mail inbox page).',
    fallback: false,
  }),
} as const;
