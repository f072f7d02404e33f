// Commands on one's own profile, and on names of service accounts.

import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import type { ProfileRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { define, flag, orNull, record, some, text } from './define-command.ts';
import { updateRows } from './send-changes.ts';

const patch = some({ display_name: orNull(text), avatar_url: orNull(text), shows_presence: flag });

const edit = define('editProfile', record({ userId: text, patch }), {
  changes: ({ userId, patch }) => [updateRows('profiles', [{ id: userId, ...patch }])],
});

export function editProfile(
  _: Reader,
  userId: string,
  patch: Partial<Pick<ProfileRow, 'display_name' | 'avatar_url' | 'shows_presence'>>,
): Mutation {
  return edit({ userId, patch }, t('avatar_url' in patch ? 'account.didPicture' : 'account.didProfile'));
}

/** Of a service account that one manages. */
export function renameServiceAccount(_: Reader, userId: string, name: string): Mutation {
  return edit({ userId, patch: { display_name: name } }, t('task.did.fieldSet', { name }));
}
