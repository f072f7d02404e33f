// History of a task in sentences, newest first.

import { useRef, useState } from 'react';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import { type ActivityRow, activityOf, nameOf, profileOf, type TaskRow, useQuery, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { ShowAll } from '../../ui/lists/show-all.tsx';
import styles from './activity.module.css';
import { sayActivity } from './say-activity.ts';
import taskPartStyles from './task-part.module.css';

const first = 8;

export function Activity({ task }: { task: TaskRow }) {
  const lines = useQuery(activityOf, task.id);
  const [all, setAll] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  if (lines.length === 0) return null;
  return (
    <section className={taskPartStyles.taskPart} aria-label={t('task.activity')}>
      <div className={taskPartStyles.partHead}>
        <h3>{t('task.activity')}</h3>
      </div>
      <ol
        className={`${shapes.stackS3} ${shapes.softS} ${styles.activity}`}
        ref={list}
        tabIndex={-1}
        aria-label={t('task.activity')}
      >
        {(all ? lines : lines.slice(0, first)).map((line) => (
          <ErrorBoundary key={line.id} of={line} instead={null}>
            <Line line={line} />
          </ErrorBoundary>
        ))}
      </ol>
      {!all && lines.length > first && (
        <ShowAll list={list} onShow={() => setAll(true)}>
          {t('task.showAll', { n: lines.length })}
        </ShowAll>
      )}
    </section>
  );
}

function Line({ line }: { line: ActivityRow }) {
  const store = useReader();
  const actor = useQuery(profileOf, line.actor_id ?? '');
  return (
    <li>
      <strong>{line.actor_id === null ? t('common.someone') : nameOf(actor)}</strong> {sayActivity(line, store)}{' '}
      <time dateTime={line.created_at} title={sayMoment(line.created_at)}>
        {sayAgo(line.created_at)}
      </time>
    </li>
  );
}
