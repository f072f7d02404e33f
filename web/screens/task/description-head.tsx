// Head of the description: the editing mode and, for plain Markdown, writing or preview.

import { Pencil } from 'lucide-react';
import { type Ref, useState } from 'react';
import { sayAgo } from '../../queries/days/days.ts';
import { descriptionVersionsOf } from '../../queries/tasks/description-versions.ts';
import { type TaskRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import { lazyOverlay } from '../../ui/overlays/lazy-overlay.tsx';
import styles from './task-part.module.css';

export const DescriptionHistory = lazyOverlay(() => import('./description-history.tsx'));

export type Mode = 'read' | 'write' | 'preview';

interface Props {
  readonly task: TaskRow;
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  /** Nothing stands there: what invites to write says what it is. */
  readonly isEmpty: boolean;
  readonly canWrite: boolean;
  readonly canPreview: boolean;
  readonly opener: Ref<HTMLButtonElement>;
}

export function DescriptionHead({ task, mode, onMode, isEmpty, canWrite, canPreview, opener }: Props) {
  const edited = useQuery(descriptionVersionsOf, task.id).find(({ before }) => before !== null);
  if (mode === 'read' && isEmpty && !edited) return <h3 className="only-spoken">{t('property.description')}</h3>;
  return (
    <div className={styles.partHead}>
      <h3>{t('property.description')}</h3>
      {mode === 'read' && edited && <Edited task={task} at={edited.at} canWrite={canWrite} />}
      {mode === 'read' && canWrite && !isEmpty && (
        <Button ref={opener} look="quiet" icon={<Pencil size={14} />} onClick={() => onMode('write')}>
          {t('common.edit')}
        </Button>
      )}
      {mode !== 'read' && (canPreview || mode === 'preview') && (
        <Segments
          label={t('property.description')}
          choices={['write', 'preview']}
          value={mode}
          say={(one) => t(`task.${one}`)}
          onPick={onMode}
        />
      )}
    </div>
  );
}

/** When it was last edited, and the way to its versions. */
function Edited({ task, at, canWrite }: { task: TaskRow; at: string; canWrite: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        look="quiet"
        className={styles.partEdited}
        title={t('writing.versions.title')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('writing.versions.edited', { ago: sayAgo(at) })}
      </Button>
      {open && <DescriptionHistory task={task} canWrite={canWrite} onClosed={() => setOpen(false)} />}
    </>
  );
}
