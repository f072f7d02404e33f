// People who are typing a comment on a task right now.

import { useCallback, useEffect, useRef } from 'react';
import { type TaskRow, useOthersAt, useTellPresence } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './comments.module.css';

/** Milliseconds after the last letter in which someone still writes. */
const rest = 5000;

/** Tells the others that one writes, until the fingers rest, the comment is sent, or the field is gone. */
export function useTellTyping({ id, project_id }: TaskRow): (writes: boolean) => void {
  const signal = useTellPresence();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const write = useCallback(
    (writes: boolean): void => {
      clearTimeout(timer.current);
      signal(project_id, 'type', writes ? id : null);
      if (writes) timer.current = setTimeout(() => signal(project_id, 'type', null), rest);
    },
    [signal, project_id, id],
  );
  useEffect(() => () => write(false), [write]);
  return write;
}

/** Its line is there before anyone writes, so that nothing moves when someone does. */
export function TypingPeople({ task }: { task: TaskRow }) {
  const writers = useOthersAt(task.project_id, task.id, 'type');
  return (
    <p className={`${shapes.quietXs} ${styles.writers}`} role="status">
      {writers.length > 0 &&
        t('task.writers', { names: writers.map(({ name }) => name).join(', '), n: writers.length })}
    </p>
  );
}
