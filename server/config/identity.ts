// Accounts, tokens and how people sign in.

import { whole } from './setting.ts';

export const identitySettings = {
  passwordMin: whole('AUTH_PASSWORD_MIN', { min: 6, max: 72 }, { meaning: 'Shortest password accepted.', fallback: 6 }),
} as const;
