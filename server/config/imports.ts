// Imports: how much is read.

import { whole } from './setting.ts';

export const importsSettings = {
  sizeLimit: whole(
    'IMPORT_SIZE_LIMIT',
    { min: 1, max: Number.MAX_SAFE_INTEGER },
    {
      meaning:
        'Bytes that npx kanbase import reads of a file, unpacked, without attachments; held in memory, but for a project of Kanbase that becomes a new one. The app takes 64 MB.',
      fallback: 268_435_456,
    },
  ),
} as const;
