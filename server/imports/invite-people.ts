// Invites people of the file who have no account here, by the address in the file or one given by hand, with the importer's rights and limits. Tasks
// assigned to them wait in `private.awaited_assignees`.

import { type Caller, PostgresError, type StatementRunner } from '../database/types.ts';
import type { Person, Problem } from './neutral.ts';
import { chosenFor, type Invited, type Matched } from './people.ts';
import { note } from './prepare-places.ts';

const address = /^[^\s,;<>"()[\]\\@]+@[^\s,;<>"()[\]\\@]+$/;

export const isAddress = (text: string): boolean => address.test(text) && text.length <= 255;

/** Whoever is nobody here and has an address: one given by hand; where all are asked, that of the file too. An empty one by hand: nobody. */
export function toInvite(
  people: readonly Person[],
  matched: Matched,
  byHand: ReadonlyMap<string, string>,
  all: boolean,
): Invited {
  return new Map(
    people.flatMap((person): [string, string][] => {
      const { key, address: own } = person;
      const to = chosenFor(person, byHand) ?? (all ? own : null) ?? '';
      return !matched.has(key) && isAddress(to) ? [[key, to.toLowerCase()]] : [];
    }),
  );
}

/** Invites each address that has no open invitation; what is refused is told, and stops nothing. */
export async function invitePeople(
  {
    database,
    caller,
    projectId,
    invited = new Map(),
  }: { database: StatementRunner; caller: Caller; projectId: string; invited?: Invited },
  importId: string,
  problems: Problem[],
): Promise<void> {
  if (invited.size === 0) return;
  const open = await database.objectsAs<{ email: string }>(caller, {
    text: `select lower(email) as email from public.project_invitations
           where project_id = $1 and accepted_at is null and expires_at > now()`,
    values: [projectId],
  });
  const asked = new Set(open.map(({ email }) => email));
  for (const email of new Set(invited.values())) {
    if (asked.has(email)) continue;
    try {
      await database.transactAs(caller, async (tx) => {
        const [made] = await tx.objects<{ id: string }>({
          text: `select public.invite_member($1, $2, 'editor') ->> 'id' as id`,
          values: [projectId, email],
        });
        await note(tx, importId, 'invitation', made === undefined ? [] : [made.id]);
      });
    } catch (error) {
      if (!(error instanceof PostgresError) || /^(08|53|57)/.test(error.sqlstate)) throw error;
      problems.push({ kind: 'not_invited', line: null, about: `${email}: ${error.message}` });
    }
  }
}
