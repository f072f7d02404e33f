// Role of the server's own work with files: limits of buckets, public and signed downloads, files without a row.

import type { Caller } from '../database/types.ts';

export const serverCaller: Caller = { role: 'kanbase_files', claims: '{"role":"kanbase_files"}' };
