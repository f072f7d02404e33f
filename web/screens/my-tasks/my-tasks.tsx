// What is assigned to me and open, in all my projects, by when it is due. One press marks a task as done.

import { Check, FolderKanban } from 'lucide-react';
import type { CSSProperties } from 'react';
import { useId, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { moveTasks, useAct } from '../../commands.ts';
import { DueMark, KindMark, PriorityMark } from '../../pieces/marks.tsx';
import { useToday } from '../../queries/today.ts';
import {
  columnsOf,
  type DueGroup,
  mayWrite,
  myTasks,
  openProjects,
  projectOf,
  roleIn,
  taskKey,
  useQuery,
  useScope,
} from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { TaskRow } from '../../sync/rows.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { RowLink } from '../../ui/row-link.tsx';
import { ShowAll } from '../../ui/show-all.tsx';
import { EmptyState, Loading, Skeleton } from '../../ui/state.tsx';
import { FailedScope } from '../project/failed-scope.tsx';
import '../projects/projects.css';
import './my-tasks.css';

const say = words.myTasks;
/** Longer groups are shown whole only when asked for. */
const firstOnes = 60;

export default function MyTasks() {
  usePageTitle(say.title);
  const { userId } = useSync();
  const scope = { kind: 'mine', userId } as const;
  const state = useScope(scope);
  const [params, setParams] = useSearchParams();
  const only = params.get('project') ?? '';
  const mine = useQuery(myTasks, userId, only, useToday());
  const projects = useQuery(openProjects);
  const project = projects.find((one) => one.id === only);
  const waiting = state.phase === 'empty';
  const known = !waiting && (state.phase !== 'failed' || state.remembered);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>{say.title}</h1>
          {known && <p className="my-count numbers">{say.count(mine.total)}</p>}
        </div>
        {projects.length > 1 && (
          <Menu
            label={say.projectLabel}
            trigger={
              <Button icon={<FolderKanban size={15} />} className="my-filter">
                {project ? project.name : say.allProjects}
              </Button>
            }
            items={[
              {
                id: 'all',
                label: say.allProjects,
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
        <Loading label={words.common.loading}>
          <div className="my-waiting">
            {[68, 45, 74, 52, 60].map((width) => (
              <Skeleton key={width} width={`${width}%`} />
            ))}
          </div>
        </Loading>
      )}
      {known && mine.total === 0 && (
        <EmptyState art={<Check size={40} />} title={project ? say.emptyProject : say.empty}>
          <p>{say.emptyWords}</p>
        </EmptyState>
      )}
      {mine.groups.map((group) => (
        <Group key={group.id} id={group.id} tasks={group.tasks} />
      ))}
    </div>
  );
}

function Group({ id, tasks }: { id: DueGroup; tasks: readonly TaskRow[] }) {
  const [whole, setWhole] = useState(false);
  const heading = useId();
  const list = useRef<HTMLUListElement>(null);
  const shown = whole ? tasks : tasks.slice(0, firstOnes);
  return (
    <section className={`my-group my-${id}`} aria-labelledby={heading}>
      <h2 id={heading}>
        {say.groups[id]} <span className="my-group-count numbers">{tasks.length.toLocaleString()}</span>
      </h2>
      <ul className="my-list" ref={list} tabIndex={-1} aria-labelledby={heading}>
        {shown.map((task) => (
          <Item key={task.id} task={task} />
        ))}
      </ul>
      {shown.length < tasks.length && (
        <ShowAll list={list} onShow={() => setWhole(true)}>
          {say.showAll(tasks.length)}
        </ShowAll>
      )}
    </section>
  );
}

function Item({ task }: { task: TaskRow }) {
  const { userId } = useSync();
  const act = useAct();
  const project = useQuery(projectOf, task.project_id);
  const columns = useQuery(columnsOf, task.project_id);
  const writes = mayWrite(useQuery(roleIn, task.project_id, userId));
  const key = taskKey(project, task);
  const column = columns.find((one) => one.id === task.column_id);
  const done = columns.find((one) => one.kind === 'done');
  return (
    <li className="my-item">
      {writes && (
        <button
          type="button"
          className="my-done"
          aria-label={say.complete(key)}
          title={done ? say.complete(key) : say.noDoneColumn}
          disabled={done === undefined}
          onClick={() => done && void act(moveTasks, [task.id], done.id)}
        >
          <Check size={12} strokeWidth={3} aria-hidden="true" />
        </button>
      )}
      <RowLink className="my-link" href={paths.task(task.project_id, addressOf(task))}>
        <PriorityMark priority={task.priority} />
        <span className="my-key numbers">{key}</span>
        <span className="my-title">{task.title}</span>
      </RowLink>
      <span className="my-facts">
        {column && (
          <span className="my-column">
            <KindMark kind={column.kind} color={column.color} />
            <span className="my-column-name">{column.name}</span>
          </span>
        )}
        {project && (
          <span
            className="project-badge my-project"
            style={{ '--hue': project.color ?? 'var(--accent)' } as CSSProperties}
            title={project.name}
          >
            <span className="my-project-name">{project.name}</span>
          </span>
        )}
        {task.due_date && <DueMark due={task.due_date} completed={task.completed_at} />}
      </span>
    </li>
  );
}
