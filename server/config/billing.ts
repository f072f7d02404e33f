// The payment provider. Without a secret key billing is off.

import { optionalText } from './setting.ts';

export const billingSettings = {
  secretKey: optionalText('BILLING_SECRET_KEY', { meaning: 'Secret key at the payment provider (test or live).', secret: true }),
  webhookSecret: optionalText('BILLING_WEBHOOK_SECRET', { meaning: 'Signing secret of payment events.', secret: true }),
} as const;
