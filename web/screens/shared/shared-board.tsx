// Board of a public link: columns with cards, to read.

import { ListChecks, ListTree } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import marks from '../../pieces/task-badges.module.css';
import { DueMark, KindMark, LabelChip, PriorityMark } from '../../pieces/task-badges.tsx';
import type { Shared, SharedTask } from '../../session/share-link.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import avatarStyles from '../../ui/avatar.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import styles from './shared.module.css';

interface Props {
  readonly shared: Shared;
  readonly onOpen: (taskId: string) => void;
}

export function SharedBoard({ shared, onOpen }: Props) {
  const board = useRef<HTMLDivElement>(null);
  const opened = useRef(false);
  const first = shared.columns.findIndex(({ id }) => shared.tasks.some((task) => task.column_id === id));
  // Once, on a phone, which shows one column at a time.
  useLayoutEffect(() => {
    const [start, column] = [board.current?.children[0], board.current?.children[first]];
    if (start === undefined || column === undefined || opened.current) return;
    opened.current = true;
    if (window.innerWidth < 2 * column.clientWidth) {
      const left = column.getBoundingClientRect().left - start.getBoundingClientRect().left;
      board.current?.scrollBy({ left, behavior: 'instant' });
    }
  }, [first]);
  return (
    <div ref={board} className={`${shapes.flex} ${shapes.gapS5} ${shapes.tall} ${styles.board}`} data-board>
      {shared.columns.map((column) => {
        const tasks = shared.tasks.filter((task) => task.column_id === column.id);
        return (
          <section
            key={column.id}
            className={`${shapes.column} ${shapes.slim} ${shapes.roundL} ${shapes.paper} ${styles.column}`}
            aria-label={t('board.column', { name: column.name, n: tasks.length })}
          >
            <h2 className={`${shapes.rowS3} ${styles.columnHead}`}>
              <KindMark kind={column.kind} color={column.color} />
              <span className={shapes.words}>{column.name}</span>
              <span className={`${shapes.quietS} ${shapes.plain} numbers`}>{tasks.length}</span>
            </h2>
            <ul className={`${shapes.stackS3} ${styles.cards}`}>
              {tasks.map((task) => (
                <li key={task.id}>
                  <button
                    type="button"
                    className={`${shapes.stackS3} ${shapes.panel} ${styles.card}`}
                    onClick={() => onOpen(task.id)}
                  >
                    <SharedCard shared={shared} task={task} />
                  </button>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function SharedCard({ shared, task }: { shared: Shared; task: SharedTask }) {
  const items = task.task_checklist_items;
  const parts = shared.tasks.filter(({ parent_id }) => parent_id === task.id);
  const [itemsDone, partsDone] = [items.filter(({ is_done }) => is_done), parts.filter((part) => part.completed_at)];
  return (
    <>
      <span className={shapes.rowS3}>
        <span className={`${shapes.quietXs} numbers`}>{`${shared.project.key}-${task.number}`}</span>
        {task.priority !== 'p2' && <PriorityMark priority={task.priority} />}
        <Faces shared={shared} task={task} />
      </span>
      <span className={`${shapes.medium} ${shapes.breaks}`}>{task.title}</span>
      <Labels shared={shared} task={task} />
      {(task.due_date !== null || items.length + parts.length > 0) && (
        <span className={shapes.wrapS3}>
          {task.due_date !== null && <DueMark due={task.due_date} completed={task.completed_at} />}
          {parts.length > 0 && (
            <span className={`${marks.fact} numbers`}>
              <ListTree size={13} aria-hidden="true" />
              <span aria-hidden="true">{`${partsDone.length}/${parts.length}`}</span>
              <span className="only-spoken">{t('board.subtasks', { done: partsDone.length, all: parts.length })}</span>
            </span>
          )}
          {items.length > 0 && (
            <span className={`${marks.fact} numbers`}>
              <ListChecks size={13} aria-hidden="true" />
              <span aria-hidden="true">{`${itemsDone.length}/${items.length}`}</span>
              <span className="only-spoken">{t('board.checklist', { done: itemsDone.length, all: items.length })}</span>
            </span>
          )}
        </span>
      )}
    </>
  );
}

/** Assignees, where the link shows names. */
export function Faces({ shared, task }: { shared: Shared; task: SharedTask }) {
  const people = task.task_assignees.flatMap(({ user_id }) => shared.people.filter(({ id }) => id === user_id));
  if (people.length === 0) return null;
  return (
    <span className={`${avatarStyles.avatars} ${styles.faces}`}>
      {people.map(({ id, display_name, avatar_url }) => (
        <Avatar key={id} name={display_name} url={avatar_url} seed={id} size={20} />
      ))}
    </span>
  );
}

export function Labels({ shared, task }: { shared: Shared; task: SharedTask }) {
  const worn = shared.labels.filter(({ id }) => task.task_label_links.some(({ label_id }) => label_id === id));
  if (worn.length === 0) return null;
  return (
    <span className={`${shapes.wrapS2} ${shapes.slim}`}>
      {worn.map(({ id, name, color }) => (
        <LabelChip key={id} name={name} color={color} />
      ))}
    </span>
  );
}
