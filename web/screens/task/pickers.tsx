// Changing one thing of one task or of many: its column, priority, people, labels. The panel, rows, the bulk bar and
// keys share these.

import {
  addLabel,
  assign,
  createLabel,
  editTasks,
  moveTasks,
  newId,
  removeLabel,
  unassign,
  useAct,
} from '../../commands.ts';
import marksStyles from '../../pieces/marks.module.css';
import { KindMark, PriorityMark } from '../../pieces/marks.tsx';
import {
  columnsOf,
  commonAssignees,
  commonLabels,
  labelsOf,
  membersOf,
  type Priority,
  useQuery,
  useReader,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Picker } from '../../ui/fields/picker.tsx';
import type { Trigger } from '../../ui/overlays/popover.tsx';
import { nextSwatch } from '../../ui/palette.ts';

const priorities: readonly Priority[] = ['p0', 'p1', 'p2'];

export interface TaskPickerProps {
  readonly projectId: string;
  readonly taskIds: readonly string[];
  readonly trigger: Trigger;
  readonly label: string;
  /** Opened by a key: it is open from the start. */
  readonly startOpen?: boolean;
  readonly onClosed?: () => void;
}

export function ColumnPicker({ projectId, taskIds, ...popover }: TaskPickerProps) {
  const store = useReader();
  const act = useAct();
  const columns = useQuery(columnsOf, projectId);
  const only = taskIds.length === 1 ? store.get('tasks', taskIds[0] ?? '') : undefined;
  return (
    <Picker
      {...popover}
      items={columns.map((column) => ({
        id: column.id,
        label: column.name,
        icon: <KindMark kind={column.kind} color={column.color} />,
        chosen: only?.column_id === column.id,
      }))}
      onPick={(columnId) => void act(moveTasks, taskIds, columnId)}
    />
  );
}

export function PriorityPicker({ taskIds, projectId: _, ...popover }: TaskPickerProps) {
  const store = useReader();
  const act = useAct();
  const only = taskIds.length === 1 ? store.get('tasks', taskIds[0] ?? '') : undefined;
  return (
    <Picker
      {...popover}
      items={priorities.map((priority) => ({
        id: priority,
        label: t(`common.priorities.${priority}`),
        icon: <PriorityMark priority={priority} />,
        chosen: only?.priority === priority,
      }))}
      onPick={(priority) => void act(editTasks, taskIds, { priority: priority as Priority })}
    />
  );
}

export function AssigneePicker({ projectId, taskIds, ...popover }: TaskPickerProps) {
  const act = useAct();
  const members = useQuery(membersOf, projectId);
  const chosen = useQuery(commonAssignees, taskIds.join());
  return (
    <Picker
      several
      {...popover}
      items={members.map((member) => ({
        id: member.userId,
        label: member.name,
        icon: <Avatar name={member.name} url={member.avatarUrl} seed={member.userId} size={20} />,
        chosen: chosen.includes(member.userId),
      }))}
      onPick={(userId) => void act(chosen.includes(userId) ? unassign : assign, taskIds, userId)}
    />
  );
}

export function LabelPicker({ projectId, taskIds, ...popover }: TaskPickerProps) {
  const act = useAct();
  const labels = useQuery(labelsOf, projectId);
  const chosen = useQuery(commonLabels, taskIds.join());
  return (
    <Picker
      several
      {...popover}
      empty={t('settings.noLabels')}
      items={labels.map((one) => ({
        id: one.id,
        label: one.name,
        icon: <span className={marksStyles.labelDot} style={{ background: one.color ?? 'var(--edge)' }} />,
        chosen: chosen.includes(one.id),
      }))}
      onPick={(labelId) => void act(chosen.includes(labelId) ? removeLabel : addLabel, taskIds, labelId)}
      makeLabel={(name) => t('task.makeLabel', { name })}
      onMake={(name) => {
        const id = newId();
        void act(createLabel, projectId, name, nextSwatch(labels.map((one) => one.color)), id);
        void act(addLabel, taskIds, id);
      }}
    />
  );
}
