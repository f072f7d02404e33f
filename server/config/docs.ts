// Settings of /docs and /openapi.json.

import { text } from './setting.ts';

export const docsSettings = {
  role: text('DOCS_ROLE', {
    meaning: 'The role whose view of the data /openapi.json and /docs show to everyone; anon shows least.',
    fallback: 'authenticated',
  }),
} as const;
