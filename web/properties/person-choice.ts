// People as choices: members and guests of a project, and anyone named in a value, also one who is no longer a member.

import { readGuests, readInsiders } from '../queries/people/guests-on-tasks.ts';
import { everybody, isAgent, nameOf, type Person, readMembers } from '../queries/people/people.ts';
import type { Reader } from '../sync/rows/store.ts';
import type { Choice } from './property.ts';

export function personChoice(store: Reader, id: string): Choice {
  const profile = store.get('profiles', id);
  const one = { id, name: nameOf(profile), picture: profile?.avatar_url ?? null };
  return profile?.display_name?.trim() ? one : { ...one, unnamed: true };
}

const choicesIn = (store: Reader, people: readonly Person[]): Choice[] =>
  people.map(({ userId, name, avatarUrl }) => ({
    ...{ id: userId, name, picture: avatarUrl },
    ...(isAgent.read(store, userId) ? { agent: true as const } : {}),
  }));

export const memberChoices = (store: Reader, projectId: string): Choice[] =>
  choicesIn(store, readMembers(store, projectId));

/** Who can work on tasks: guests after members. */
export const workerChoices = (store: Reader, projectId: string): Choice[] => [
  ...choicesIn(store, readInsiders(store, projectId)),
  ...choicesIn(store, readGuests(store, projectId)).map((guest) => ({ ...guest, guest: true as const })),
];

export const everybodyAsChoices = (store: Reader): Choice[] => choicesIn(store, everybody.read(store, ''));
