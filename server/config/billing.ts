// The payment provider. Without a secret key billing is off.

import { list, optionalText, type Setting, text, whole } from './setting.ts';

export const billingSettings = {
  secretKey: notStarting(
    ['pk_', 'whsec_'],
    'a secret key, which starts with sk_ or rk_',
    optionalText('BILLING_SECRET_KEY', {
      meaning: 'Secret key at the payment provider (test or live).',
      fallbackText: 'billing is off',
      secret: true,
    }),
  ),
  webhookSecret: notStarting(
    ['pk_', 'sk_', 'rk_'],
    'the signing secret of the event endpoint, which starts with whsec_',
    optionalText('BILLING_WEBHOOK_SECRET', {
      meaning: 'Signing secret of payment events.',
      fallbackText: 'no events are accepted',
      secret: true,
    }),
  ),
  redirects: origins(
    list('BILLING_REDIRECTS', {
      meaning:
        'Where people may be sent after paying: origins beside the site itself; "site" allows the site alone, "any" every http(s) address.',
      fallback: [],
      fallbackText: 'site; any while SITE_URL is on this machine',
    }),
  ),
  timeoutMs: whole(
    'BILLING_TIMEOUT_MS',
    { min: 100, max: 9500 },
    {
      meaning: 'How long the payment provider may take to answer, repeats included.',
      fallback: 9000,
    },
  ),
  apiUrl: text('BILLING_API_URL', {
    meaning: "Address of the payment provider's API; another one only to try things out against a stand-in.",
    fallback: 'https://api.stripe.com',
  }),
} as const;

/** The provider's keys look alike; the wrong one in the wrong place is found at start, not at the first purchase. */
function notStarting(
  prefixes: readonly string[],
  accepted: string,
  setting: Setting<string | null>,
): Setting<string | null> {
  return {
    ...setting,
    read: (value) => {
      if (prefixes.some((prefix) => value.startsWith(prefix))) throw new Error(accepted);
      return setting.read(value.trim());
    },
  };
}

/** An entry that can never match would shut people out after they paid; it is found at start. */
function origins(setting: Setting<readonly string[]>): Setting<readonly string[]> {
  return {
    ...setting,
    read: (value) => {
      const entries = setting.read(value);
      for (const entry of entries)
        if (entry !== 'any' && entry !== 'site' && !/^https?:\/\/[^/?#\s]+\/?$/i.test(entry))
          throw new Error(
            'site (SITE_URL only), any, or origins separated by commas, such as https://shop.example.com',
          );
      return entries;
    },
  };
}
