// Line of a resolved thread: by whom it was resolved, and ways to read or reopen it.

import { CheckCheck } from 'lucide-react';
import { nameOf, profileOf, type ResolutionRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import styles from './comments.module.css';

interface ResolvedLineProps {
  readonly resolution: ResolutionRow;
  /** How many comments the thread has. */
  readonly count: number;
  readonly isShown: boolean;
  readonly onShow: () => void;
  /** Null for who may not write. */
  readonly onReopen: (() => void) | null;
}

export function ResolvedLine({ resolution, count, isShown, onShow, onReopen }: ResolvedLineProps) {
  const resolver = useQuery(profileOf, resolution.user_id ?? '');
  return (
    <div className={`${shapes.rowS3} ${shapes.quietS} ${styles.resolved}`}>
      <CheckCheck size={14} />
      <span>
        {resolution.user_id === null
          ? t('writing.comments.resolved')
          : t('writing.comments.resolvedBy', { name: nameOf(resolver) })}
      </span>
      <Button look="quiet" aria-expanded={isShown} onClick={onShow}>
        {isShown ? t('writing.comments.hide') : t('writing.comments.show', { n: count })}
      </Button>
      {onReopen && (
        <Button look="quiet" onClick={onReopen}>
          {t('writing.comments.reopen')}
        </Button>
      )}
    </div>
  );
}
