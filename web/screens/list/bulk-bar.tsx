// What can be done with the selected tasks, all at once: one command, one undo.

import { Archive, CalendarDays, Columns3, SignalHigh, Tag, Trash2, UserRound, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useActions } from '../../actions/registry.tsx';
import { archiveTasks, deleteTasks, useAct } from '../../commands.ts';
import { words } from '../../strings/words.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { AssigneePicker, ColumnPicker, DuePicker, LabelPicker, PriorityPicker } from './pickers.tsx';

const say = words.list.bulk;

export function BulkBar({
  projectId,
  taskIds,
  onClear,
}: {
  projectId: string;
  taskIds: readonly string[];
  onClear: () => void;
}) {
  const act = useAct();
  const archive = (): void => {
    void act(archiveTasks, taskIds);
    onClear();
  };
  const remove = (): void => {
    void act(deleteTasks, taskIds);
    onClear();
  };
  useActions([
    { id: 'archive-selected', label: say.archiveSelected, group: 'task', icon: <Archive size={16} />, effect: archive },
    { id: 'delete-selected', label: say.removeSelected, group: 'task', icon: <Trash2 size={16} />, effect: remove },
    {
      id: 'clear-selection',
      label: words.list.clearSelection,
      group: 'task',
      keys: 'escape',
      icon: <X size={16} />,
      effect: onClear,
    },
  ]);
  const shared = { projectId, taskIds };
  return (
    <div className="bulk" role="toolbar" aria-label={say.label}>
      <span className="bulk-count numbers" role="status">
        {words.list.selected(taskIds.length)}
      </span>
      <ColumnPicker
        {...shared}
        label={say.move}
        trigger={<BulkButton icon={<Columns3 size={15} />} label={say.move} />}
      />
      <PriorityPicker
        {...shared}
        label={say.priority}
        trigger={<BulkButton icon={<SignalHigh size={15} />} label={say.priority} />}
      />
      <AssigneePicker
        {...shared}
        label={say.assign}
        trigger={<BulkButton icon={<UserRound size={15} />} label={say.assign} />}
      />
      <LabelPicker
        {...shared}
        label={say.label_}
        trigger={<BulkButton icon={<Tag size={15} />} label={say.label_} />}
      />
      <DuePicker
        taskIds={taskIds}
        label={say.due}
        trigger={<BulkButton icon={<CalendarDays size={15} />} label={say.due} />}
      />
      <Button look="quiet" icon={<Archive size={15} />} onClick={archive}>
        {say.archive}
      </Button>
      <Button look="quiet" className="menu-danger" icon={<Trash2 size={15} />} onClick={remove}>
        {say.remove}
      </Button>
      <IconButton label={words.list.clearSelection} onClick={onClear}>
        <X size={16} />
      </IconButton>
    </div>
  );
}

/** Hands the popover's own properties on to the button. */
function BulkButton({ icon, label, ...rest }: { icon: ReactNode; label: string }) {
  return (
    <Button look="quiet" icon={icon} {...rest}>
      {label}
    </Button>
  );
}
