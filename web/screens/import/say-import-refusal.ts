// What the door of imports refuses, in a person's words; what is wrong with a file is said by whoever read it.

import { sayRefusal } from '../../commands.ts';
import { isMessage, t } from '../../strings/messages.ts';

export function sayImportRefusal(reason: unknown): string {
  const { code = '', status, message = '' } = (reason ?? {}) as { code?: string; status?: number; message?: string };
  if (status === 413) return t('import.tooLarge');
  const key = `import.refused.${code}` as const;
  return isMessage(key) ? t(key, { words: message }) : sayRefusal(reason);
}
