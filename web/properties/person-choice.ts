// Person as a choice, also one who is no longer a member.

import { nameOf } from '../queries/people/people.ts';
import type { Reader } from '../sync/rows/store.ts';
import type { Choice } from './property.ts';

export function personChoice(store: Reader, id: string): Choice {
  const profile = store.get('profiles', id);
  const name = nameOf(profile);
  return profile?.display_name?.trim() ? { id, name } : { id, name, unnamed: true };
}
