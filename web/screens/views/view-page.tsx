// The address of a saved view: leads to its project, or shows what it finds across all of one's projects.

import { type ReactNode, useId, useRef } from 'react';
import { Redirect, useParams, useSearchParams } from 'wouter';
import type { Grouping } from '../../../contract/views.ts';
import { DueMark, KindMark, PriorityMark, ProjectBadge } from '../../pieces/marks.tsx';
import { mostFound, tasksByIds, useFoundTasks } from '../../queries/tasks/found-tasks.ts';
import {
  cardFactsOf,
  columnsOf,
  projectOf,
  type SavedViewRow,
  savedViewOf,
  type TaskRow,
  useQuery,
  useScope,
  useUserId,
} from '../../queries.ts';
import { addressOf, paths, viewPath } from '../../routes.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import avatarStyles from '../../ui/avatar.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import segmentsStyles from '../../ui/fields/segments.module.css';
import { later } from '../../ui/later.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import { useArrowStart } from '../../ui/lists/use-arrow-start.ts';
import { Menu } from '../../ui/overlays/menu.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { EmptyState, Loading } from '../../ui/state.tsx';
import { ScreenTitle } from '../../ui/top-room.tsx';
import { withPlanningTexts } from '../planning/with-planning-texts.ts';
import { FailedScope } from '../project/failed-scope.tsx';
import { FilterBar } from '../project/filter-bar.tsx';
import { SortMenu } from '../project/sort-menu.tsx';
import { latestFirst } from '../project/view-choices.ts';
import { layoutParam, useView, type ViewHandle } from '../project/view-handle.ts';
import { goByArrows } from '../task/go-by-arrows.ts';
import { TaskFingers } from '../task/task-fingers.tsx';
import { TaskKeys } from '../task/task-keys.tsx';
import styles from './view-page.module.css';

const CalendarAcross = later(() => withPlanningTexts(import('../calendar/calendar-across.tsx')));

export default function ViewPage() {
  const { viewId = '' } = useParams<{ viewId: string }>();
  const userId = useUserId();
  const state = useScope({ kind: 'views', userId });
  const view = useQuery(savedViewOf, viewId);
  if (view?.project_id) return <Redirect to={viewPath(view)} replace />;
  if (view) return <Across key={view.id} saved={view} />;
  if (state.phase === 'failed') return <FailedScope state={state} />;
  if (state.phase !== 'fresh') return <Loading label={t('common.loading')} />;
  return <Unseen />;
}

function Unseen() {
  usePageTitle(t('views.unseenTitle'));
  return (
    <EmptyState
      whole
      title={t('views.unseenTitle')}
      action={<ButtonLink href={paths.projects}>{t('common.failed.toProjects')}</ButtonLink>}
    >
      <p>{t('views.unseenWords')}</p>
    </EmptyState>
  );
}

const groupings = ['project', 'priority', null] as const;

interface TaskGroup {
  readonly id: string;
  readonly tasks: readonly TaskRow[];
}

function groupsOf(tasks: readonly TaskRow[], grouping: Grouping | null): readonly TaskGroup[] {
  if (grouping === null) return tasks.length === 0 ? [] : [{ id: '', tasks }];
  const groups = new Map<string, TaskRow[]>();
  for (const task of tasks) {
    const id = grouping === 'priority' ? task.priority : task.project_id;
    const members = groups.get(id);
    if (members) members.push(task);
    else groups.set(id, [task]);
  }
  return [...groups]
    .map(([id, members]) => ({ id, tasks: members }))
    .sort((one, other) => (grouping === 'priority' ? (one.id < other.id ? -1 : 1) : 0));
}

/** Of a view across projects: a list, or its days. */
const layouts = ['list', 'calendar'] as const;

function Across({ saved }: { saved: SavedViewRow }) {
  usePageTitle(saved.name);
  const [params, setParams] = useSearchParams();
  const layout =
    layouts.find((one) => one === params.get(layoutParam)) ?? layouts.find((one) => one === saved.layout) ?? 'list';
  const handle = useView(layout, saved.id);
  const choose = (next: (typeof layouts)[number]): void =>
    setParams(
      (old) => {
        const chosen = new URLSearchParams(old);
        if (next === saved.layout) chosen.delete(layoutParam);
        else chosen.set(layoutParam, next);
        return chosen;
      },
      { replace: true },
    );
  const choice = (
    <fieldset className={segmentsStyles.segments} aria-label={t('views.layout')}>
      {layouts.map((one) => (
        <button key={one} type="button" aria-pressed={one === layout} onClick={() => choose(one)}>
          {t(`projects.views.${one}`)}
        </button>
      ))}
    </fieldset>
  );
  return (
    <div className={styles.view}>
      {layout === 'calendar' ? (
        <>
          <header className={styles.head}>
            <ScreenTitle>{saved.name}</ScreenTitle>
          </header>
          <CalendarAcross handle={handle} meanwhile={<Loading label={t('common.loading')} />}>
            {choice}
          </CalendarAcross>
        </>
      ) : (
        <ListAcross saved={saved} handle={handle}>
          {choice}
        </ListAcross>
      )}
      <TaskKeys peeks={false} />
    </div>
  );
}

