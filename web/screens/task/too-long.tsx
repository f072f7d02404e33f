// Message with the number of characters beyond the limit.

import { t } from '../../strings/messages.ts';
import fieldStyles from '../../ui/fields/field.module.css';

export function TooLong({ over }: { over: number }) {
  if (over === 0) return null;
  return (
    <p className={fieldStyles.fieldError} role="alert">
      {t('task.tooLong', { over })}
    </p>
  );
}
