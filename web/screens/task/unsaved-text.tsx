// Text somebody was typing when they lost the right to write: shown for copying, until it is discarded.

import { t } from '../../strings/messages.ts';
import fieldStyles from '../../ui/fields/field.module.css';
import { Notice } from '../../ui/list-states.tsx';

export function UnsavedText({ text }: { text: string }) {
  return (
    <>
      <Notice tone="warn">{t('task.unsavedText')}</Notice>
      <textarea
        className={`${fieldStyles.input} ${fieldStyles.textArea}`}
        readOnly
        aria-label={t('task.unsavedTextLabel')}
        value={text}
      />
    </>
  );
}