interface ListAcrossProps {
  readonly saved: SavedViewRow;
  readonly handle: ViewHandle;
  readonly children: ReactNode;
}

function ListAcross({ saved, handle, children }: ListAcrossProps) {
  const { data, state } = useFoundTasks(handle.filter, handle.view.sort);
  const tasks = useQuery(tasksByIds, data?.ids ?? []);
  const room = useRef<HTMLDivElement>(null);
  useArrowStart(room);
  const { grouping: said } = handle.view;
  const grouping = said === null || said === 'priority' ? said : 'project';
  const groups = groupsOf(tasks, grouping);
  const total = data?.total ?? 0;
  const [first, ...others] = handle.view.sort;
  return (
    <>
      <header className={styles.head}>
        <ScreenTitle>{saved.name}</ScreenTitle>
        {data && <p className={`${styles.count} numbers`}>{t('views.found', { n: total })}</p>}
      </header>
      <FilterBar projectId="" handle={handle} shown={tasks.length} total={total}>
        {children}
        <Menu
          label={t('list.group')}
          trigger={<Button look="quiet">{t(`views.groups.${grouping ?? 'none'}`)}</Button>}
          items={groupings.map((one) => ({
            id: one ?? 'none',
            label: t(`views.groups.${one ?? 'none'}`),
            checked: one === grouping,
            onPick: () => handle.set({ grouping: one }),
          }))}
        />
        <SortMenu
          projectId=""
          handle={handle}
          plain="number"
          sorted={(by) => (by === 'number' ? [] : [{ by, descending: latestFirst(by) }])}
          more={[
            {
              id: 'backwards',
              label: t('list.backwards'),
              checked: first !== undefined && first.descending !== latestFirst(first.by),
              apart: true,
              onPick: () =>
                handle.set({
                  sort: [
                    first === undefined
                      ? { by: 'number', descending: true }
                      : { by: first.by, descending: !first.descending },
                    ...others,
                  ],
                }),
            },
          ]}
        />
      </FilterBar>
      <FailedScope state={state} />
      <div className={styles.scroll} ref={room}>
        {data === null && state.phase !== 'failed' && <Loading label={t('common.loading')} />}
        {data && tasks.length === 0 && <EmptyState title={t('list.noMatch')} />}
        {groups.map((group) => (
          <Group key={group.id} group={group} grouping={grouping} />
        ))}
        {total > mostFound && <p className={styles.more}>{t('views.tooMany', { n: mostFound, all: total })}</p>}
      </div>
      <TaskFingers room={room} rows="[data-line]" />
    </>
  );
}

function Group({ group: { id, tasks }, grouping }: { group: TaskGroup; grouping: 'project' | 'priority' | null }) {
  const heading = useId();
  const project = useQuery(projectOf, grouping === 'project' ? id : '');
  const [first] = tasks;
  const name = grouping === 'project' ? (project?.name ?? '') : first ? t(`common.priorities.${first.priority}`) : '';
  return (
    <section className={styles.group} {...(grouping === null ? {} : { 'aria-labelledby': heading })}>
      {grouping !== null && (
        <h2 id={heading}>
          {name} <span className={`${styles.number} numbers`}>{sayNumber(tasks.length)}</span>
        </h2>
      )}
      <ul>
        {tasks.map((task) => (
          <Item key={task.id} task={task} names={grouping !== 'project'} />
        ))}
      </ul>
    </section>
  );
}

function Item({ task, names }: { task: TaskRow; names: boolean }) {
  const facts = useQuery(cardFactsOf, task.id);
  const project = useQuery(projectOf, task.project_id);
  const columns = useQuery(columnsOf, task.project_id);
  const column = columns.find((one) => one.id === task.column_id);
  return (
    <li className={styles.item} data-line>
      <RowLink
        className={styles.link}
        href={paths.task(task.project_id, addressOf(task), 'list')}
        data-task-id={task.id}
        onKeyDown={goByArrows}
      >
        <PriorityMark priority={task.priority} />
        <span className={`${styles.key} numbers`}>{facts?.key}</span>
        <span className={styles.title}>{task.title}</span>
      </RowLink>
      <span className={styles.facts}>
        {facts && facts.people.length > 0 && (
          <span className={avatarStyles.avatars}>
            {facts.people.slice(0, 3).map(({ userId, name, avatarUrl }) => (
              <Avatar key={userId} name={name} url={avatarUrl} seed={userId} size={20} />
            ))}
          </span>
        )}
        {column && (
          <span className={styles.column}>
            <KindMark kind={column.kind} color={column.color} />
            {column.name}
          </span>
        )}
        {names && project && (
          <ProjectBadge color={project.color} title={project.name}>
            {project.key}
          </ProjectBadge>
        )}
        {task.due_date && <DueMark due={task.due_date} completed={task.completed_at} />}
      </span>
    </li>
  );
}
