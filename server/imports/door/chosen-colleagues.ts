// Colleagues among the people chosen for an import: people with whom the importer shares another project, and who join this one. Refuses ids of
// anybody else, and colleagues where the importer may not add people.

import type { Caller, StatementRunner } from '../../database/types.ts';
import { shorten } from '../shorten.ts';
import { importError } from './errors.ts';
import { type ChosenForImport, uuidOrNull } from './read-choices.ts';

interface Choosing {
  readonly database: StatementRunner;
  readonly caller: Caller;
  readonly userId: string;
  /** Null: a new one, of which the importer is the one member. */
  readonly projectId: string | null;
  readonly choices: ChosenForImport;
}

interface Known {
  readonly id: string;
  readonly is_member: boolean;
}

export async function chosenColleagues(
  { database, caller, userId, projectId, choices }: Choosing,
  isOwned: boolean,
): Promise<ReadonlySet<string>> {
  const chosen = Object.entries(choices.people).filter(([, who]) => uuidOrNull(who) !== null);
  if (chosen.length === 0) return new Set();
  const rows = await database.objectsAs<Known>(caller, {
    text: `select c.user_id as id, exists (
             select from public.project_members m where m.project_id = $1 and m.user_id = c.user_id) as is_member
           from private.my_colleagues c where c.user_id in (select jsonb_array_elements_text($2::jsonb)::uuid)`,
    values: [projectId, JSON.stringify([...new Set(chosen.map(([, id]) => id))])],
  });
  // Who is in no project yet is nobody's colleague, not even their own.
  const isMember = new Map([...rows.map(({ id, is_member }) => [id, is_member] as const), [userId, true] as const]);
  for (const [key, id] of chosen) {
    const name = shorten(key, 100);
    if (!isMember.has(id))
      throw importError('KB824', `${id}, chosen for “${name}”, is neither a member of the project nor a colleague`);
    if (!isMember.get(id) && !isOwned)
      throw importError(
        'KB826',
        `Only owners add people to a project: ${id}, chosen for “${name}”, is no member of it`,
      );
  }
  return new Set(chosen.map(([, id]) => id).filter((id) => !isMember.get(id)));
}
