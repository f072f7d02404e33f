// Words for refusals of the admin doors.

import { sayRefusal } from '../../commands.ts';
import { isMessage, t } from '../../strings/messages.ts';

export function sayDeskRefusal(reason: unknown): string {
  const { code = '' } = (reason ?? {}) as { code?: string };
  const key = `desk.refused.${code}` as const;
  return isMessage(key) ? t(key) : sayRefusal(reason);
}
