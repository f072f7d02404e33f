// The inbox: what others did that concerns me. Unread first, by task; the task opens beside it, and all of it goes by keys.

import { Inbox as InboxIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useParams, useSearch, useSearchParams } from 'wouter';
import { joinProject, markRead, Refusal, sayRefusal, useAct, useAsk } from '../../commands.ts';
import { useMinute } from '../../queries/days/today.ts';
import {
  dataOfEntry,
  type InboxFilter,
  type InboxGroup,
  inboxFilters,
  inboxOf,
  projectOf,
  useQuery,
  useScope,
  useUserId,
} from '../../queries.ts';
import { paths, placeOfInvitation } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import { EmptyState, Loading, Skeleton } from '../../ui/list-states.tsx';
import { useFirstOnes } from '../../ui/lists/show-all.tsx';
import { HoldKeysForScreen } from '../../ui/overlays/buffered-keys.ts';
import { showError } from '../../ui/overlays/toaster.tsx';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import { ScreenTitle } from '../../ui/top-bar-slot.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { FailedScope } from '../project/failed-scope.tsx';
import { TaskPanel } from '../project/views.ts';
import { TaskKeys } from '../task/task-keys.tsx';
import { BulkLine } from './bulk-line.tsx';
import { EntryRow, placeOf } from './entry-row.tsx';
import styles from './inbox.module.css';
import { type ActingOn, SwipeEntries } from './swipe-entries.tsx';
import { useInboxKeys } from './use-inbox-keys.tsx';

export default function Inbox() {
  const { projectId, task } = useParams<{ projectId?: string; task?: string }>();
  const filter = useFilter();
  const asked = projectId && task ? paths.inboxTask(projectId, task) : '';
  const now = useMinute();
  const all = useQuery(inboxOf, filter.value, now, '');
  const held = all.find((one) => asked !== '' && placeOf(one) === asked)?.id ?? '';
  const groups = useQuery(inboxOf, filter.value, now, held);
  const opened = groups.find((one) => one.id === held);
  const narrow = useNarrow();
  const covered = task !== undefined;
  return (
    <div className={`${shapes.holder} ${shapes.clipped} ${shapes.tall} ${styles.inbox}`}>
      <div
        className={`${shapes.tall} ${shapes.rolls} ${styles.inboxRest}`}
        data-covered={covered}
        inert={narrow && covered}
      >
        <InboxList filter={filter} groups={groups} opened={opened} covered={covered} />
      </div>
      {projectId && task && <OpenTask projectId={projectId} address={task} groups={groups} opened={opened} />}
    </div>
  );
}

function useFilter() {
  const [params, setParams] = useSearchParams();
  const value = inboxFilters.find((one) => one === params.get('show')) ?? 'all';
  return {
    value,
    choose: (next: InboxFilter) => setParams(next === 'all' ? {} : { show: next }, { replace: true }),
  };
}

interface OpenTaskProps {
  readonly projectId: string;
  readonly address: string;
  readonly groups: readonly InboxGroup[];
  readonly opened: InboxGroup | undefined;
}

/** Beside the list; looking at it is reading what happened to it. */
function OpenTask({ projectId, address, groups, opened }: OpenTaskProps) {
  const project = useQuery(projectOf, projectId);
  useScope({ kind: 'project', projectId });
  const act = useAct();
  const [, go] = useLocation();
  const search = useSearch();
  const id = opened?.id;
  const unread = opened?.entries.filter((entry) => entry.read_at === null).map((entry) => entry.id) ?? [];
  const seen = useRef<string | undefined>(undefined);
  useEffect(() => {
    // Once for each time it is opened: who marks it as unread beside it means that.
    if (id === undefined || seen.current === id) return;
    seen.current = id;
    if (unread.length > 0) void act(markRead, unread, true);
  });
  if (project === undefined) return <HoldKeysForScreen />;
  const at = groups.findIndex((one) => one.id === id);
  const step = (by: 1 | -1) => {
    const place = groups[at + by] && placeOf(groups[at + by] as InboxGroup);
    return place?.startsWith(paths.inbox) ? () => go(place + (search && `?${search}`)) : undefined;
  };
  const beside = { back: paths.inbox, onPrevious: step(-1), onNext: step(1) };
  return (
    <>
      <TaskPanel
        key={`${projectId} ${address}`}
        project={project}
        address={address}
        view="board"
        beside={beside}
        meanwhile={<HoldKeysForScreen />}
      />
      <TaskKeys peeks={false} />
    </>
  );
}

