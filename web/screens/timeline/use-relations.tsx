// Dependencies on a timeline, their consequences, and the panel that edits them.

import { type ReactNode, type RefObject, useCallback, useMemo, useState } from 'react';
import { linkManyTasks, useAct } from '../../commands.ts';
import { criticalOf, dependenciesOf, earlyOf } from '../../queries/views/timeline.ts';
import { onlyProject, type TaskRow, type TasksOf, useQuery, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { announce } from '../../ui/announcer.tsx';
import { lazyOverlay } from '../../ui/overlays/lazy-overlay.tsx';
import type { PlanContext } from '../planning/plan-context.ts';
import type { Relations } from './chart.tsx';
import { useLinkDrag } from './use-link-drag.ts';

const LinksPopover = lazyOverlay(() => import('./links-popover.tsx'), ['plan']);

interface Options {
  /** Whose tasks the chart shows. */
  readonly of: TasksOf;
  readonly planContext: PlanContext;
  readonly body: RefObject<HTMLElement | null>;
  readonly side: number;
  readonly withCritical: boolean;
}

interface RelationsState {
  readonly relations: Relations;
  readonly popover: ReactNode;
  onLinks(task: TaskRow, there: HTMLElement): void;
}

export function useRelations({ of, planContext, body, side, withCritical }: Options): RelationsState {
  const store = useReader();
  const act = useAct();
  const links = useQuery(dependenciesOf, of);
  const broken = useQuery(earlyOf, of);
  const onPath = useQuery(criticalOf, withCritical ? onlyProject(of) : '');
  const [opened, setOpened] = useState<{ readonly taskId: string; readonly there: HTMLElement } | null>(null);

  const troubles = useMemo(() => {
    const byTask = new Map<string, string[]>();
    for (const { predecessorId, successorId, days } of broken) {
      const before = store.get('tasks', predecessorId);
      const words = t('timeline.early', { days, key: before ? planContext.keyOf(before) : '' });
      byTask.set(successorId, [...(byTask.get(successorId) ?? []), words]);
    }
    return byTask;
  }, [broken, planContext, store]);
  const early = useMemo(
    () => new Map([...troubles].map(([id, words]): [string, string] => [id, words.join(' ')])),
    [troubles],
  );
  const waits = useMemo(() => {
    const keys = new Map<string, string>();
    for (const { predecessor_id, successor_id } of links) {
      const before = store.get('tasks', predecessor_id);
      const others = keys.get(successor_id);
      if (before) keys.set(successor_id, `${others ? `${others}, ` : ''}${planContext.keyOf(before)}`);
    }
    return keys;
  }, [links, planContext, store]);
  const critical = useMemo(() => new Set(onPath), [onPath]);

  const onLink = (before: string, after: string): void => {
    void act(linkManyTasks, [after], 'blocked_by', before);
    const [one, other] = [store.get('tasks', before), store.get('tasks', after)];
    if (one && other)
      announce(t('timeline.linked', { before: planContext.keyOf(one), after: planContext.keyOf(other) }));
  };
  const drag = useLinkDrag({ body, side, onLink });
  // The one the arrow leads to, whose bar may be far away: over where the arrow was pressed.
  const onOpen = useCallback<Relations['onOpen']>((taskId, { clientX, clientY }) => {
    setOpened({ taskId, there: spotAt(clientX, clientY) });
  }, []);
  const onLinks = useCallback((task: TaskRow, there: HTMLElement): void => setOpened({ taskId: task.id, there }), []);
  const task = opened === null ? undefined : store.get('tasks', opened.taskId);
  return {
    relations: { links, early, critical, waits, drag, onOpen },
    onLinks,
    popover: opened !== null && task !== undefined && (
      <LinksPopover
        task={task}
        planContext={planContext}
        there={opened.there}
        troubles={troubles.get(task.id) ?? []}
        onClose={() => setOpened(null)}
      />
    ),
  };
}

/** Something that is where the pointer was, for a panel to stand at; the focus goes nowhere from there. */
function spotAt(x: number, y: number): HTMLElement {
  const spot = document.createElement('span');
  spot.getBoundingClientRect = () => new DOMRect(x, y, 0, 0);
  return spot;
}
