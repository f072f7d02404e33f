// Comments of a task and the history between them, newest last; the part of it that was chosen is remembered on this device.

import { type ReactNode, useRef, useState } from 'react';
import { AgentTag } from '../../pieces/agent-tag.tsx';
import { sessionIn } from '../../queries/agents/at-work.ts';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import { nameThrough } from '../../queries/people/name-through.ts';
import { descriptionChangeOf } from '../../queries/tasks/description-versions.ts';
import { newestOf, type StreamFilter, type StreamItem, streamFilters } from '../../queries/tasks/stream.ts';
import { type ActivityRow, nameOf, profileOf, useQuery, useReader } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { keep, recall } from '../../ui/fields/draft.ts';
import { Segments } from '../../ui/fields/segments.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import { ShowAll } from '../../ui/lists/show-all.tsx';
import { DescriptionHistory } from './description-head.tsx';
import { sayActivity } from './say-activity.ts';
import styles from './stream.module.css';
import taskPartStyles from './task-part.module.css';
import { Thread, type ThreadProps } from './thread.tsx';

const place = 'kanbase-task-stream';
/** Runs that are shown at first. */
const first = 8;

/** An address that leads to a comment shows comments. */
export function useStreamFilter(): readonly [StreamFilter, (filter: StreamFilter) => void] {
  const [filter, setFilter] = useState<StreamFilter>(() => {
    const chosen = streamFilters.find((one) => one === recall(place)) ?? 'all';
    return chosen === 'history' && location.hash.startsWith('#comment-') ? 'all' : chosen;
  });
  return [
    filter,
    (next) => {
      keep(place, next === 'all' ? null : next);
      setFilter(next);
    },
  ];
}

interface HeadProps {
  readonly filter: StreamFilter;
  /** Null: there is nothing to choose from. */
  readonly onFilter: ((filter: StreamFilter) => void) | null;
}

export function StreamHead({ filter, onFilter }: HeadProps) {
  return (
    <div className={taskPartStyles.partHead}>
      <h3>{t('task.activity')}</h3>
      {onFilter && (
        <Segments
          label={t('task.stream.filter')}
          choices={streamFilters}
          value={filter}
          say={(one) => t(`task.stream.${one}`)}
          onPick={onFilter}
        />
      )}
    </div>
  );
}

interface StreamProps extends Omit<ThreadProps, 'thread'> {
  readonly items: readonly StreamItem[];
}

export function Stream({ items, ...forAll }: StreamProps) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const shown = all ? items : newestOf(items, first);
  if (items.length === 0) return null;
  return (
    <>
      {shown.length < items.length && (
        <ShowAll list={list} onShow={() => setAll(true)}>
          {t('task.showAll', { n: items.length })}
        </ShowAll>
      )}
      <ol className={`${shapes.stackS4} ${shapes.oneColumn}`} ref={list} tabIndex={-1} aria-label={t('task.activity')}>
        {shown.map((item) =>
          item.kind === 'thread' ? (
            <Thread key={item.thread.first.id} {...forAll} thread={item.thread} />
          ) : (
            <Run key={item.lines[0]?.id} lines={item.lines} task={forAll.task} canWrite={forAll.canWrite} />
          ),
        )}
      </ol>
    </>
  );
}

type Of = Pick<ThreadProps, 'task' | 'canWrite'>;

/** Its last change, and the others where one asks for them. */
function Run({ lines, ...of }: Of & { lines: readonly ActivityRow[] }) {
  const [open, setOpen] = useState(false);
  const last = lines.at(-1);
  if (last === undefined) return null;
  return (
    <li className={`${shapes.stackS3} ${shapes.softS} ${shapes.oneColumn} ${styles.run}`}>
      {open && lines.slice(0, -1).map((line) => <Line key={line.id} line={line} {...of} />)}
      <Line line={last} {...of}>
        {lines.length > 1 && (
          <button
            type="button"
            className={`${shapes.pressInk} ${shapes.quiet} ${shapes.roundM} ${shapes.sideS2} ${styles.more}`}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {t('task.stream.more', { n: lines.length - 1 })}
          </button>
        )}
      </Line>
    </li>
  );
}

function Line({ line, children, ...of }: Of & { line: ActivityRow; children?: ReactNode }) {
  return (
    <ErrorBoundary of={line} instead={null}>
      <p className={`${shapes.quiet} ${shapes.holder} ${styles.line}`}>
        <Sentence line={line} /> {descriptionChangeOf(line) && <ShowChanges lineId={line.id} {...of} />} {children}
      </p>
    </ErrorBoundary>
  );
}

/** The way from a changed description to what was changed in it. */
function ShowChanges({ lineId, ...of }: Of & { lineId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={`${shapes.pressInk} ${shapes.quiet} ${shapes.roundM} ${shapes.sideS2} ${styles.more}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('writing.versions.open')}
      </button>
      {open && <DescriptionHistory {...of} lineId={lineId} onClosed={() => setOpen(false)} />}
    </>
  );
}

/** Time runs out by itself: it is told of whose time it was. */
function personOf({ actor_id, kind, change }: ActivityRow): string | null {
  if (kind !== 'claim_expired') return actor_id;
  return (change as { user_id?: { from?: string } } | null)?.user_id?.from ?? null;
}

function Sentence({ line }: { line: ActivityRow }) {
  const store = useReader();
  const who = personOf(line);
  const actor = useQuery(profileOf, who ?? '');
  const session = sessionIn(line.program);
  return (
    <>
      <strong>{who === null ? t('common.someone') : nameThrough(nameOf(actor), line.program)}</strong>{' '}
      <AgentTag userId={who ?? ''} /> {sayActivity(line, store)}{' '}
      <time dateTime={line.created_at} title={sayMoment(line.created_at)}>
        {sayAgo(line.created_at)}
      </time>
      {session !== null && (
        <>
          {' '}
          <RowLink href={paths.session(line.project_id, session)} className={styles.session}>
            {t('writing.session')}
          </RowLink>
        </>
      )}
    </>
  );
}
