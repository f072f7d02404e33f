// List of a public link to a view: a table of its tasks in the order of the view, to read.

import { DueMark, KindMark, PriorityMark } from '../../pieces/task-badges.tsx';
import type { Shared, SharedTask } from '../../session/share-link.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './shared.module.css';
import { Faces, Labels } from './shared-board.tsx';

interface Props {
  readonly shared: Shared;
  readonly onOpen: (taskId: string) => void;
}

export function SharedList({ shared, onOpen }: Props) {
  const named = shared.people.length > 0;
  return (
    <table className={styles.list}>
      <thead>
        <tr className={shapes.quietS}>
          <th scope="col">{t('property.number')}</th>
          <th scope="col">{t('property.title')}</th>
          <th scope="col">{t('property.column')}</th>
          <th scope="col">{t('property.priority')}</th>
          <th scope="col">{t('property.due_date')}</th>
          {named && <th scope="col">{t('property.assignee')}</th>}
        </tr>
      </thead>
      <tbody>
        {inOrder(shared).map((task) => {
          const column = shared.columns.find(({ id }) => id === task.column_id);
          return (
            <tr key={task.id}>
              <td className={`${shapes.quietS} numbers`}>{`${shared.project.key}-${task.number}`}</td>
              <td className={styles.title}>
                <span className={shapes.stackS2}>
                  <button
                    type="button"
                    className={`${shapes.inlineS3} ${shapes.inlineS3} ${styles.part}`}
                    onClick={() => onOpen(task.id)}
                  >
                    <span className={shapes.breaks}>{task.title}</span>
                  </button>
                  <Labels shared={shared} task={task} />
                </span>
              </td>
              <td>
                {column && (
                  <span className={shapes.inlineS2}>
                    <KindMark kind={column.kind} color={column.color} />
                    {column.name}
                  </span>
                )}
              </td>
              <td>
                <PriorityMark priority={task.priority} named />
              </td>
              <td>{task.due_date !== null && <DueMark due={task.due_date} completed={task.completed_at} />}</td>
              {named && (
                <td>
                  <Faces shared={shared} task={task} />
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const measures: Readonly<Record<string, (task: SharedTask) => string | number | null>> = {
  priority: ({ priority }) => priority,
  start_date: (task) => task.start_date,
  due_date: (task) => task.due_date,
  title: ({ title }) => title,
  estimate: ({ estimate }) => estimate,
  updated_at: (task) => task.updated_at,
  created_at: (task) => task.created_at,
  completed_at: (task) => task.completed_at,
  number: ({ number }) => number,
};

/** By what the page knows of the view's order; ties and all else stand as on the board. */
function inOrder({ view, tasks, columns }: Shared): readonly SharedTask[] {
  const place = new Map(columns.map(({ id }, at) => [id, at]));
  const onBoard = [...tasks].sort((one, other) => (place.get(one.column_id) ?? 0) - (place.get(other.column_id) ?? 0));
  const orders = (view?.sort ?? []).flatMap(({ by, descending }) => {
    const measure = by === 'column' ? (task: SharedTask) => place.get(task.column_id) ?? 0 : measures[by];
    return measure === undefined ? [] : [{ measure, turn: descending ? -1 : 1 }];
  });
  return onBoard.sort((one, other) => {
    for (const { measure, turn } of orders) {
      const [here, there] = [measure(one), measure(other)];
      if (here === there) continue;
      // Without a value: last, either way round.
      if (here === null) return 1;
      if (there === null) return -1;
      return turn * (typeof here === 'string' ? here.localeCompare(String(there)) : here - Number(there));
    }
    return 0;
  });
}
