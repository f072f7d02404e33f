// A card in its column: a link to its task that can be dragged and selected, and under the pointer the changes made most.

import { useDraggable } from '@dnd-kit/core';
import { type CSSProperties, memo } from 'react';
import { type Person, type TaskRow, useOthersAt, useReader, useUserId } from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { hueOf } from '../../ui/avatar.tsx';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import { performOn } from '../task/swipe-tasks.tsx';
import { allows, meantTasks, taskActions } from '../task/task-actions.ts';
import styles from './card.module.css';
import { CardFace } from './card.tsx';
import { cardId } from './card-id.ts';
import { type DragState, useGoesAlong, useMovingId } from './drag-state.ts';

interface CardProps {
  /** The place on the board it stands in. */
  readonly cellId: string;
  readonly task: TaskRow;
  readonly canWrite: boolean;
  readonly first: boolean;
  readonly selected: boolean;
  readonly state: DragState;
  readonly search: string;
  /** Before something is done with this one card alone. */
  readonly onAlone: (taskId: string) => void;
}

export const ColumnCard = memo(function ColumnCard(props: CardProps) {
  const { cellId, task, canWrite, first, selected, state, search, onAlone } = props;
  const { setNodeRef, listeners } = useDraggable({ id: cardId(cellId, task.id), disabled: !canWrite });
  const moving = useMovingId(state) === task.id;
  const goesAlong = useGoesAlong(state, task.id);
  const held = moving && state.get()?.by === 'keys';
  const others = useOthersAt(task.project_id, task.id, 'open', 'drag');
  const looks = [
    styles.card,
    (moving || goesAlong) && styles.cardMoving,
    held && styles.cardHeld,
    selected && styles.cardSelected,
    others.length > 0 && styles.cardSeen,
  ];
  return (
    <>
      <RowLink
        ref={setNodeRef}
        href={paths.task(task.project_id, addressOf(task)) + (search && `?${search}`)}
        className={looks.filter(Boolean).join(' ')}
        data-task-id={task.id}
        data-selected={selected || undefined}
        draggable={false}
        tabIndex={first || moving ? 0 : -1}
        aria-describedby="card-help"
        {...listeners}
        style={colourOf(others)}
      >
        {selected && <span className="only-spoken">{t('board.isSelected')}</span>}
        <ErrorBoundary of={task} instead={<span className={styles.cardTitle}>{t('common.failed.part')}</span>}>
          <CardFace task={task} />
        </ErrorBoundary>
        <CardOthers others={others} />
      </RowLink>
      {canWrite && <Tools task={task} onAlone={onAlone} />}
    </>
  );
});

const tools = ['task-complete', 'task-assignee', 'task-priority', 'task-due_date', 'task-menu'].flatMap(
  (id) => taskActions.find((action) => action.id === id) ?? [],
);

/** For the pointer: who works by keys has a key for each. */
function Tools({ task, onAlone }: Pick<CardProps, 'task' | 'onAlone'>) {
  const of = meantTasks(useReader(), useUserId(), [task.id], false);
  const shown = tools.filter((action) => of === undefined || allows(of, action));
  return (
    <span className={`${shapes.box} ${shapes.over} ${styles.tools}`}>
      {shown.map(({ id, label, icon }) => {
        const Icon = icon(of);
        return (
          <button
            key={id}
            type="button"
            className={`${shapes.middle} ${shapes.pressInk} ${shapes.soft} ${shapes.roundS} ${styles.tool}`}
            tabIndex={-1}
            aria-label={label(of)}
            title={label(of)}
            onClick={(event) => {
              const card = event.currentTarget.closest('li')?.querySelector<HTMLElement>('[data-task-id]') ?? null;
              card?.focus();
              onAlone(task.id);
              performOn(card, id);
            }}
          >
            <Icon size={14} />
          </button>
        );
      })}
    </span>
  );
}

/** Others who have this card open or drag it: their name at its edge, in their colour. */
function colourOf([first]: readonly Person[]): CSSProperties | undefined {
  return first === undefined ? undefined : ({ '--hue': hueOf(first.userId) } as CSSProperties);
}

function CardOthers({ others }: { others: readonly Person[] }) {
  const [first, ...more] = others;
  if (first === undefined) return null;
  const names = others.map(({ name }) => name).join(', ');
  return (
    <span
      className={`${shapes.cut} ${shapes.strong} ${shapes.roundS} ${shapes.over} ${styles.cardOthers}`}
      data-others={names}
    >
      <span aria-hidden="true">
        {more.length === 0 ? first.name : t('board.andMore', { name: first.name, n: more.length })}
      </span>
      <span className="only-spoken">{t('board.alsoAt', { names })}</span>
    </span>
  );
}
