// Names of a board's columns at its foot, on a phone: the one in sight is marked, and a press scrolls to another. A guest, whose columns are mostly
// empty, is brought to the first that has tasks.

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Board, isGuest, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './column-strip.module.css';
import { GroupLabel, sayGroup } from './group-label.tsx';

interface ColumnStripProps {
  readonly board: Board;
  /** The element in which the columns scroll. */
  readonly frame: RefObject<HTMLElement | null>;
}

export default function ColumnStrip({ board: { columns, grouping }, frame }: ColumnStripProps) {
  const strip = useRef<HTMLElement>(null);
  const [present, setPresent] = useState('');
  useOpenOnTasks(columns, frame);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns are looked at anew
  useEffect(() => {
    const room = frame.current;
    if (room === null) return;
    const look = () => setPresent(columnInSight(room));
    look();
    room.addEventListener('scroll', look, { passive: true });
    return () => room.removeEventListener('scroll', look);
  }, [frame, columns]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the mark
  useEffect(() => {
    const marked = strip.current?.querySelector<HTMLElement>('[aria-current]');
    const width = strip.current?.clientWidth ?? 0;
    if (marked) strip.current?.scrollTo({ left: marked.offsetLeft - (width - marked.offsetWidth) / 2 });
  }, [present]);
  return (
    <nav
      className={`${shapes.onScreen} ${shapes.rigid} ${shapes.holder} ${shapes.ruledAbove} ${styles.strip}`}
      aria-label={t('common.columns')}
      ref={strip}
    >
      {columns.map(({ id, group }) => (
        <button
          key={id}
          type="button"
          className={`${shapes.rowS2} ${shapes.softS} ${shapes.rigid} ${shapes.control} ${styles.name}`}
          aria-current={id === present ? 'true' : undefined}
          onClick={() => columnIn(frame.current, id)?.scrollIntoView({ inline: 'start', block: 'nearest' })}
        >
          <GroupLabel group={group} grouping={grouping} />
          <span className={shapes.words}>{sayGroup(group, grouping)}</span>
        </button>
      ))}
    </nav>
  );
}

/** Once, before anybody scrolls. */
function useOpenOnTasks(columns: Board['columns'], frame: RefObject<HTMLElement | null>): void {
  const first = columns.find(({ tasks }) => tasks.length > 0);
  const guest = useQuery(isGuest, first?.tasks[0]?.project_id ?? '', useUserId());
  const opened = useRef(false);
  useLayoutEffect(() => {
    if (first === undefined || !guest || opened.current) return;
    opened.current = true;
    if (frame.current?.scrollLeft === 0)
      columnIn(frame.current, first.id)?.scrollIntoView({ inline: 'start', block: 'nearest', behavior: 'instant' });
  }, [first, guest, frame]);
}

const columnIn = (room: HTMLElement | null, id: string) =>
  room?.querySelector<HTMLElement>(`[data-column="${CSS.escape(id)}"]`);

/** The id of the column with the widest part in the window of the board; of two, the first. */
function columnInSight(room: HTMLElement): string {
  const { left, right } = room.getBoundingClientRect();
  let widest = 0;
  let inSight = '';
  for (const column of room.querySelectorAll<HTMLElement>('[data-column]')) {
    const box = column.getBoundingClientRect();
    const width = Math.min(box.right, right) - Math.max(box.left, left);
    if (width <= widest) continue;
    widest = width;
    inSight = column.dataset.column ?? '';
  }
  return inSight;
}
