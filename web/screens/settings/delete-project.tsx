// Deleting a project asks for its name to be typed.

import { useState } from 'react';
import { deleteProject, useAct } from '../../commands.ts';
import type { ProjectRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import dialogStyles from '../../ui/overlays/dialog.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';

interface DeleteProjectProps {
  readonly project: ProjectRow;
  readonly onClose: () => void;
  /** Right before it goes. */
  readonly onDelete?: () => void;
}

export function DeleteProject({ project, onClose, onDelete }: DeleteProjectProps) {
  const act = useAct();
  const [typed, setTyped] = useState('');
  const matches = typed.trim() === project.name.trim();

  function remove(): void {
    if (!matches) return;
    onClose();
    // It is gone from here at once; if the server refuses, it comes back with a message.
    onDelete?.();
    void act(deleteProject, project.id);
  }

  return (
    <Dialog open onClose={onClose} title={t('settings.remove')} description={t('settings.removeWords')}>
      <form
        className={shapes.stackS5}
        onSubmit={(event) => {
          event.preventDefault();
          remove();
        }}
      >
        <TextField
          label={t('settings.removeType', { name: project.name })}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className={dialogStyles.dialogActions}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="danger" type="submit" disabled={!matches}>
            {t('common.delete')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
