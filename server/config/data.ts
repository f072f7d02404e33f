// What /rest/v1 exposes and allows.

import { list, whole } from './setting.ts';

export const dataSettings = {
  schemas: list('DATA_SCHEMAS', { meaning: 'Schemas served at /rest/v1, the first one by default.', fallback: ['public'] }),
  maxRows: whole('DATA_MAX_ROWS', { min: 0, max: 1_000_000_000 }, { meaning: 'Rows a response holds at most; 0 lifts the limit.', fallback: 1000 }),
} as const;
