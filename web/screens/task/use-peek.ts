// Looking into a task without going there: the panel shows it, the focus stays on its card, and the next card with the focus is
// shown next.

import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { perform } from '../../actions/registry.tsx';
import { openTask, target } from '../../actions/target.ts';
import { type Reader, useReader } from '../../queries.ts';
import { addressOf, paths, projectIn } from '../../routes.ts';
import { useLatest } from '../../ui/use-latest.ts';

/** Kept in the history's entry, so that Back and a reload know. */
const peekState = { peek: true };

export function isPeeking(): boolean {
  return (history.state as { peek?: boolean } | null)?.peek === true;
}

/** Where a task is shown beside the view one is in. */
export function addressBeside(store: Reader, path: string, taskId: string | undefined): string | undefined {
  const task = store.get('tasks', taskId ?? '');
  return task && paths.task(task.project_id, addressOf(task), projectIn(path)?.view) + location.search;
}

/** Shows the task that a key means, or closes it again. */
export function usePeek(): () => void {
  const store = useReader();
  const [path, go] = useLocation();
  const show = (taskId: string | undefined): void => {
    const address = addressBeside(store, path, taskId);
    if (address !== undefined) go(address, { state: peekState, replace: isPeeking() });
  };
  const follow = useLatest((event: FocusEvent) => {
    const taskId = (event.target as Element).closest<HTMLElement>('[data-task-id]')?.dataset.taskId;
    if (taskId !== undefined && isPeeking() && taskId !== openTask()?.taskId) show(taskId);
  });
  useEffect(() => {
    const onFocusIn = (event: FocusEvent): void => follow.current(event);
    document.addEventListener('focusin', onFocusIn);
    return () => document.removeEventListener('focusin', onFocusIn);
  }, [follow]);
  return () => {
    const taskId = target()?.taskIds[0];
    if (isPeeking() && openTask()?.taskId === taskId) perform('task-close');
    else show(taskId);
  };
}
