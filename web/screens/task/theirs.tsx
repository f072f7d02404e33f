// Notice of somebody else's change to the field being edited: one's own text stays, theirs is shown beside it with their name, to take or
// to ignore.

import { type ReactNode, useEffect, useState } from 'react';
import { useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import type { Draft } from '../../ui/fields/draft.ts';
import { Notice } from '../../ui/state.tsx';
import styles from './task-part.module.css';

export interface Clash {
  /** What they wrote; null: nobody did, or I have decided for mine. */
  readonly theirs: string | null;
  /** From now on mine may be saved over it. */
  keepMine(): void;
}

/** `isKnown`: what is stored has been read. */
export function useClash(draft: Draft, stored: string, isKnown = true): Clash {
  /** What stood there when I began, or when I decided. */
  const [begun, setBegun] = useState<string | null>(null);
  const { dirty } = draft;
  useEffect(() => {
    setBegun((old) => (isKnown ? (dirty && old !== null ? old : stored) : null));
  }, [isKnown, dirty, stored]);
  return {
    theirs: dirty && begun !== null && begun !== stored ? stored : null,
    keepMine: () => setBegun(stored),
  };
}

export function Theirs({
  by,
  name,
  children,
  onTake,
  onKeep,
}: {
  /** Who saved it last; null where that is not known. */
  by: string | null;
  name: string;
  /** What they wrote. */
  children: ReactNode;
  onTake: () => void;
  onKeep: () => void;
}) {
  const userId = useUserId();
  return (
    <Notice tone="warn">
      <div className={styles.theirs} data-theirs>
        <p>{by === userId ? t('task.theirs.own') : t('task.theirs.changed', { name })}</p>
        <div className={styles.theirsText}>{children}</div>
        <div className={styles.partActions}>
          <Button onClick={onTake}>{t('task.theirs.take')}</Button>
          <Button look="main" onClick={onKeep}>
            {t('task.theirs.keep')}
          </Button>
        </div>
      </div>
    </Notice>
  );
}
