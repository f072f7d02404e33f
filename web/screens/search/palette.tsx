// One field for everything: tasks, projects and what can be done right here. Matches on this device show with every key;
// the server adds what only it knows.

import { Command } from 'cmdk';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { type Action, offeredActions } from '../../actions/registry.tsx';
import { PriorityMark } from '../../pieces/marks.tsx';
import { ProjectPicture } from '../../pieces/project-picture.tsx';
import {
  findProjects,
  findTasks,
  keyOfTask,
  type ProjectRow,
  readTitles,
  type TaskRow,
  titleHolds,
  useReader,
  useServerSearch,
} from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Keys } from '../../ui/keys.tsx';
import menuStyles from '../../ui/menu.module.css';
import styles from './palette.module.css';

const shownTasks = 20;
const shownProjects = 6;
/** Long enough that a word typed at once is one question. */
const pause = 120;

interface Remote {
  readonly text: string;
  readonly phase: 'asking' | 'there' | 'failed';
  readonly ids: readonly string[];
}

/** What the server finds; its rows go into the store. */
function useRemote(text: string): Remote {
  const search = useServerSearch();
  const [remote, setRemote] = useState<Remote>({ text: '', phase: 'there', ids: [] });
  const asked = useRef('');
  useEffect(() => {
    asked.current = text;
    if (text.length < 2) {
      setRemote({ text, phase: 'there', ids: [] });
      return;
    }
    setRemote((old) => ({ text, phase: 'asking', ids: text.startsWith(old.text) && old.text !== '' ? old.ids : [] }));
    const timer = setTimeout(() => {
      search(text, shownTasks).then(
        (ids) => {
          if (asked.current === text) setRemote({ text, phase: 'there', ids });
        },
        () => {
          if (asked.current === text) setRemote({ text, phase: 'failed', ids: [] });
        },
      );
    }, pause);
    return () => clearTimeout(timer);
  }, [text, search]);
  return remote;
}

export default function Palette({ onClose }: { onClose: () => void }) {
  const store = useReader();
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const needle = text.trim();
  // What is on offer here, before this dialog takes the focus.
  const [offered] = useState(() => offeredActions().filter((action) => !action.hidden));
  const remote = useRemote(needle);
  useEffect(() => {
    const timer = setTimeout(() => readTitles(store));
    return () => clearTimeout(timer);
  }, [store]);
  // What is found here stays where it is; what the server finds comes below it, so that nothing moves under the eye.
  const tasks = useMemo(() => findTasks(store, needle, shownTasks), [store, needle]);
  const elsewhere = useMemo(() => {
    const known = new Set(tasks.map((task) => task.id));
    return remote.ids
      .filter((id) => !known.has(id))
      .map((id) => store.get('tasks', id))
      .filter((task) => task !== undefined);
  }, [store, tasks, remote.ids]);
  const projects = useMemo(() => findProjects(store, needle, shownProjects), [store, needle]);
  const actions = useMemo(() => {
    const wanted = needle.toLocaleLowerCase().split(/\s+/);
    return offered.filter((action) => wanted.every((word) => action.label.toLocaleLowerCase().includes(word)));
  }, [offered, needle]);
  const values = [
    ...tasks.map((task) => task.id),
    ...elsewhere.map((task) => task.id),
    ...projects.map((project) => `project ${project.id}`),
    ...actions.map((action) => `action ${action.id}`),
  ];
  const [picked, setPicked] = useState('');
  const found = tasks.length + elsewhere.length + projects.length + actions.length;

  // What was picked wants the focus where it was, or takes it elsewhere: it waits until the dialog has given it back.
  const leaving = useRef<(() => void) | undefined>(undefined);
  function leaveFor(effect: () => void): void {
    leaving.current = effect;
    onClose();
  }
  const openTask = (task: TaskRow): void => leaveFor(() => go(paths.task(task.project_id, addressOf(task))));

  return (
    <Dialog
      open
      onClose={onClose}
      onClosed={() => leaving.current?.()}
      title={t('search.title')}
      bareTitle
      look="palette"
    >
      <Command
        shouldFilter={false}
        label={t('search.title')}
        className={styles.palette}
        loop
        value={values.includes(picked) ? picked : (values[0] ?? '')}
        onValueChange={setPicked}
      >
        <Command.Input
          className={styles.paletteInput}
          placeholder={t('search.placeholder')}
          aria-label={t('search.placeholder')}
          value={text}
          onValueChange={(next) => {
            setText(next);
            setPicked('');
          }}
          maxLength={200}
        />
        <Command.List className={styles.paletteList} label={t('search.title')}>
          {needle !== '' && (tasks.length > 0 || elsewhere.length > 0) && (
            <Command.Group heading={t('search.tasks')}>
              {tasks.map((task) => (
                <TaskItem key={task.id} task={task} onOpen={openTask} />
              ))}
              {elsewhere.map((task) => (
                <TaskItem
                  key={task.id}
                  task={task}
                  {...(titleHolds(task, needle) ? {} : { note: t('search.inWords') })}
                  onOpen={openTask}
                />
              ))}
            </Command.Group>
          )}
          {projects.length > 0 && (
            <Command.Group heading={t('search.projects')}>
              {projects.map((project) => (
                <ProjectItem
                  key={project.id}
                  project={project}
                  onOpen={() => leaveFor(() => go(paths.project(project.id)))}
                />
              ))}
            </Command.Group>
          )}
          {actions.length > 0 && (
            <Command.Group heading={t('search.actions')}>
              {actions.map((action) => (
                <ActionItem key={action.id} action={action} onPick={() => leaveFor(action.effect)} />
              ))}
            </Command.Group>
          )}
          {found === 0 && remote.phase !== 'asking' && (
            <div className={styles.paletteNothing}>
              <p>
                <strong>{t('search.nothing', { text: needle })}</strong>
              </p>
              <p>{t('search.nothingHint')}</p>
            </div>
          )}
        </Command.List>
        <div className={styles.paletteFoot}>
          <span role="status">
            {needle !== '' &&
              (remote.phase === 'asking'
                ? t('search.searching')
                : remote.phase === 'failed'
                  ? t('search.failed')
                  : t('search.found', { n: found }))}
          </span>
          <Hints />
        </div>
      </Command>
    </Dialog>
  );
}

