// Head of the description: the editing mode and, for plain Markdown, writing or preview.

import { Pencil } from 'lucide-react';
import type { Ref } from 'react';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import segmentsStyles from '../../ui/fields/segments.module.css';
import styles from './task-part.module.css';

export type Mode = 'read' | 'write' | 'preview';

interface Props {
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  /** Nothing stands there: what invites to write says what it is. */
  readonly isEmpty: boolean;
  readonly canEdit: boolean;
  readonly canPreview: boolean;
  readonly opener: Ref<HTMLButtonElement>;
}

export function DescriptionHead({ mode, onMode, isEmpty, canEdit, canPreview, opener }: Props) {
  if (mode === 'read' && isEmpty) return <h3 className="only-spoken">{t('property.description')}</h3>;
  return (
    <div className={styles.partHead}>
      <h3>{t('property.description')}</h3>
      {mode === 'read' && canEdit && (
        <Button ref={opener} look="quiet" icon={<Pencil size={14} />} onClick={() => onMode('write')}>
          {t('common.edit')}
        </Button>
      )}
      {mode !== 'read' && (canPreview || mode === 'preview') && (
        <fieldset className={segmentsStyles.segments} aria-label={t('property.description')}>
          <button type="button" aria-pressed={mode === 'write'} onClick={() => onMode('write')}>
            {t('task.write')}
          </button>
          <button type="button" aria-pressed={mode === 'preview'} onClick={() => onMode('preview')}>
            {t('task.preview')}
          </button>
        </fieldset>
      )}
    </div>
  );
}
