// An uploaded file as what would be written: the same for the dry run and for the import itself, so that one shows what the other does.
// Runs in an import worker alone.

import type { Caller, StatementRunner } from '../../database/types.ts';
import { datesAsWords } from '../dates-as-words.ts';
import { fitToLimits } from '../fit-to-limits.ts';
import { isAddress, toInvite } from '../invite-people.ts';
import { type Read, SeveralParts, UnreadableFile } from '../neutral.ts';
import { chosenFor, type Invited, keepNames, type Matched, matchPeople } from '../people.ts';
import { type Recognised, readFile } from '../products.ts';
import type { Given } from '../source.ts';
import { chosenColleagues } from './chosen-colleagues.ts';
import { importError } from './errors.ts';
import type { ChosenForImport } from './read-choices.ts';

/** Larger ones go by `kanbase import`, which no other request waits for. */
export const mostUploaded = 64 * 1024 * 1024;
/** Some hundreds of megabytes of heap at worst; what products write has fewer in as many bytes. */
const mostAtOnce = { bytes: mostUploaded, values: 5_000_000, objects: 750_000, rows: 3_000_000 };
const partsTold = 200;

export interface ReadUpload {
  readonly recognised: Omit<Recognised, 'read'>;
  readonly read: Read;
  readonly matched: Matched;
  readonly invited: Invited;
  /** Ids of those who are no members yet and are when it starts. */
  readonly joining: ReadonlySet<string>;
  /** They own the project: they may invite, and what the file says of dates long past stays dates; otherwise it becomes words. */
  readonly isOwned: boolean;
}

export async function recognise(
  given: Given,
  fileName: string,
  choices: ChosenForImport,
  { isNew, isOnlyRecognised }: { readonly isNew: boolean; readonly isOnlyRecognised: boolean },
): Promise<Recognised> {
  const { from, part = null, mapping, dates } = choices;
  const options = { from, part, fileName, dayOrder: dates, isNew, isOnlyRecognised, mostAtOnce };
  try {
    const recognised = await readFile(given, mapping === null ? options : { ...options, mapping });
    const columns = recognised.table?.header.length ?? mapping?.length;
    if (mapping !== null && mapping.length !== columns)
      throw importError('KB824', `The file has ${columns} columns, and mapping ${mapping.length}`);
    return recognised;
  } catch (error) {
    if (error instanceof SeveralParts)
      throw importError('KB828', error.message, { details: error.parts.slice(0, partsTold).join('\n') });
    if (error instanceof UnreadableFile) throw importError('KB823', error.message);
    throw error;
  }
}

export interface Wanted {
  readonly database: StatementRunner;
  readonly caller: Caller;
  readonly userId: string;
  /** None: one that is to be made, of which the caller is the owner. */
  readonly projectId: string | null;
  /** It is to be made, or was made for this. */
  readonly isNew: boolean;
  /** Colleagues who were chosen have joined. */
  readonly isStarted: boolean;
  readonly given: Given;
  readonly fileName: string;
  readonly choices: ChosenForImport;
}

export async function readUpload(wanted: Wanted): Promise<ReadUpload> {
  const { database, caller, projectId, isNew, isStarted, fileName, choices } = wanted;
  // As it was read nobody needs it beside what is made of it.
  const { read, ...recognised } = await recognise(wanted.given, fileName, choices, {
    isNew,
    isOnlyRecognised: false,
  });
  const { people } = read.project;
  const byHand = new Map(Object.entries(choices.people));
  const isOwned = await checkOwned(wanted);
  // A member who left since the start is kept as a name.
  const joining = isStarted ? new Set<string>() : await chosenColleagues(wanted, isOwned);
  const matched =
    projectId === null
      ? await asMyself(wanted, people, byHand, joining)
      : await matchPeople(database, caller, projectId, people, byHand, joining);
  const invited = toInvite(people, matched, byHand, false);
  const named = keepNames(read, matched, invited);
  return { recognised, read: fitToLimits(isOwned ? named : datesAsWords(named)), matched, invited, joining, isOwned };
}

/** Of a new project the caller is the one member, beside those who join: found by address, by name or by hand, as they will be then. */
async function asMyself(
  { database, caller, userId }: Wanted,
  people: Read['project']['people'],
  byHand: ReadonlyMap<string, string>,
  joining: ReadonlySet<string>,
): Promise<Matched> {
  const [me] = await database.objectsAs<{ name: string | null }>(caller, {
    text: 'select display_name as name from public.profiles where id = $1',
    values: [userId],
  });
  const { email = '' } = JSON.parse(caller.claims) as { email?: string };
  const isMe = (person: (typeof people)[number]): boolean => {
    const { name, address } = person;
    const chosen = chosenFor(person, byHand);
    if (chosen !== undefined) return chosen !== '' && [userId, email.toLowerCase()].includes(chosen.toLowerCase());
    if (address !== null && address.toLowerCase() === email.toLowerCase()) return true;
    return me?.name?.toLowerCase() === name.toLowerCase();
  };
  return new Map(
    people.flatMap((person): [string, string][] => {
      const chosen = chosenFor(person, byHand);
      if (chosen !== undefined && joining.has(chosen)) return [[person.key, chosen]];
      return isMe(person) ? [[person.key, userId]] : [];
    }),
  );
}

/** Whether the project is theirs; whoever is to invite people must own it. */
export async function checkOwned({
  database,
  caller,
  projectId,
  userId,
  choices,
}: Omit<Wanted, 'given' | 'fileName' | 'isNew' | 'isStarted'>): Promise<boolean> {
  if (projectId === null) return true;
  const rows = await database.objectsAs<{ role: string }>(caller, {
    text: 'select role::text from public.project_members where project_id = $1 and user_id = $2',
    values: [projectId, userId],
  });
  const isOwned = rows[0]?.role === 'owner';
  if (!isOwned && Object.values(choices.people).some(isAddress))
    throw importError('KB826', 'Only owners of a project invite people to it');
  return isOwned;
}
