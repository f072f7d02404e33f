// Ways to keep changes of a view: into the saved one, or as another. A tab has them, and the bar of filters where the view has no tab. The
// palette has them, too, and the favorites.

import { BookmarkPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useActions } from '../../actions/registry.tsx';
import { editView, useAct } from '../../commands.ts';
import { useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import type { ViewHandle } from '../project/view-handle.ts';
import { SaveDialog } from './save-dialog.tsx';
import { useFavorAction } from './use-favor.tsx';

export interface ViewSaving {
  /** There is something to save or to discard. */
  readonly changed: boolean;
  /** Null: there is no saved view, or it is somebody else's. */
  readonly save: (() => void) | null;
  readonly saveNew: () => void;
  readonly drop: () => void;
  /** Asks for a name. */
  readonly dialog: ReactNode;
}

/** `offered`: they are shown here, not elsewhere on the page. */
export function useViewSaving(projectId: string, handle: ViewHandle, offered = true): ViewSaving {
  const userId = useUserId();
  const act = useAct();
  const [naming, setNaming] = useState(false);
  const { saved, view, drop } = handle;
  const changed = offered && handle.changed && handle.state === 'known';
  const saveNew = (): void => setNaming(true);
  useFavorAction(offered ? saved : null);
  useActions(
    changed
      ? [
          {
            id: 'save-view',
            label: saved ? t('views.saveNew') : t('views.saveView'),
            group: 'project',
            icon: <BookmarkPlus size={16} />,
            effect: saveNew,
          },
        ]
      : [],
  );
  return {
    changed,
    save: saved?.owner_id === userId ? () => void act(editView, saved.id, { view }).then(drop) : null,
    saveNew,
    drop,
    dialog: naming && <SaveDialog projectId={projectId} handle={handle} onClose={() => setNaming(false)} />,
  };
}