interface InboxListProps {
  readonly filter: ReturnType<typeof useFilter>;
  readonly groups: readonly InboxGroup[];
  readonly opened: InboxGroup | undefined;
  readonly covered: boolean;
}

function InboxList({ filter, groups, opened, covered }: InboxListProps) {
  if (!covered) return <TitledList filter={filter} groups={groups} opened={opened} covered={covered} />;
  return <EntryList filter={filter} groups={groups} opened={opened} covered={covered} />;
}

/** An open task names the page itself. */
function TitledList(props: InboxListProps) {
  usePageTitle(t('common.nav.inbox'));
  return <EntryList {...props} />;
}

function EntryList({ filter, groups, opened }: InboxListProps) {
  const state = useScope({ kind: 'inbox', userId: useUserId() });
  const act = useAct();
  const ask = useAsk();
  const [, go] = useLocation();
  const { shown, list, more } = useFirstOnes(groups);
  const [acting, setActing] = useState<ActingOn | null>(null);
  const keys = useInboxKeys({ groups: shown, opened, list });
  const unread = groups.filter((group) => group.unread);
  const waiting = state.phase === 'empty' && groups.length === 0;
  const known = !waiting && (state.phase !== 'failed' || state.remembered);
  async function join(invitationId: string): Promise<void> {
    const invited = groups
      .flatMap((group) => group.entries)
      .find((one) => dataOfEntry(one).invitation_id === invitationId);
    const task = invited && dataOfEntry(invited).task;
    try {
      go(placeOfInvitation(await ask(joinProject, invitationId), task));
    } catch (reason) {
      showError(
        t('inbox.notJoined'),
        reason instanceof Refusal && reason.status === 404 ? t('inbox.noInvitation') : sayRefusal(reason),
      );
    }
  }
  const idsOf = (some: readonly InboxGroup[]) => some.flatMap((group) => group.entries.map((entry) => entry.id));
  return (
    <div className={`${pageStyles.page} ${styles.inboxPage}`}>
      <header className={pageStyles.pageHead}>
        <div>
          <ScreenTitle>{t('common.nav.inbox')}</ScreenTitle>
          {known && <p className={`${pageStyles.pageCount} numbers`}>{t('inbox.count', { n: unread.length })}</p>}
        </div>
        <Segments
          label={t('inbox.filters.label')}
          choices={inboxFilters}
          value={filter.value}
          say={(one) => t(`inbox.filters.${one}`)}
          onPick={filter.choose}
        />
      </header>
      <FailedScope state={state} />
      {known && groups.length > 0 && (
        <BulkLine keys={keys} unread={unread} onReadAll={() => void act(markRead, idsOf(unread), true)} />
      )}
      {waiting && (
        <Loading whole label={t('common.loading')}>
          <div className={shapes.stackS4}>
            {[68, 45, 74, 52].map((width) => (
              <Skeleton key={width} width={`${width}%`} height="2.5rem" />
            ))}
          </div>
        </Loading>
      )}
      {known && groups.length === 0 && (
        <EmptyState art={<InboxIcon size={40} />} title={t(`inbox.empty.${filter.value}`)}>
          <p>{t('inbox.emptyWords')}</p>
        </EmptyState>
      )}
      <ul className={shapes.unringed} ref={list} tabIndex={-1} aria-label={t('inbox.list')}>
        {shown.map((group) => (
          <ErrorBoundary key={group.id} of={group} instead={<li>{t('common.failed.part')}</li>}>
            <EntryRow
              group={group}
              opened={group.id === opened?.id}
              current={group.id === keys.current}
              selected={keys.selected.includes(group)}
              snoozing={keys.snoozing?.id === group.id ? keys.snoozing.times : 0}
              onSelect={(range) => keys.select(group, range)}
              onFocus={() => keys.focus(group)}
              onDone={() => keys.finish([group])}
              onRead={() => void act(markRead, idsOf([group]), group.unread)}
              onActions={(there) => setActing({ group, there })}
              onJoin={(invitationId) => void join(invitationId)}
              onSnooze={(until) => keys.putOff(keys.selected.includes(group) ? keys.selected : [group], until)}
            />
          </ErrorBoundary>
        ))}
      </ul>
      <SwipeEntries
        list={list}
        groups={shown}
        open={acting}
        onOpen={setActing}
        onRead={(group) => void act(markRead, idsOf([group]), group.unread)}
        onSelect={keys.select}
        onSnooze={keys.askUntil}
        onDone={(group) => keys.finish([group])}
      />
      {more}
    </div>
  );
}
