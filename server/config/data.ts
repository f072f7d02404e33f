// What /rest/v1 exposes and allows.

import { choice, flag, list, optionalText, whole } from './setting.ts';

export const dataSettings = {
  schemas: list('DATA_SCHEMAS', {
    meaning: 'Schemas served at /rest/v1, the first one by default.',
    fallback: ['public'],
  }),
  extraSearchPath: list('DATA_EXTRA_SEARCH_PATH', {
    meaning: 'Schemas that SQL finds without a prefix after the one asked for; they are not served.',
    fallback: ['public'],
  }),
  maxRows: whole(
    'DATA_MAX_ROWS',
    { min: 0, max: 1_000_000_000 },
    { meaning: 'Rows a response holds at most; 0 lifts the limit.', fallback: 1000 },
  ),
  aggregates: flag('DATA_AGGREGATES', {
    meaning: 'Whether select may hold count(), sum(), avg(), min() and max(); a cheap way to ask for much work.',
    fallback: false,
  }),
  plans: flag('DATA_PLANS', {
    meaning: 'Whether Accept: application/vnd.pgrst.plan answers query plans; they tell about the database.',
    fallback: false,
  }),
  transactionOverride: flag('DATA_TX_OVERRIDE', {
    meaning: 'Whether Prefer: tx=rollback is honoured: the answer as if, and nothing is kept.',
    fallback: false,
  }),
  preRequest: optionalText('DATA_PRE_REQUEST', {
    meaning: 'A function (schema.name) called before every request, in its transaction and with its role.',
  }),
  hoistedSettings: list('DATA_HOISTED_SETTINGS', {
    meaning: 'Settings attached to a function that hold for the whole transaction when it is called.',
    fallback: ['statement_timeout', 'plan_filter.statement_cost_limit', 'default_transaction_isolation'],
  }),
  anonymous: flag('DATA_ANONYMOUS', {
    meaning: 'Whether requests without any key are let in as the role anon.',
    fallback: false,
  }),
  openApiMode: choice('DATA_OPENAPI_MODE', ['follow-privileges', 'ignore-privileges', 'disabled'], {
    meaning: 'What the root document of /rest/v1 lists: what the caller may use, everything, or nothing at all.',
    fallback: 'follow-privileges',
  }),
  serverTiming: flag('DATA_SERVER_TIMING', {
    meaning: 'Whether answers carry Server-Timing: how long parsing, planning and the database took.',
    fallback: false,
  }),
} as const;
