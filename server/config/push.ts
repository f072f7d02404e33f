// Push messages to browsers.

import { list } from './setting.ts';

export const pushSettings = {
  services: list('PUSH_SERVICES', {
    meaning:
      'Hosts of the push services of browsers; messages go nowhere else. A name stands for its subdomains too. Empty: no push messages.',
    fallback: ['fcm.googleapis.com', 'push.services.mozilla.com', 'notify.windows.com', 'push.apple.com'],
  }),
} as const;
