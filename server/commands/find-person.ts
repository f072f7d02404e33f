// Finds the person a command acts for by email address, and the project it means among those this person can see.

import pg from 'pg';
import { connectionOptions } from '../database/connection-options.ts';
import type { Caller, Database } from '../database/types.ts';
import type { ReachedDatabase } from '../reach-database.ts';
import { CommandError } from './command.ts';

export interface Person {
  readonly userId: string;
  readonly caller: Caller;
}

export async function findPerson({ directUrl }: ReachedDatabase, email: string): Promise<Person> {
  const owner = new pg.Client(connectionOptions(directUrl));
  await owner.connect();
  try {
    const { rows } = await owner.query<{ id: string }>(
      'select id from auth.users where lower(email) = lower($1) and deleted_at is null order by created_at limit 1',
      [email],
    );
    const userId = rows[0]?.id;
    if (userId === undefined) throw new CommandError(`${email} has no account here`);
    return {
      userId,
      caller: { role: 'authenticated', claims: JSON.stringify({ sub: userId, role: 'authenticated' }) },
    };
  } finally {
    await owner.end();
  }
}

export async function findProject(database: Database, caller: Caller, name: string): Promise<string> {
  const rows = await database.objectsAs<{ id: string }>(caller, {
    text: 'select id from public.projects where id::text = lower($1) or key = upper($1)',
    values: [name],
  });
  if (rows.length > 1) throw new CommandError(`several projects have the key ${name}: give the id of one`);
  const [found] = rows;
  if (found === undefined)
    throw new CommandError(`there is no project ${name} that they see: give its key or id, or new:NAME`);
  return found.id;
}
