// Who the server is in the database for its own work with files: limits of buckets, public and signed downloads, files without a row.

import type { Caller } from '../database/types.ts';

export const serverCaller: Caller = { role: 'kanbase_files', claims: '{"role":"kanbase_files"}' };
