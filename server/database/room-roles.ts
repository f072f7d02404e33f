// Roles under which rooms ask the database for their own work, rather than as a caller. Each has rights on the tables of its room alone, and
// no token can name it.

import type { Caller } from './types.ts';

export const roomRoles = {
  admin: { role: 'kanbase_desk', claims: '{}' },
  billing: { role: 'kanbase_billing', claims: '{}' },
  exports: { role: 'kanbase_exports', claims: '{}' },
  feeds: { role: 'kanbase_feeds', claims: '{}' },
  files: { role: 'kanbase_files', claims: '{"role":"kanbase_files"}' },
  identity: { role: 'kanbase_identity', claims: '{}' },
  imports: { role: 'kanbase_imports', claims: '{}' },
  limits: { role: 'kanbase_limits', claims: '{}' },
  mail: { role: 'kanbase_mail', claims: '{}' },
  outbox: { role: 'kanbase_outbox', claims: '{}' },
  pages: { role: 'kanbase_landing', claims: '{}' },
  realtime: { role: 'kanbase_realtime', claims: '{"role":"kanbase_realtime"}' },
  recurrence: { role: 'kanbase_recurrence', claims: '{}' },
  replica: { role: 'kanbase_replica', claims: '{"role":"kanbase_replica"}' },
  scim: { role: 'kanbase_scim', claims: '{}' },
} as const satisfies Readonly<Record<string, Caller>>;
