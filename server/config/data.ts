// Settings of /rest/v1.

import { servedSchemas } from './served-schemas.ts';
import { choice, flag, list, optionalText, whole } from './setting.ts';

/** Pairs of name and value; the values hold no commas. */
function appSettings(value: string): readonly string[] {
  const pairs = value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const pair of pairs) if (!/^[A-Za-z_]\w*=/.test(pair)) throw new Error('name=value, separated by commas');
  return pairs;
}

export const dataSettings = {
  schemas: {
    ...list('DATA_SCHEMAS', {
      meaning: 'Schemas served at /rest/v1, the first one by default; never one of the server.',
      fallback: ['public'],
    }),
    read: servedSchemas,
  },
  extraSearchPath: list('DATA_EXTRA_SEARCH_PATH', {
    meaning: 'Schemas that SQL finds without a prefix after the one asked for, without serving them.',
    fallback: ['public'],
  }),
  maxRows: whole(
    'DATA_MAX_ROWS',
    { min: 0, max: 1_000_000_000 },
    { meaning: 'Rows of a response; 0: no limit.', fallback: 1000 },
  ),
  maxBytes: whole(
    'DATA_MAX_BYTES',
    { min: 0, max: 1_000_000_000 },
    {
      meaning: 'Bytes of a response, embedded lists built on the way included; 0: no limit.',
      fallback: 67_108_864,
    },
  ),
  maxEmbeddedRows: whole(
    'DATA_MAX_EMBEDDED_ROWS',
    { min: 0, max: 1_000_000_000 },
    {
      meaning: 'Rows of all embedded lists of a response together; 0: no limit.',
      fallback: 100_000,
    },
  ),
  maxEmbedDepth: whole('DATA_MAX_EMBED_DEPTH', { min: 0, max: 50 }, { meaning: 'Levels of embedding.', fallback: 8 }),
  maxEmbeds: whole(
    'DATA_MAX_EMBEDS',
    { min: 0, max: 1000 },
    { meaning: 'Resources one request may embed.', fallback: 50 },
  ),
  legacyTargetNames: flag('DATA_LEGACY_TARGET_NAMES', {
    meaning: 'Whether filters may name an embedded resource by its table despite an alias.',
    fallback: true,
  }),
  csvGuard: flag('DATA_CSV_GUARD', {
    meaning: 'Whether CSV cells that a spreadsheet would take for a formula get an apostrophe in front.',
    fallback: false,
  }),
  errorVerbosity: choice('DATA_ERROR_VERBOSITY', ['verbose', 'minimal'], {
    meaning: 'Errors of /rest/v1: verbose, or minimal, without details and hint.',
    fallback: 'verbose',
  }),
  rootFunction: optionalText('DATA_ROOT_FUNCTION', {
    meaning: 'A function (schema.name) that answers at the root of /rest/v1, in place of the OpenAPI document.',
  }),
  openApiSecurity: flag('DATA_OPENAPI_SECURITY', {
    meaning: 'Whether the root document says that requests carry a token (a security section).',
    fallback: false,
  }),
  appSettings: {
    ...list('DATA_APP_SETTINGS', {
      meaning: "Settings that SQL reads as current_setting('app.settings.<name>'): name=value, name=value.",
      fallback: [],
    }),
    read: appSettings,
  },
  aggregates: flag('DATA_AGGREGATES', {
    meaning: 'Whether select may contain count(), sum(), avg(), min() and max(); a cheap way to cause a lot of work.',
    fallback: false,
  }),
  plans: flag('DATA_PLANS', {
    meaning: 'Whether Accept: application/vnd.pgrst.plan returns query plans; they reveal details of the database.',
    fallback: false,
  }),
  transactionOverride: flag('DATA_TX_OVERRIDE', {
    meaning: 'Whether Prefer: tx=rollback is honoured: nothing is saved.',
    fallback: false,
  }),
  preRequest: optionalText('DATA_PRE_REQUEST', {
    meaning: 'A function (schema.name) called before every request, in its transaction and with its role.',
  }),
  hoistedSettings: list('DATA_HOISTED_SETTINGS', {
    meaning: 'Settings of a called function that hold for the whole transaction.',
    fallback: ['statement_timeout', 'plan_filter.statement_cost_limit', 'default_transaction_isolation'],
  }),
  keyAlone: flag('DATA_KEY_ALONE', {
    meaning: 'Whether /rest/v1 takes an API key without Authorization, as Supabase’s gateway does.',
    fallback: false,
  }),
  anonymous: flag('DATA_ANONYMOUS', {
    meaning: 'Whether requests without any key are let in as the role anon.',
    fallback: false,
  }),
  openApiMode: choice('DATA_OPENAPI_MODE', ['follow-privileges', 'ignore-privileges', 'disabled'], {
    meaning: 'What the root document of /rest/v1 lists: what the caller may use, everything, or nothing.',
    fallback: 'follow-privileges',
  }),
  serverTiming: flag('DATA_SERVER_TIMING', {
    meaning: 'Whether answers carry Server-Timing: how long parsing, planning and the database took.',
    fallback: false,
  }),
} as const;
