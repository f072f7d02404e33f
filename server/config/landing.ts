// The landing pages and what people leave there.

import { optionalFlag, optionalText, whole } from './setting.ts';

export const landingSettings = {
  leadsPerMinute: whole(
    'LEADS_PER_MINUTE',
    { min: 1, max: 100_000 },
    {
      meaning: 'Addresses one visitor may leave on the landing page in a minute.',
      fallback: 30,
    },
  ),
  leadForm: optionalFlag('LANDING_LEADS', {
    meaning: 'Shows a form on the landing page that asks for email addresses.',
    fallbackText: 'true only when email can be sent',
  }),
  leadNotify: optionalText('LEAD_NOTIFY_EMAIL', {
    meaning: 'Who gets an email for every new lead.',
    fallbackText: 'nobody',
  }),
  webDir: optionalText('WEB_DIR', {
    meaning: 'Directory of the built pages.',
    fallbackText: 'dist/web beside the server',
  }),
} as const;
