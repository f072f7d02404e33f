// Saved view beside the filters, and actions for unsaved changes of it.

import { BookmarkPlus, RotateCcw, Save } from 'lucide-react';
import { useState } from 'react';
import { useActions } from '../../actions/registry.tsx';
import { editView, useAct } from '../../commands.ts';
import { useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/list-states.tsx';
import type { ViewHandle } from '../project/view-handle.ts';
import { SaveDialog } from './save-dialog.tsx';
import styles from './view-saving.module.css';

export default function ViewSaving({ projectId, handle }: { projectId: string; handle: ViewHandle }) {
  const userId = useUserId();
  const act = useAct();
  const [naming, setNaming] = useState(false);
  const { saved, changed, view, state } = handle;
  const mine = saved?.owner_id === userId;
  useActions(
    changed && state === 'known'
      ? [
          {
            id: 'save-view',
            label: saved ? t('views.saveNew') : t('views.saveView'),
            group: 'project',
            icon: <BookmarkPlus size={16} />,
            effect: () => setNaming(true),
          },
        ]
      : [],
  );
  if (state === 'missing') return <Notice tone="warn">{t('views.missing')}</Notice>;
  return (
    <div className={`${shapes.flowS3} ${shapes.slim} ${styles.saving}`}>
      {saved && projectId !== '' && (
        <span className={`${shapes.words} ${styles.name}`} title={saved.name}>
          {saved.name}
        </span>
      )}
      {changed && (
        <>
          {saved && (
            <span className={shapes.quietS} role="status">
              {t('views.unsaved')}
            </span>
          )}
          {saved && mine && (
            <Button icon={<Save size={14} />} onClick={() => void act(editView, saved.id, { view }).then(handle.drop)}>
              {t('common.save')}
            </Button>
          )}
          <Button look="quiet" icon={<BookmarkPlus size={14} />} onClick={() => setNaming(true)}>
            {saved ? t('views.saveNew') : t('views.saveView')}
          </Button>
          {saved && (
            <Button look="quiet" icon={<RotateCcw size={14} />} onClick={handle.drop}>
              {t('views.drop')}
            </Button>
          )}
        </>
      )}
      {naming && <SaveDialog projectId={projectId} handle={handle} onClose={() => setNaming(false)} />}
    </div>
  );
}
