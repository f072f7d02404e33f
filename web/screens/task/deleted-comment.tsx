// Notice for a comment that was deleted elsewhere while it was being edited here: offers to post the typed text anew or discard it.

import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/list-states.tsx';
import styles from './task-part.module.css';

export interface DeletedComment {
  readonly id: string;
  readonly taskId: string;
  /** As it was being written. */
  readonly text: string;
}

interface GoneCommentProps {
  readonly text: string;
  readonly onDrop: () => void;
  /** Null for who may not comment. */
  readonly onUse: (() => void) | null;
}

export function DeletedCommentNotice({ text, onDrop, onUse }: GoneCommentProps) {
  return (
    <Notice tone="warn">
      <div className={`${shapes.stackS3} ${styles.theirs}`} data-gone>
        <p>{t('task.commentGone.said')}</p>
        <div className={styles.theirsText}>{text}</div>
        <div className={styles.partActions}>
          <Button onClick={onDrop}>{t('common.discard')}</Button>
          {onUse && (
            <Button look="main" onClick={onUse}>
              {t('task.commentGone.use')}
            </Button>
          )}
        </div>
      </div>
    </Notice>
  );
}
