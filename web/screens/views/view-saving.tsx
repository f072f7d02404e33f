// Actions for unsaved changes of a view that has no tab: beside its filters, or beside its name.

import { BookmarkPlus, RotateCcw, Save } from 'lucide-react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/list-states.tsx';
import type { ViewHandle } from '../project/view-handle.ts';
import { UnsavedMark } from './unsaved-mark.tsx';
import { useViewSaving } from './use-view-saving.tsx';
import styles from './view-saving.module.css';

export default function ViewSaving({ projectId, handle }: { projectId: string; handle: ViewHandle }) {
  const { changed, save, saveNew, drop, dialog } = useViewSaving(projectId, handle);
  if (handle.state === 'missing') return <Notice tone="warn">{t('views.missing')}</Notice>;
  return (
    <div className={`${shapes.flowS3} ${shapes.slim} ${styles.saving}`}>
      {changed && handle.saved && (
        <>
          <UnsavedMark />
          {save && (
            <Button icon={<Save size={14} />} onClick={save}>
              {t('common.save')}
            </Button>
          )}
          <IconButton label={t('views.saveNew')} onClick={saveNew}>
            <BookmarkPlus size={15} />
          </IconButton>
          <IconButton label={t('views.drop')} onClick={drop}>
            <RotateCcw size={15} />
          </IconButton>
        </>
      )}
      {changed && !handle.saved && (
        <Button look="quiet" shrinks icon={<BookmarkPlus size={14} />} onClick={saveNew}>
          {t('views.saveView')}
        </Button>
      )}
      {dialog}
    </div>
  );
}
