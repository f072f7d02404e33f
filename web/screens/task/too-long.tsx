// Message with the number of characters beyond the limit.

import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';

export function TooLong({ over }: { over: number }) {
  if (over === 0) return null;
  return (
    <p className={`${shapes.wrong} ${shapes.medium}`} role="alert">
      {t('task.tooLong', { over })}
    </p>
  );
}
