// Keys of the chart: up and down lead from line to line. With Alt a task moves along, by a day or a week; with Shift its last day does,
// with both its first. Plus and minus make days wider and narrower.

import { Spline, ZoomIn, ZoomOut } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { listedKeys, useActions } from '../../actions/registry.tsx';
import { target } from '../../actions/target.ts';
import type { Dates } from '../../queries/views/spans.ts';
import { type TaskRow, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { dateKeys, datesByKey } from '../planning/date-keys.ts';
import type { Line } from './lines.ts';
import { zooms } from './scale.ts';
import type { TimelineAddress } from './timeline-address.ts';
import type { LineFocus } from './use-line-focus.ts';

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const page = 10;

interface TimelineKeys {
  readonly lines: readonly Line[];
  readonly focus: LineFocus;
  readonly place: TimelineAddress;
  readonly canWrite: boolean;
  readonly onPlan: (task: TaskRow, dates: Dates | null) => void;
  readonly onFold: (groupId: string) => void;
  readonly onGoTo: (day: number) => void;
  /** What the task waits for, and what waits for it. */
  readonly onLinks: (task: TaskRow, there: HTMLElement) => void;
}

export function useTimelineKeys(props: TimelineKeys): (event: KeyboardEvent) => void {
  const { lines, focus, place, canWrite, onPlan, onFold, onGoTo, onLinks } = props;
  const store = useReader();
  const zoomBy = (by: 1 | -1): void => {
    const zoom = zooms[zooms.indexOf(place.zoom) - by];
    if (zoom !== undefined) place.set({ zoom });
  };
  useActions([
    {
      id: 'timeline-wider',
      label: t('common.zoomIn'),
      group: 'project',
      keys: '=',
      icon: <ZoomIn size={16} />,
      effect: () => zoomBy(1),
    },
    {
      id: 'timeline-narrower',
      label: t('common.zoomOut'),
      group: 'project',
      keys: '-',
      icon: <ZoomOut size={16} />,
      effect: () => zoomBy(-1),
    },
    {
      id: 'timeline-links',
      label: t('task.dependencies'),
      group: 'project',
      keys: 'b',
      icon: <Spline size={16} />,
      effect() {
        const meant = target();
        const task = store.get('tasks', meant?.taskIds[0] ?? '');
        if (task !== undefined && meant !== undefined) onLinks(task, meant.there);
      },
    },
    ...listedKeys('timeline', 'project', [
      ['up down', t('timeline.keys.lines')],
      ['left right', t('timeline.keys.groups')],
      ...(canWrite ? dateKeys() : []),
    ]),
  ]);

  return (event) => {
    const target = event.target as HTMLElement;
    if (!event.currentTarget.contains(target) || event.ctrlKey || event.metaKey) return;
    const line = lines[focus.at];
    if (line === undefined || target.closest('[data-line]') === null) return;
    const step = steps[event.key];
    if (event.altKey || event.shiftKey) {
      const task = line.kind === 'task' ? store.get('tasks', line.task.id) : undefined;
      if (step === undefined || task === undefined || !canWrite) return;
      onPlan(task, datesByKey(event, task, step));
      event.preventDefault();
      return;
    }
    const by: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -lines.length,
      End: lines.length,
    };
    const way = by[event.key];
    if (event.key === '+') zoomBy(1);
    else if (way !== undefined) focus.go(focus.at + way);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const right = event.key === 'ArrowRight';
      if (line.kind === 'head' && line.open !== right) onFold(line.group.id);
      else if (line.kind === 'head' && right) focus.go(focus.at + 1);
      else if (!right && line.level > 1)
        focus.go(lines.findLastIndex((one, at) => at < focus.at && one.kind === 'head' && one.level < line.level));
      else if (line.kind === 'task') onGoTo(line.span.from);
    } else return;
    event.preventDefault();
  };
}
