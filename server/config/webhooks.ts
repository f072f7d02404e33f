// Webhooks.

import { networks } from './networks.ts';
import { list } from './setting.ts';

export const webhooksSettings = {
  allowedNetworks: {
    ...list('WEBHOOKS_ALLOWED_NETWORKS', {
      meaning:
        'Addresses or networks of your own that webhooks may be sent to, such as 10.1.0.0/16 or loopback; the public internet always.',
      fallback: [],
    }),
    read: networks,
  },
} as const;
