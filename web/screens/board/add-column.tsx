// One more column, named where it will stand.

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { addColumn, useAct } from '../../commands.ts';
import { t } from '../../strings/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import fieldStyles from '../../ui/fields/field.module.css';
import { limitTo } from '../../ui/fields/limit-to.ts';
import styles from './board.module.css';

export function AddColumn({ projectId }: { projectId: string }) {
  const act = useAct();
  const [name, setName] = useState<string | null>(null);
  function add(): void {
    const wanted = (name ?? '').trim();
    if (wanted !== '') void act(addColumn, projectId, wanted);
    setName(null);
  }
  return (
    <div className={styles.addColumn}>
      {name === null ? (
        <IconButton label={t('settings.addColumn')} onClick={() => setName('')}>
          <Plus size={16} />
        </IconButton>
      ) : (
        <input
          // biome-ignore lint/a11y/noAutofocus: it was asked for by the press before
          autoFocus
          className={fieldStyles.input}
          aria-label={t('settings.columnName')}
          placeholder={t('settings.columnName')}
          {...limitTo(100)}
          value={name}
          onChange={(event) => setName(event.target.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) add();
            if (event.key === 'Escape') {
              event.stopPropagation();
              setName(null);
            }
          }}
        />
      )}
    </div>
  );
}