/** What the keys do in here. */
function Hints() {
  return (
    <span className={styles.paletteHints} aria-hidden="true">
      <Keys keys="up down" /> {t('search.hintMove')} <Keys keys="enter" /> {t('search.hintOpen')} <Keys keys="escape" />{' '}
      {t('search.hintClose')}
    </span>
  );
}

function TaskItem({ task, note, onOpen }: { task: TaskRow; note?: string; onOpen: (task: TaskRow) => void }) {
  const store = useReader();
  const state = task.archived_at !== null ? t('search.archived') : task.completed_at !== null ? t('search.done') : note;
  return (
    <Command.Item
      value={task.id}
      className={`${menuStyles.menuItem} ${styles.paletteItem}`}
      onSelect={() => onOpen(task)}
    >
      <PriorityMark priority={task.priority} />
      <span className={`${styles.paletteKey} numbers`}>{keyOfTask(store, task)}</span>
      <span className={menuStyles.menuWords}>{task.title}</span>
      {state && <span className={styles.paletteNote}>{state}</span>}
    </Command.Item>
  );
}

function ProjectItem({ project, onOpen }: { project: ProjectRow; onOpen: () => void }) {
  return (
    <Command.Item
      value={`project ${project.id}`}
      className={`${menuStyles.menuItem} ${styles.paletteItem}`}
      onSelect={onOpen}
    >
      <span className={menuStyles.menuIcon}>
        <ProjectPicture project={project} size={16} />
      </span>
      <span className={`${styles.paletteKey} numbers`}>{project.key}</span>
      <span className={menuStyles.menuWords}>{project.name}</span>
      {project.archived_at !== null && <span className={styles.paletteNote}>{t('search.archived')}</span>}
    </Command.Item>
  );
}

function ActionItem({ action, onPick }: { action: Action; onPick: () => void }) {
  return (
    <Command.Item
      value={`action ${action.id}`}
      className={`${menuStyles.menuItem} ${styles.paletteItem}`}
      onSelect={onPick}
    >
      <span className={menuStyles.menuIcon}>{action.icon}</span>
      <span className={menuStyles.menuWords}>{action.label}</span>
      {action.keys && <Keys keys={action.keys.split('|')[0] ?? ''} />}
    </Command.Item>
  );
}
