// Words for a setting: its meaning, and its value where that is words. A server of another version may know settings that this app does not.

import type { AdminSetting } from '../../queries/admin/admin-state.ts';
import { isMessage, t } from '../../strings/messages.ts';

export function sayMeaning({ name, meaning }: AdminSetting): string {
  const key = `setting.meaning.${name}` as const;
  return isMessage(key) ? t(key) : meaning;
}

export function sayValue({ name, value, source, is_secret: isSecret }: AdminSetting): string {
  if (source !== 'default') return isSecret ? t('admin.server.hidden') : value;
  const key = `setting.default.${name}` as const;
  return isMessage(key) ? t(key) : value;
}
