// Subtasks of a task and the items of its checklist, as one part: counted together, and added by one line. What that adds is chosen, and
// remembered on this device.

import { useState } from 'react';
import { addChecklistItems, addSubtasks, useAct } from '../../commands.ts';
import { checklistOf, outlineOf, type TaskRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { keep, recall } from '../../ui/fields/draft.ts';
import { Segments } from '../../ui/fields/segments.tsx';
import { AddLine } from './add-line.tsx';
import { firstField } from './add-parts.tsx';
import { Checklist } from './checklist.tsx';
import { ProgressHead } from './progress-head.tsx';
import { Subtasks, type SubtasksProps } from './subtasks.tsx';

/** `edits`: also a guest, who adds items alone. */
export function SubtasksPart({ edits, ...props }: SubtasksProps & { edits: boolean }) {
  const { task, canWrite } = props;
  const own = useQuery(outlineOf, task.id).filter(({ depth }) => depth === 0);
  const items = useQuery(checklistOf, task.id);
  const all = own.length + items.length;
  const done =
    own.filter((line) => line.task.completed_at !== null).length + items.filter(({ is_done }) => is_done).length;
  return (
    <section className={`${shapes.lineS3} ${shapes.column}`} aria-label={t('plan.subtasks.title')} data-subtasks>
      <ProgressHead title={t('plan.subtasks.title')} done={done} all={all} label={t('board.subtasks', { done, all })} />
      {own.length > 0 && <Subtasks {...props} />}
      {items.length > 0 && <Checklist items={items} canWrite={edits} writes={canWrite} />}
      {canWrite ? <AddToTask task={task} /> : edits && <AddItems task={task} />}
    </section>
  );
}

const kinds = ['subtask', 'item'] as const;
const place = 'kanbase-task-line';

function AddToTask({ task }: Pick<SubtasksProps, 'task'>) {
  const act = useAct();
  const addItems = useAddItems(task);
  const [kind, setKind] = useState(() => kinds.find((one) => one === recall(place)) ?? 'subtask');
  function choose(next: (typeof kinds)[number]): void {
    keep(place, next === 'subtask' ? null : next);
    setKind(next);
  }
  return (
    <AddLine
      projectId={task.project_id}
      plain={kind === 'item'}
      label={t(kind === 'item' ? 'task.addItem' : 'plan.subtasks.add')}
      {...firstField('subtasks')}
      onAdd={(drafts) => (kind === 'item' ? addItems(drafts) : void act(addSubtasks, task.id, drafts))}
      onSwitch={() => choose(kind === 'item' ? 'subtask' : 'item')}
    >
      <Segments
        label={t('plan.subtasks.kind')}
        choices={kinds}
        value={kind}
        say={(one) => t(one === 'item' ? 'writing.item' : 'task.addPart.subtasks')}
        keepsFocus
        onPick={choose}
      />
    </AddLine>
  );
}

function useAddItems(task: TaskRow): (drafts: readonly { readonly title: string }[]) => void {
  const act = useAct();
  return (drafts) =>
    void act(
      addChecklistItems,
      task.id,
      drafts.map(({ title }) => title),
    );
}

function AddItems({ task }: Pick<SubtasksProps, 'task'>) {
  const addItems = useAddItems(task);
  return (
    <AddLine projectId={task.project_id} plain label={t('task.addItem')} {...firstField('subtasks')} onAdd={addItems} />
  );
}
