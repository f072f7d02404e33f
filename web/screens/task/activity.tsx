// What happened to a task, newest first, in sentences.

import { useRef, useState } from 'react';
import { sayAgo, sayMoment } from '../../queries/days.ts';
import { activityOf, nameOf, profileOf, useQuery } from '../../queries.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { ActivityRow, TaskRow } from '../../sync/rows.ts';
import { ShowAll } from '../../ui/show-all.tsx';
import { sayActivity } from './say-activity.ts';
import './activity.css';

const say = words.task;
const first = 8;

export function Activity({ task }: { task: TaskRow }) {
  const lines = useQuery(activityOf, task.id);
  const [all, setAll] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  if (lines.length === 0) return null;
  return (
    <section className="task-part" aria-label={say.activity}>
      <div className="part-head">
        <h3>{say.activity}</h3>
      </div>
      <ol className="activity" ref={list} tabIndex={-1} aria-label={say.activity}>
        {(all ? lines : lines.slice(0, first)).map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ol>
      {!all && lines.length > first && (
        <ShowAll list={list} onShow={() => setAll(true)}>
          {say.showAll(lines.length)}
        </ShowAll>
      )}
    </section>
  );
}

function Line({ line }: { line: ActivityRow }) {
  const { store } = useSync();
  const actor = useQuery(profileOf, line.actor_id ?? '');
  return (
    <li>
      <strong>{line.actor_id === null ? words.common.someone : nameOf(actor)}</strong> {sayActivity(line, store)}{' '}
      <time dateTime={line.created_at} title={sayMoment(line.created_at)}>
        {sayAgo(line.created_at)}
      </time>
    </li>
  );
}
