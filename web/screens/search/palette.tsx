// One field for everything: tasks, projects and what can be done right here. Matches on this device show with every key;
// the server adds what only it knows.

import { Command } from 'cmdk';
import type { CSSProperties } from 'react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { type Action, offeredActions } from '../../actions/registry.tsx';
import { PriorityMark } from '../../pieces/marks.tsx';
import { findProjects, findTasks, keyOfTask, readTitles, titleHolds } from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { ProjectRow, TaskRow } from '../../sync/rows.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Keys } from '../../ui/keys.tsx';
import './palette.css';

const say = words.search;
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
  const { call, store } = useSync();
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
      call<TaskRow[]>('search_tasks', { query: text, max_rows: shownTasks }).then(
        (rows) => {
          if (asked.current !== text) return;
          store.receive(rows.map((row) => ({ table: 'tasks', row })));
          setRemote({ text, phase: 'there', ids: rows.map((row) => row.id) });
        },
        () => {
          if (asked.current === text) setRemote({ text, phase: 'failed', ids: [] });
        },
      );
    }, pause);
    return () => clearTimeout(timer);
  }, [text, call, store]);
  return remote;
}

export default function Palette({ onClose }: { onClose: () => void }) {
  const { store } = useSync();
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
    <Dialog open onClose={onClose} onClosed={() => leaving.current?.()} title={say.title} bareTitle look="palette">
      <Command
        shouldFilter={false}
        label={say.title}
        className="palette"
        loop
        value={values.includes(picked) ? picked : (values[0] ?? '')}
        onValueChange={setPicked}
      >
        <Command.Input
          className="palette-input"
          placeholder={say.placeholder}
          aria-label={say.placeholder}
          value={text}
          onValueChange={(next) => {
            setText(next);
            setPicked('');
          }}
          maxLength={200}
        />
        <Command.List className="palette-list" label={say.title}>
          {needle !== '' && (tasks.length > 0 || elsewhere.length > 0) && (
            <Command.Group heading={say.tasks}>
              {tasks.map((task) => (
                <TaskItem key={task.id} task={task} onOpen={openTask} />
              ))}
              {elsewhere.map((task) => (
                <TaskItem
                  key={task.id}
                  task={task}
                  {...(titleHolds(task, needle) ? {} : { note: say.inWords })}
                  onOpen={openTask}
                />
              ))}
            </Command.Group>
          )}
          {projects.length > 0 && (
            <Command.Group heading={say.projects}>
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
            <Command.Group heading={say.actions}>
              {actions.map((action) => (
                <ActionItem key={action.id} action={action} onPick={() => leaveFor(action.effect)} />
              ))}
            </Command.Group>
          )}
          {found === 0 && remote.phase !== 'asking' && (
            <div className="palette-nothing">
              <p>
                <strong>{say.nothing(needle)}</strong>
              </p>
              <p>{say.nothingHint}</p>
            </div>
          )}
        </Command.List>
        <div className="palette-foot">
          <span role="status">
            {needle !== '' &&
              (remote.phase === 'asking' ? say.searching : remote.phase === 'failed' ? say.failed : say.found(found))}
          </span>
          <span className="palette-hints" aria-hidden="true">
            <Keys keys="up down" /> {say.hintMove} <Keys keys="enter" /> {say.hintOpen} <Keys keys="escape" />{' '}
            {say.hintClose}
          </span>
        </div>
      </Command>
    </Dialog>
  );
}

function TaskItem({ task, note, onOpen }: { task: TaskRow; note?: string; onOpen: (task: TaskRow) => void }) {
  const { store } = useSync();
  const state = task.archived_at !== null ? say.archived : task.completed_at !== null ? say.done : note;
  return (
    <Command.Item value={task.id} className="menu-item palette-item" onSelect={() => onOpen(task)}>
      <PriorityMark priority={task.priority} />
      <span className="palette-key numbers">{keyOfTask(store, task)}</span>
      <span className="menu-words">{task.title}</span>
      {state && <span className="palette-note">{state}</span>}
    </Command.Item>
  );
}

function ProjectItem({ project, onOpen }: { project: ProjectRow; onOpen: () => void }) {
  return (
    <Command.Item value={`project ${project.id}`} className="menu-item palette-item" onSelect={onOpen}>
      <span className="menu-icon">
        <span className="dot" style={{ '--hue': project.color ?? 'var(--accent)' } as CSSProperties} />
      </span>
      <span className="palette-key numbers">{project.key}</span>
      <span className="menu-words">{project.name}</span>
      {project.archived_at !== null && <span className="palette-note">{say.archived}</span>}
    </Command.Item>
  );
}

function ActionItem({ action, onPick }: { action: Action; onPick: () => void }) {
  return (
    <Command.Item value={`action ${action.id}`} className="menu-item palette-item" onSelect={onPick}>
      <span className="menu-icon">{action.icon}</span>
      <span className="menu-words">{action.label}</span>
      {action.keys && <Keys keys={action.keys.split('|')[0] ?? ''} />}
    </Command.Item>
  );
}
