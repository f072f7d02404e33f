// The landing pages and what people leave there.

import { optionalFlag, optionalText, whole } from './setting.ts';

export const landingSettings = {
  leadsPerMinute: whole(
    'LEADS_PER_MINUTE',
    { min: 1, max: 100_000 },
    {
      meaning: 'Addresses one caller may leave on the landing page in a minute.',
      fallback: 30,
    },
  ),
  leadForm: optionalFlag('LANDING_LEADS', {
    meaning: 'The landing page asks for addresses to write to.',
    fallbackText: 'true only when mail can be sent',
  }),
  leadNotify: optionalText('LEAD_NOTIFY_EMAIL', {
    meaning: 'Who gets an email for every new lead.',
    fallbackText: 'nobody',
  }),
  webDir: optionalText('WEB_DIR', {
    meaning: 'Where the built pages are.',
    fallbackText: 'dist/web beside the server',
  }),
} as const;
