// Texts for errors of the import API; the reader itself reports problems of a file.

import { sayRefusal } from '../../commands.ts';
import { isMessage, t } from '../../strings/messages.ts';

export function sayImportRefusal(reason: unknown): string {
  const { code = '', status, message = '' } = (reason ?? {}) as { code?: string; status?: number; message?: string };
  if (status === 413) return t('import.tooLarge');
  const key = `import.refused.${code}` as const;
  return isMessage(key) ? t(key, { words: message }) : sayRefusal(reason);
}
