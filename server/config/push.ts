// Push messages to browsers.

import { list } from './setting.ts';

export const pushSettings = {
  services: list('PUSH_SERVICES', {
    meaning: 'Push services of browsers, subdomains included; messages go nowhere else. Empty: no push messages.',
    fallback: ['fcm.googleapis.com', 'push.services.mozilla.com', 'notify.windows.com', 'push.apple.com'],
  }),
} as const;
