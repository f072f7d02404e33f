// Open tasks assigned to the user in all projects, by due day. One press completes a task.

import { Check, FolderKanban } from 'lucide-react';
import { type KeyboardEvent, useId, useRef } from 'react';
import { useSearchParams } from 'wouter';
import { completeTasks, useAct } from '../../commands.ts';
import { ProjectPicture } from '../../pieces/project-picture.tsx';
import { DueMark, KindMark, PriorityMark, ProjectBadge } from '../../pieces/task-badges.tsx';
import { useToday } from '../../queries/days/today.ts';
import {
  columnsOf,
  type DueGroup,
  myTasks,
  openProjects,
  projectOf,
  rightsOn,
  type TaskRow,
  taskKey,
  useQuery,
  useScope,
  useUserId,
} from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { latinKey } from '../../ui/latin-key.ts';
import { EmptyState, Loading, Skeleton } from '../../ui/list-states.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import { useFirstOnes } from '../../ui/lists/show-all.tsx';
import { useArrowStart } from '../../ui/lists/use-arrow-start.ts';
import { Menu } from '../../ui/overlays/menu.tsx';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import { ScreenTitle } from '../../ui/top-bar-slot.tsx';
import { FailedScope } from '../project/failed-scope.tsx';
import { SwipeTasks } from '../task/swipe-tasks.tsx';
import { TaskKeys } from '../task/task-keys.tsx';
import styles from './my-tasks.module.css';

export default function MyTasks() {
  usePageTitle(t('common.nav.myTasks'));
  const userId = useUserId();
  const scope = { kind: 'mine', userId } as const;
  const state = useScope(scope);
  const [params, setParams] = useSearchParams();
  const only = params.get('project') ?? '';
  const page = useRef<HTMLDivElement>(null);
  useArrowStart(page);
  const mine = useQuery(myTasks, userId, only, useToday());
  const projects = useQuery(openProjects);
  const project = projects.find((one) => one.id === only);
  const waiting = state.phase === 'empty';
  const known = !waiting && (state.phase !== 'failed' || state.remembered);
  return (
    <div className={pageStyles.page} ref={page}>
      <header className={pageStyles.pageHead}>
        <div>
          <ScreenTitle>{t('common.nav.myTasks')}</ScreenTitle>
          {known && <p className={`${pageStyles.pageCount} numbers`}>{t('myTasks.count', { n: mine.total })}</p>}
        </div>
        {projects.length > 1 && (
          <Menu
            label={t('myTasks.projectLabel')}
            trigger={
              <Button icon={<FolderKanban size={15} />} className={styles.myFilter}>
                {project ? project.name : t('common.nav.allProjects')}
              </Button>
            }
            items={[
              {
                id: 'all',
                label: t('common.nav.allProjects'),
                checked: only === '',
                onPick: () => setParams({}, { replace: true }),
              },
              ...projects.map((one) => ({
                id: one.id,
                label: one.name,
                checked: one.id === only,
                onPick: () => setParams({ project: one.id }, { replace: true }),
              })),
            ]}
          />
        )}
      </header>
      <FailedScope state={state} />
      {waiting && (
        <Loading whole label={t('common.loading')}>
          <div className={shapes.stackS5}>
            {[68, 45, 74, 52, 60].map((width) => (
              <Skeleton key={width} width={`${width}%`} />
            ))}
          </div>
        </Loading>
      )}
      {known && mine.total === 0 && (
        <EmptyState art={<Check size={40} />} title={project ? t('myTasks.emptyProject') : t('myTasks.empty')}>
          <p>{t('myTasks.emptyWords')}</p>
        </EmptyState>
      )}
      {mine.groups.map((group) => (
        <Group key={group.id} id={group.id} tasks={group.tasks} />
      ))}
      <TaskKeys peeks={false} />
      <SwipeTasks room={page} rows="[data-line]" />
    </div>
  );
}

function Group({ id, tasks }: { id: DueGroup; tasks: readonly TaskRow[] }) {
  const heading = useId();
  const { shown, list, more } = useFirstOnes(tasks);
  return (
    <section className={`${styles.myGroup} ${id === 'overdue' ? styles.myOverdue : ''}`} aria-labelledby={heading}>
      <h2 id={heading}>
        {t(`myTasks.groups.${id}`)}{' '}
        <span className={`${shapes.quietS} ${shapes.medium} numbers`}>{sayNumber(tasks.length)}</span>
      </h2>
      <ul ref={list} tabIndex={-1} aria-labelledby={heading}>
        {shown.map((task) => (
          <Item key={task.id} task={task} />
        ))}
      </ul>
      {more}
    </section>
  );
}

function Item({ task }: { task: TaskRow }) {
  const userId = useUserId();
  const act = useAct();
  const project = useQuery(projectOf, task.project_id);
  const columns = useQuery(columnsOf, task.project_id);
  const { edits } = useQuery(rightsOn, task.id, userId);
  const key = taskKey(project, task);
  const column = columns.find((one) => one.id === task.column_id);
  const done = columns.find((one) => one.kind === 'done');
  return (
    <li className={`${shapes.rowS4} ${shapes.press} ${shapes.holder} ${shapes.swiped} ${styles.myItem}`} data-line>
      {edits && (
        <button
          type="button"
          className={`${shapes.middle} ${shapes.rigid} ${shapes.holder} ${styles.myDone}`}
          aria-label={t('myTasks.complete', { key })}
          title={done ? t('myTasks.complete', { key }) : t('myTasks.noDoneColumn')}
          disabled={done === undefined}
          onClick={() => done && void act(completeTasks, [task.id], done.id)}
        >
          <Check size={12} strokeWidth={3} aria-hidden="true" />
        </button>
      )}
      <RowLink
        className={`${shapes.rowS3} ${shapes.fill} ${shapes.link} ${shapes.roundS} ${styles.myLink}`}
        href={paths.task(task.project_id, addressOf(task))}
        data-task-id={task.id}
        onKeyDown={goByArrows}
      >
        <PriorityMark priority={task.priority} />
        <span className={`${shapes.rigid} ${shapes.quiet} ${styles.myKey} numbers`}>{key}</span>
        <span className={`${shapes.words} ${shapes.medium} ${styles.myTitle}`}>{task.title}</span>
      </RowLink>
      <span className={`${shapes.rowS4} ${shapes.soft} ${shapes.rigid} ${styles.myFacts}`}>
        {column && (
          <span className={`${shapes.inlineS2} ${styles.myColumn}`}>
            <KindMark kind={column.kind} color={column.color} />
            <span className={`${shapes.words} ${shapes.block}`}>{column.name}</span>
          </span>
        )}
        {project && (
          <ProjectBadge color={project.color} title={project.name} className={styles.myProject}>
            {project.avatar_url && <ProjectPicture project={project} size={16} />}
            <span className={`${shapes.words} ${shapes.block}`}>{project.name}</span>
          </ProjectBadge>
        )}
        {task.due_date && <DueMark className={styles.myDue} due={task.due_date} completed={task.completed_at} />}
      </span>
    </li>
  );
}

/** From task to task, over the heads of groups. */
function goByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[latinKey(event)];
  if (step === undefined || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return;
  const links = [...document.querySelectorAll<HTMLElement>('main [data-task-id]')];
  const next = links[links.indexOf(event.currentTarget) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
