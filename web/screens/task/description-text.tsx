// The description as it is read: its text with boxes to tick, an invitation to write one, or that there is none.

import type { Ref } from 'react';
import { tickBox, useAct } from '../../commands.ts';
import { TaskMarkdown } from '../../pieces/task-markdown.tsx';
import type { TaskRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Skeleton } from '../../ui/list-states.tsx';
import { tickLine } from '../../ui/text/tick-markdown.ts';
import { openAttachment } from './attachments/viewer-state.ts';
import styles from './task-part.module.css';

interface Props {
  readonly task: TaskRow;
  readonly isLoaded: boolean;
  readonly mentions: readonly string[];
  readonly canWrite: boolean;
  readonly opener: Ref<HTMLButtonElement>;
  readonly onWrite: () => void;
}

export function DescriptionText({ task, isLoaded, mentions, canWrite, opener, onWrite }: Props) {
  const act = useAct();
  const text = task.description ?? '';

  function onTick(place: number, done: boolean): boolean {
    const ticked = tickLine(text, place, done);
    if (ticked) void act(tickBox, { table: 'tasks', id: task.id, done, ...ticked });
    return ticked !== null;
  }

  if (!isLoaded) return <Skeleton width="80%" />;
  if (text !== '')
    return <TaskMarkdown text={text} mentions={mentions} onOpen={openAttachment} {...(canWrite ? { onTick } : {})} />;
  if (!canWrite) return <p className={shapes.quiet}>{t('task.noDescription')}</p>;
  return (
    <button
      type="button"
      ref={opener}
      className={`${shapes.press} ${shapes.quiet} ${shapes.roundM} ${shapes.padS3} ${styles.partInvite}`}
      onClick={onWrite}
    >
      {t('task.descriptionPlaceholder')}
    </button>
  );
}
