// Dialog to save a view: its name, its owner, and one project or all of them.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { newId, saveView, useAct } from '../../commands.ts';
import { mayWrite, roleIn, savedViewOf, useQuery, useUserId } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { CheckField, SelectField, TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import type { ViewHandle } from '../project/view-handle.ts';
import styles from './view-saving.module.css';

interface SaveDialogProps {
  /** Empty: across projects already. */
  readonly projectId: string;
  readonly handle: ViewHandle;
  readonly onClose: () => void;
}

export function SaveDialog({ projectId, handle, onClose }: SaveDialogProps) {
  const userId = useUserId();
  const act = useAct();
  const [, go] = useLocation();
  const writes = mayWrite(useQuery(roleIn, projectId, userId));
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const [where, setWhere] = useState<'project' | 'all'>(projectId === '' ? 'all' : 'project');
  const [fault, setFault] = useState<string | null>(null);
  const [id] = useState(newId);
  // It is shown once it stands here, which is at once.
  const made = useQuery(savedViewOf, id);
  function save(): void {
    if (name.trim() === '') {
      setFault(t('views.nameMissing'));
      return;
    }
    const { view } = handle;
    const across = where === 'all';
    void act(
      saveView,
      {
        projectId: across ? null : projectId,
        ownerId: userId,
        name,
        isShared: shared && (across || writes),
        view,
      },
      id,
    );
    onClose();
    if (across) go(paths.view(id));
    else handle.open(id);
  }
  return (
    <Dialog open onClose={onClose} title={t('views.saveTitle')} description={t('views.saveWords')}>
      <form
        className={shapes.stackS5}
        onSubmit={(event) => {
          event.preventDefault();
          if (made === undefined) save();
        }}
      >
        <TextField
          label={t('views.name')}
          value={name}
          error={fault}
          {...limitTo(200)}
          autoComplete="off"
          onChange={(event) => {
            setName(event.target.value);
            setFault(null);
          }}
        />
        {projectId !== '' && (
          <SelectField<'project' | 'all'>
            label={t('views.where')}
            value={where}
            choices={[
              { value: 'project', label: t('views.whereProject') },
              { value: 'all', label: t('views.whereAll') },
            ]}
            onPick={setWhere}
          />
        )}
        {(writes || where === 'all') && (
          <CheckField
            label={t('views.share')}
            hint={where === 'all' ? t('views.shareAllHint') : t('views.shareHint')}
            checked={shared}
            onChange={(event) => setShared(event.target.checked)}
          />
        )}
        <footer className={`${shapes.lineS3} ${styles.foot}`}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="main" type="submit">
            {t('views.saveView')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
