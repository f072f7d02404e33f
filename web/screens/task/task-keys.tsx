// Keys that change a task wherever one meets it, on the board, in a list or in its panel, or all tasks that are selected.

import { Eye } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Action, useActions } from '../../actions/registry.tsx';
import { type Target, target } from '../../actions/target.ts';
import { useAct } from '../../commands.ts';
import {
  commentableProjects,
  commentsAsGuest,
  editsAsGuest,
  type ProjectRow,
  useQuery,
  useReader,
  useUserId,
  writableProjects,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { bufferKeys } from '../../ui/overlays/buffered-keys.ts';
import { lazyOverlay } from '../../ui/overlays/lazy-overlay.tsx';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import { useIsOperator } from '../access/use-explains-access.ts';
import { allows, isFor, type MeantTasks, meantTasks, type Opened, taskActions } from './task-actions.ts';
import { usePeek } from './use-peek.ts';

/** What a key opens is fetched when it is first pressed. */
const KeyPicker = lazyOverlay(() => import('./key-picker.tsx'));

interface Opening {
  readonly what: Opened;
  readonly target: Target;
  readonly of: MeantTasks;
}

/** `peeks`: there is a view here beside which a task can be shown. `projectId`: of the only project there is here. */
export function TaskKeys({ peeks = true, projectId }: { peeks?: boolean; projectId?: string }) {
  const [opening, setOpening] = useState<Opening | null>(null);
  const store = useReader();
  const userId = useUserId();
  const operator = useIsOperator();
  const act = useAct();
  const [path, go] = useLocation();
  const holdsThis = (some: readonly ProjectRow[]): boolean =>
    projectId === undefined ? some.length > 0 : some.some(({ id }) => id === projectId);
  const here = {
    writes: holdsThis(useQuery(writableProjects, userId)),
    edits: useQuery(editsAsGuest, projectId ?? '', userId),
    comments: holdsThis(useQuery(commentableProjects, userId)),
  };
  const asGuest = useQuery(commentsAsGuest, projectId ?? '', userId);
  const rights = { ...here, edits: here.writes || here.edits, comments: here.comments || asGuest };
  const peek = usePeek();

  /** Says why nothing happens, where nothing does. */
  function run(action: (typeof taskActions)[number]): void {
    const meant = target();
    const of = meant && meantTasks(store, userId, meant.taskIds, meant.back !== undefined, operator);
    if (meant === undefined || of === undefined) showMessage(t('task.keys.noTask'));
    else if (!allows(of, action)) showMessage(t('task.keys.readOnly'));
    else if (isFor(action, of)) {
      const show = (what: Opened): void => {
        bufferKeys();
        setOpening({ what, target: meant, of });
      };
      action.run(of, { act, path, go, show });
    }
  }
  const looking: Action = {
    id: 'task-peek',
    label: t('task.keys.peek'),
    group: 'task',
    keys: 'space',
    icon: <Eye size={16} />,
    hidden: true,
    effect: peek,
  };
  useActions(
    [
      // Menus and the palette take them from the same list, with words for the tasks that are meant.
      ...taskActions.map((action) => ({
        id: action.id,
        label: action.label(),
        group: 'task' as const,
        ...(action.keys === undefined ? {} : { keys: action.keys }),
        hidden: true,
        refused: !allows(rights, action),
        effect: () => run(action),
      })),
      ...(peeks ? [looking] : []),
    ],
    { below: true },
  );

  if (opening === null) return null;
  return <KeyPicker {...opening} onClosed={() => setOpening(null)} />;
}
