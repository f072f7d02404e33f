// What is known of a task at a glance, each value changed in place.

import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  addLabel,
  assign,
  createLabel,
  editTasks,
  moveTask,
  newId,
  removeLabel,
  unassign,
  useAct,
} from '../../commands.ts';
import { KindMark, LabelChip, PriorityMark } from '../../pieces/marks.tsx';
import { assigneesOf, columnsOf, labelsOf, membersOf, taskLabelsOf, useQuery } from '../../queries.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { Priority, TaskRow } from '../../sync/rows.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { nextSwatch } from '../../ui/palette.ts';
import { Picker } from '../../ui/picker.tsx';
import { Day, Estimate } from './plan.tsx';
import './properties.css';

const say = words.task;
const priorities: readonly Priority[] = ['p0', 'p1', 'p2'];

export function Properties({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  return (
    <dl className="props">
      <Row label={say.status}>
        <Status task={task} canWrite={canWrite} />
      </Row>
      <Row label={say.priority}>
        <PriorityPick task={task} canWrite={canWrite} />
      </Row>
      <Row label={say.assignees}>
        <Assignees task={task} canWrite={canWrite} />
      </Row>
      <Row label={say.estimate}>
        <Estimate task={task} canWrite={canWrite} />
      </Row>
      <Row label={say.start}>
        <Day task={task} column="start_date" canWrite={canWrite} />
      </Row>
      <Row label={say.due}>
        <Day task={task} column="due_date" canWrite={canWrite} />
      </Row>
      <Row label={say.labels} wide>
        <Labels task={task} canWrite={canWrite} />
      </Row>
    </dl>
  );
}

function Row({ label, children, wide }: { label: string; children: ReactNode; wide?: boolean }) {
  return (
    <div className={wide ? 'prop prop-wide' : 'prop'}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface PartProps {
  readonly task: TaskRow;
  readonly canWrite: boolean;
}

function Status({ task, canWrite }: PartProps) {
  const act = useAct();
  const columns = useQuery(columnsOf, task.project_id);
  const column = columns.find((one) => one.id === task.column_id);
  const face = column && (
    <>
      <KindMark kind={column.kind} color={column.color} />
      <span className="prop-words">{column.name}</span>
    </>
  );
  if (!canWrite) return <span className="prop-value">{face}</span>;
  return (
    <Picker
      label={say.status}
      items={columns.map((one) => ({
        id: one.id,
        label: one.name,
        icon: <KindMark kind={one.kind} color={one.color} />,
        chosen: one.id === task.column_id,
      }))}
      onPick={(columnId) => void act(moveTask, task.id, { columnId, beforeId: null })}
      trigger={
        <button type="button" className="prop-value prop-button" aria-label={`${say.status}: ${column?.name ?? ''}`}>
          {face}
        </button>
      }
    />
  );
}

function PriorityPick({ task, canWrite }: PartProps) {
  const act = useAct();
  if (!canWrite)
    return (
      <span className="prop-value">
        <PriorityMark priority={task.priority} named />
      </span>
    );
  return (
    <Picker
      label={say.priority}
      items={priorities.map((priority) => ({
        id: priority,
        label: words.common.priorities[priority],
        icon: <PriorityMark priority={priority} />,
        chosen: priority === task.priority,
      }))}
      onPick={(picked) => void act(editTasks, [task.id], { priority: picked as Priority })}
      trigger={
        <button
          type="button"
          className="prop-value prop-button"
          aria-label={`${say.priority}: ${words.common.priorities[task.priority]}`}
        >
          <PriorityMark priority={task.priority} named />
        </button>
      }
    />
  );
}

function Assignees({ task, canWrite }: PartProps) {
  const act = useAct();
  const { userId } = useSync();
  const people = useQuery(assigneesOf, task.id);
  const members = useQuery(membersOf, task.project_id);
  const face =
    people.length === 0 ? (
      <span className="prop-none">{say.unassigned}</span>
    ) : (
      people.map((person) => (
        <span key={person.userId} className="prop-person">
          <Avatar name={person.name} url={person.avatarUrl} seed={person.userId} size={20} />
          <span className="prop-words" aria-hidden="true">
            {person.name}
          </span>
        </span>
      ))
    );
  if (!canWrite) return <span className="prop-value">{face}</span>;
  const assigned = new Set(people.map((person) => person.userId));
  return (
    <span className="prop-line">
      <Picker
        label={say.assignees}
        several
        items={members.map((member) => ({
          id: member.userId,
          label: member.name,
          icon: <Avatar name={member.name} url={member.avatarUrl} seed={member.userId} size={20} />,
          chosen: assigned.has(member.userId),
        }))}
        onPick={(id) => void (assigned.has(id) ? act(unassign, [task.id], id) : act(assign, [task.id], id))}
        trigger={
          <button
            type="button"
            className="prop-value prop-button"
            aria-label={`${say.assignees}: ${people.map((one) => one.name).join(', ') || say.unassigned}`}
          >
            {face}
          </button>
        }
      />
      {!assigned.has(userId) && people.length === 0 && (
        <button type="button" className="prop-quick" onClick={() => void act(assign, [task.id], userId)}>
          {say.assignMe}
        </button>
      )}
    </span>
  );
}

function Labels({ task, canWrite }: PartProps) {
  const act = useAct();
  const chosen = useQuery(taskLabelsOf, task.id);
  const labels = useQuery(labelsOf, task.project_id);
  const has = new Set(chosen.map((label) => label.id));
  const face = chosen.map((label) => <LabelChip key={label.id} name={label.name} color={label.color} />);
  if (!canWrite)
    return (
      <span className="prop-value">
        {face.length > 0 ? face : <span className="prop-none">{words.common.none}</span>}
      </span>
    );
  async function make(name: string): Promise<void> {
    const id = newId();
    const made = act(createLabel, task.project_id, name, nextSwatch(labels.map((label) => label.color)), id);
    void act(addLabel, [task.id], id);
    await made;
  }
  return (
    <Picker
      label={say.labels}
      several
      items={labels.map((label) => ({
        id: label.id,
        label: label.name,
        icon: <span className="label-dot" style={{ background: label.color ?? 'var(--edge)' }} />,
        chosen: has.has(label.id),
      }))}
      onPick={(id) => void (has.has(id) ? act(removeLabel, [task.id], id) : act(addLabel, [task.id], id))}
      onMake={(name) => void make(name)}
      makeLabel={say.makeLabel}
      trigger={
        <button
          type="button"
          className="prop-value prop-button"
          aria-label={`${say.labels}: ${chosen.map((one) => one.name).join(', ') || say.addLabel}`}
        >
          {face.length > 0 ? (
            face
          ) : (
            <span className="prop-none">
              <Plus size={14} aria-hidden="true" /> {say.addLabel}
            </span>
          )}
        </button>
      }
    />
  );
}
