// Foot of a text field: a hint, files, and the switch of the mode.

import { Paperclip } from 'lucide-react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import styles from './writing-field.module.css';

interface Props {
  readonly isRich: boolean;
  readonly prefersMarkdown: boolean;
  /** Null for who may not attach any. */
  readonly onFiles: (() => void) | null;
  readonly onSwitch: () => void;
}

export function WritingFoot({ isRich, prefersMarkdown, onFiles, onSwitch }: Props) {
  return (
    <div className={`${shapes.rowS2} ${styles.foot}`}>
      <span className={`${shapes.quietXs} ${shapes.cut} ${shapes.fill} ${styles.hint}`}>
        {isRich ? t('writing.hint') : ''}
      </span>
      {onFiles && (
        <IconButton label={t('writing.attach')} onClick={onFiles}>
          <Paperclip size={14} />
        </IconButton>
      )}
      <button
        type="button"
        className={`${shapes.quietXs} ${shapes.pressInk} ${shapes.rigid} ${styles.switch}`}
        aria-pressed={prefersMarkdown}
        title={t('writing.markdownHint')}
        onClick={onSwitch}
      >
        {t('writing.markdown')}
      </button>
    </div>
  );
}
