// People as choices: members and guests of a project, and anyone named in a value, also one who is no longer a member.

import { readGuests, readInsiders } from '../queries/people/guests-on-tasks.ts';
import { everybody, nameOf, type Person, readMembers } from '../queries/people/people.ts';
import type { Reader } from '../sync/rows/store.ts';
import type { Choice } from './property.ts';

export function personChoice(store: Reader, id: string): Choice {
  const profile = store.get('profiles', id);
  const one = { id, name: nameOf(profile), picture: profile?.avatar_url ?? null };
  return profile?.display_name?.trim() ? one : { ...one, unnamed: true };
}

const asChoice = ({ userId, name, avatarUrl }: Person): Choice => ({ id: userId, name, picture: avatarUrl });

export const memberChoices = (store: Reader, projectId: string): Choice[] =>
  readMembers(store, projectId).map(asChoice);

/** Who can work on tasks: guests after members. */
export const workerChoices = (store: Reader, projectId: string): Choice[] => [
  ...readInsiders(store, projectId).map(asChoice),
  ...readGuests(store, projectId).map((guest) => ({ ...asChoice(guest), guest: true as const })),
];

export const everybodyAsChoices = (store: Reader): Choice[] => everybody.read(store, '').map(asChoice);
