// Archive: projects and tasks, each to be restored or deleted; and deleted projects, for as long as they are kept.

import { Archive as ArchiveIcon, ArchiveRestore, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { deleteTasks, unarchiveProject, unarchiveTask, useAct } from '../../commands.ts';
import { ProjectPicture } from '../../pieces/project-picture.tsx';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import { useDeletedProjects } from '../../queries/deleted-projects.ts';
import { archivedTasksOf, mostArchived, useArchivedTasks } from '../../queries/tasks/archive.ts';
import {
  archivedProjects,
  countAffectedSubtasks,
  mayWrite,
  openProjects,
  type ProjectRow,
  projectOf,
  roleIn,
  type TaskRow,
  taskKey,
  useQuery,
  useScope,
  useUserId,
} from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { EmptyState, Loading, Notice, Skeleton } from '../../ui/list-states.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import { useFirstOnes } from '../../ui/lists/show-all.tsx';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import { ScreenTitle } from '../../ui/top-bar-slot.tsx';
import { DeleteProject } from '../settings/delete-project.tsx';
import styles from './archive.module.css';
import { DeletedProjects } from './deleted-projects.tsx';

export default function Archive() {
  usePageTitle(t('common.nav.archive'));
  const me = useScope({ kind: 'me', userId: useUserId() });
  const { phase, again } = useArchivedTasks();
  const [params, setParams] = useSearchParams();
  const only = params.get('project') ?? '';
  const [words, setWords] = useState('');
  const projects = useQuery(openProjects);
  const archived = useQuery(archivedProjects);
  const tasks = useQuery(archivedTasksOf, only, words);
  const { data: allDeleted, again: againDeleted } = useDeletedProjects();
  const any = useQuery(archivedTasksOf, '', '').length + archived.length + (allDeleted?.length ?? 0) > 0;
  const isShown = ({ id, name }: { readonly id: string; readonly name: string }): boolean =>
    (only === '' || id === only) && name.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase());
  const shownProjects = archived.filter(isShown);
  const deleted = (allDeleted ?? []).filter(isShown);
  const waiting = !any && (phase === 'waiting' || me.phase === 'empty');
  return (
    <div className={pageStyles.page}>
      <header className={pageStyles.pageHead}>
        <ScreenTitle>{t('common.nav.archive')}</ScreenTitle>
      </header>
      {phase === 'failed' && (
        <Notice tone="warn">
          {t('common.failed.words')} <Button onClick={again}>{t('common.retry')}</Button>
        </Notice>
      )}
      {waiting && (
        <Loading whole label={t('common.loading')}>
          <div className={shapes.stackS5}>
            {[60, 45, 70].map((width) => (
              <Skeleton key={width} width={`${width}%`} />
            ))}
          </div>
        </Loading>
      )}
      {!waiting && !any && phase === 'known' && (
        <EmptyState art={<ArchiveIcon size={40} />} title={t('people.archive.empty')}>
          <p>{t('people.archive.emptyWords')}</p>
        </EmptyState>
      )}
      {any && (
        <div className={`${shapes.stackS4} ${styles.narrow}`}>
          <TextField
            label={t('common.search')}
            bare
            type="search"
            placeholder={t('common.search')}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
          <SelectField
            label={t('property.project')}
            bare
            value={only}
            choices={[
              { value: '', label: t('common.nav.allProjects') },
              ...[...projects, ...archived].map((project) => ({ value: project.id, label: project.name })),
            ]}
            onPick={(id) => setParams(id === '' ? {} : { project: id }, { replace: true })}
          />
        </div>
      )}
      {any && shownProjects.length + deleted.length + tasks.length === 0 && phase === 'known' && (
        <p>{t('common.nothingFound')}</p>
      )}
      {shownProjects.length > 0 && (
        <section className={`${shapes.part} ${styles.part}`} aria-label={t('common.nav.projects')}>
          <h2>{t('common.nav.projects')}</h2>
          <ul>
            {shownProjects.map((project) => (
              <ProjectLine key={project.id} project={project} />
            ))}
          </ul>
        </section>
      )}
      {deleted.length > 0 && <DeletedProjects projects={deleted} onChange={againDeleted} />}
      {tasks.length > 0 && <Tasks key={`${only} ${words}`} tasks={tasks} />}
    </div>
  );
}

function ProjectLine({ project }: { project: ProjectRow }) {
  const act = useAct();
  const owner = useQuery(roleIn, project.id, useUserId()) === 'owner';
  const [asking, setAsking] = useState(false);
  return (
    <li className={`${shapes.rowS4} ${styles.row}`}>
      <ProjectPicture project={project} />
      <RowLink
        className={`${shapes.breaks} ${shapes.fill} ${shapes.underlined} ${styles.name}`}
        href={paths.project(project.id)}
      >
        {project.name}
      </RowLink>
      <When moment={project.archived_at} />
      {owner && (
        <span className={shapes.tools}>
          <IconButton
            label={t('people.archive.restore', { what: project.name })}
            onClick={() => void act(unarchiveProject, project.id)}
          >
            <ArchiveRestore size={16} />
          </IconButton>
          <IconButton label={t('people.archive.remove', { what: project.name })} onClick={() => setAsking(true)}>
            <Trash2 size={16} />
          </IconButton>
        </span>
      )}
      {asking && <DeleteProject project={project} onClose={() => setAsking(false)} />}
    </li>
  );
}

function Tasks({ tasks }: { tasks: readonly TaskRow[] }) {
  const { shown, list, more } = useFirstOnes(tasks);
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-label={t('common.taskList')}>
      <h2>{t('common.taskList')}</h2>
      <ul ref={list} tabIndex={-1} aria-label={t('common.taskList')}>
        {shown.map((task) => (
          <TaskLine key={task.id} task={task} />
        ))}
      </ul>
      {more}
      {tasks.length >= mostArchived && (
        <p className={`${shapes.quietS} ${shapes.rigid}`}>{t('people.archive.newest', { n: mostArchived })}</p>
      )}
    </section>
  );
}

function TaskLine({ task }: { task: TaskRow }) {
  const act = useAct();
  const project = useQuery(projectOf, task.project_id);
  const writes = mayWrite(useQuery(roleIn, task.project_id, useUserId())) && project?.archived_at === null;
  const key = taskKey(project, task);
  const what = `${key} ${task.title}`;
  const along = useQuery(countAffectedSubtasks, [task.id], 'deleted');
  const remove = along > 0 ? t('people.archive.removeWith', { what, n: along }) : t('people.archive.remove', { what });
  return (
    <li className={`${shapes.rowS4} ${styles.row}`}>
      <RowLink
        className={`${shapes.breaks} ${shapes.fill} ${shapes.underlined} ${styles.name}`}
        href={paths.task(task.project_id, addressOf(task))}
      >
        <span className={`${shapes.quiet} ${shapes.plain} ${styles.key} numbers`}>{key}</span>
        {task.title}
      </RowLink>
      <When moment={task.archived_at} />
      {writes && (
        <span className={shapes.tools}>
          <IconButton label={t('people.archive.restore', { what })} onClick={() => void act(unarchiveTask, task.id)}>
            <ArchiveRestore size={16} />
          </IconButton>
          <IconButton label={remove} onClick={() => void act(deleteTasks, [task.id])}>
            <Trash2 size={16} />
          </IconButton>
        </span>
      )}
    </li>
  );
}

function When({ moment }: { moment: string | null }) {
  if (moment === null) return null;
  return (
    <time className={`${shapes.quietS} ${shapes.rigid}`} dateTime={moment} title={sayMoment(moment)}>
      {sayAgo(moment)}
    </time>
  );
}
