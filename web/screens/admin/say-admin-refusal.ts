// Words for refusals of the admin doors.

import { sayRefusal } from '../../commands.ts';
import { isMessage, t } from '../../strings/messages.ts';

export function sayAdminRefusal(reason: unknown): string {
  const { code = '' } = (reason ?? {}) as { code?: string };
  const key = `admin.refused.${code}` as const;
  return isMessage(key) ? t(key) : sayRefusal(reason);
}
