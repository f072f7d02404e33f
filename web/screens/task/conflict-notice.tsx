// Notice of somebody else's change to the field being edited: one's own text stays, theirs is shown beside it with their name, to take or
// to ignore.

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { type Draft, keep, recall } from '../../ui/fields/draft.ts';
import { Notice } from '../../ui/list-states.tsx';
import { showOffer } from '../../ui/overlays/toaster.tsx';
import { type DifferentLine, differenceOf } from '../../ui/text/difference.ts';
import styles from './task-part.module.css';

export interface EditConflict {
  /** What they wrote; null: nobody did, or I have decided for mine. */
  readonly theirs: string | null;
  /** From now on mine may be saved over it. */
  keepMine(): void;
}

/** `isKnown`: what is stored has been read. A draft that is kept comes with what stood there when it was begun, also after a reload. */
export function useEditConflict(draft: Draft, stored: string, isKnown = true): EditConflict {
  const { dirty, basedOn } = draft;
  /** What stood there when I began, or when I decided. */
  const [begun, setBegun] = useState<string | null>(() => (dirty && basedOn !== undefined ? recall(basedOn) : null));
  useEffect(() => {
    setBegun((old) => (dirty && old !== null ? old : isKnown ? stored : null));
  }, [isKnown, dirty, stored]);
  const wasDirty = useRef(dirty);
  useEffect(() => {
    // A field that is clean from the start leaves what another tab has kept.
    if (basedOn !== undefined && dirty && begun !== null) keep(basedOn, begun);
    if (basedOn !== undefined && !dirty && wasDirty.current) keep(basedOn, null);
    wasDirty.current = dirty;
  }, [basedOn, dirty, begun]);
  return {
    theirs: isKnown && dirty && begun !== null && begun !== stored ? stored : null,
    keepMine: () => setBegun(stored),
  };
}

/** Lets the draft go for theirs; it can be had back for a while. */
export function takeTheirVersion(draft: Draft, back: () => void): void {
  const { text } = draft;
  draft.reset();
  showOffer(`theirs ${draft.basedOn ?? ''}`, t('task.conflict.taken'), 20_000, {
    label: t('task.conflict.useMine'),
    onPick() {
      draft.set(text);
      back();
    },
  });
}

/** Both texts line by line, without the long stretches that are the same. */
function Difference({ mine, theirs }: { mine: string; theirs: string }) {
  const [open, setOpen] = useState(false);
  const lines = open ? differenceOf(mine, theirs) : [];
  const isNear = (at: number): boolean => lines.slice(Math.max(0, at - 1), at + 2).some(({ of }) => of !== 'both');
  const spoken = { one: t('task.conflict.onlyMine'), other: t('task.conflict.onlyTheirs') };
  const drawn = (line: DifferentLine, at: number): ReactNode => {
    if (line.of === 'both') return isNear(at) ? <p key={at}>{line.line}</p> : isNear(at - 1) && <p key={at}>…</p>;
    const Mark = line.of === 'one' ? 'del' : 'ins';
    return (
      <p key={at}>
        <Mark>
          <span className="only-spoken">{spoken[line.of]} </span>
          {line.line || '\u00a0'}
        </Mark>
      </p>
    );
  };
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('task.conflict.compare')}</summary>
      {open && <div className={`${styles.theirsText} ${styles.difference}`}>{lines.map(drawn)}</div>}
    </details>
  );
}

export function ConflictNotice({
  by,
  name,
  compared,
  children,
  onTake,
  onKeep,
}: {
  /** Texts of several lines are shown beside each other. */
  compared?: { readonly mine: string; readonly theirs: string };
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
      <div className={`${shapes.stackS3} ${styles.theirs}`} data-theirs>
        <p>{by === userId ? t('task.conflict.own') : t('task.conflict.changed', { name })}</p>
        <div className={styles.theirsText}>{children}</div>
        {compared && <Difference {...compared} />}
        <div className={styles.partActions}>
          <Button onClick={onTake}>{t('task.conflict.take')}</Button>
          <Button look="main" onClick={onKeep}>
            {t('task.conflict.keep')}
          </Button>
        </div>
      </div>
    </Notice>
  );
}
