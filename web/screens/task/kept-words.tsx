// Words someone was writing when they lost the right to: kept, shown, and theirs to copy.

import { t } from '../../strings/messages.ts';
import fieldStyles from '../../ui/fields/field.module.css';
import { Notice } from '../../ui/state.tsx';

export function KeptWords({ text }: { text: string }) {
  return (
    <>
      <Notice tone="warn">{t('task.keptWords')}</Notice>
      <textarea
        className={`${fieldStyles.input} ${fieldStyles.textArea}`}
        readOnly
        aria-label={t('task.keptWordsLabel')}
        value={text}
      />
    </>
  );
}
