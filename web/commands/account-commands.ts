// Commands on one's own profile.

import { words } from '../strings/words.ts';
import type { Deed } from '../sync/journal.ts';
import type { ProfileRow } from '../sync/rows.ts';
import { update } from '../sync/step.ts';
import type { Store } from '../sync/store.ts';

export function editProfile(
  store: Store,
  userId: string,
  patch: Partial<Pick<ProfileRow, 'display_name' | 'avatar_url'>>,
): Deed {
  const profile = store.get('profiles', userId);
  const step = profile && update('profiles', profile, patch);
  return { label: words.account.didProfile, steps: step ? [step] : [] };
}
