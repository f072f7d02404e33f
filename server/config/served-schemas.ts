// Reads the names of the schemas that are served: never one whose functions and tables trust that nobody reaches them from outside.

/** Ours behind the doors, and Postgres' own. */
const closed = ['auth', 'billing', 'data_door', 'extensions', 'information_schema', 'private', 'realtime', 'storage'];

export function servedSchemas(value: string): readonly string[] {
  const names = value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const refused = names.filter((name) => closed.includes(name) || name.startsWith('pg_'));
  if (refused.length > 0) throw new Error(`schemas other than ${refused.join(', ')}, which no request may reach`);
  return names;
}
