// Picker that a key opens over its task: for one property, or the menu of all actions.

import { keysOf, perform } from '../../actions/registry.tsx';
import { type Target, withTarget } from '../../actions/target.ts';
import { useScope } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Picker } from '../../ui/fields/picker.tsx';
import { lazyOverlay } from '../../ui/overlays/lazy-overlay.tsx';
import { LinkPicker } from './link-picker.tsx';
import { TaskPicker } from './pickers.tsx';
import { isRelation } from './relations.ts';
import { type MeantTasks, type Opened, useTaskOffers } from './task-actions.ts';

const AccessDialog = lazyOverlay(() => import('../access/access-dialog.tsx'), ['people', 'reach']);
const DelegateDialog = lazyOverlay(() => import('../agents/delegate-dialog.tsx'), ['agents']);
const SaveTemplate = lazyOverlay(() => import('../templates/save-template-dialog.tsx'), ['starters']);
const RepeatPicker = lazyOverlay(() => import('./repeat-picker.tsx'), ['recur']);
const ShareDialog = lazyOverlay(() => import('../shared/share-task-dialog.tsx'), ['shared', 'people', 'groups']);
const MoveToProjectDialog = lazyOverlay(() => import('./move-to-project-dialog.tsx'), ['move-to-project']);

interface KeyPickerProps {
  readonly what: Opened;
  readonly target: Target;
  readonly of: MeantTasks;
  readonly onClosed: () => void;
}

export default function KeyPicker({ what, target, of, onClosed }: KeyPickerProps) {
  const { taskIds, task } = of;
  const projectId = task.project_id;
  // Met outside its project, people and labels are not known yet; who watches it comes with the task.
  useScope(what === 'menu' ? { kind: 'task', projectId, taskId: task.id } : { kind: 'project', projectId });
  if (what === 'menu') return <TaskMenu target={target} onClosed={onClosed} />;
  if (what === 'access') return <AccessDialog object={task.id} projectId={projectId} onClosed={onClosed} />;
  if (what === 'template')
    return <SaveTemplate kind="task" of={task.id} projectId={projectId} name={task.title} onClose={onClosed} />;
  if (what === 'delegate') return <DelegateDialog task={task} onClosed={onClosed} />;
  if (what === 'share') return <ShareDialog task={task} onClose={onClosed} />;
  if (what === 'project') return <MoveToProjectDialog taskIds={taskIds} onClosed={onClosed} />;
  const popover = { trigger: target, startOpen: true, onClosed };
  if (what === 'repeat') return <RepeatPicker {...{ task, taskIds }} {...popover} />;
  const label = t(`task.keys.${what}`);
  if (isRelation(what)) return <LinkPicker relation={what} {...{ task, taskIds, label }} {...popover} />;
  return <TaskPicker of={what} {...{ projectId, taskIds, label }} {...popover} />;
}

/** All that can be done, found by typing; who may only look is offered what looking is. */
function TaskMenu({ target, onClosed }: { target: Target; onClosed: () => void }) {
  const offers = useTaskOffers(target.taskIds, target.back !== undefined);

  return (
    <Picker
      trigger={target}
      label={t('task.keys.menu')}
      items={offers.map(({ id, label, icon: Icon }) => ({
        id,
        label,
        icon: <Icon size={16} />,
        keys: keysOf(id),
      }))}
      startOpen
      bare
      onClosed={onClosed}
      onPick={(id) => {
        // The focus is back where it was first.
        setTimeout(() => withTarget(target, () => perform(id)));
      }}
    />
  );
}
