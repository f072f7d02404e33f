// Words for the reason why a file could not be uploaded.

import { type NewAttachment, Refusal, sayRefusal } from '../commands.ts';
import { t } from '../strings/messages.ts';
import { saySize } from './say-size.ts';

export function sayUploadFault(reason: unknown, attachment: Pick<NewAttachment, 'name' | 'size_bytes'>): string {
  if (!(reason instanceof Refusal)) return sayRefusal(reason);
  if (reason.status === 413 || /too ?large|maximum allowed size/i.test(`${reason.code} ${reason.message}`))
    return t('files.fault.tooLarge', { size: saySize(attachment.size_bytes) });
  if (reason.status === 507) return t('files.fault.full');
  if (/quota/i.test(`${reason.code} ${reason.message}`)) return t('files.fault.quota');
  if (reason.status === 415 || /mime/i.test(reason.code)) return t('files.fault.type');
  return sayRefusal(reason);
}
