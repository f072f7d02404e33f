// Making a project: a name is enough, the rest has good defaults.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { createProject, editProject, sayRefusal, useAct, useAsk } from '../../commands.ts';
import { useReader } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import dialogStyles from '../../ui/dialog.module.css';
import { Dialog } from '../../ui/dialog.tsx';
import fieldStyles from '../../ui/field.module.css';
import { TextArea, TextField } from '../../ui/field.tsx';
import { nextSwatch } from '../../ui/palette.ts';
import { Notice } from '../../ui/state.tsx';
import { SwatchField } from '../../ui/swatch-field.tsx';
import { proposeKey } from './propose-key.ts';

export default function NewProject({ onClose }: { onClose: () => void }) {
  const store = useReader();
  const ask = useAsk();
  const act = useAct();
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [key, setKey] = useState<string | null>(null);
  const [description, setDescription] = useState('');
  const [color, setColor] = useState(() => nextSwatch(store.all('projects').map((project) => project.color)));
  const [faults, setFaults] = useState<{ name?: string; key?: string; form?: string }>({});
  const [busy, setBusy] = useState(false);
  const shownKey = key ?? proposeKey(name);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (name.trim() === '') return setFaults({ name: t('projects.nameMissing') });
    if (shownKey !== '' && !/^[A-Z0-9]{2,6}$/.test(shownKey)) return setFaults({ key: t('projects.keyWrong') });
    setBusy(true);
    try {
      const project = await ask(createProject, { name, description, key: shownKey || null, color });
      void act(editProject, project.id, { color });
      onClose();
      go(paths.project(project.id));
    } catch (reason) {
      setFaults({ form: sayRefusal(reason) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog open onClose={onClose} title={t('projects.create')}>
      <form className={fieldStyles.form} onSubmit={submit} noValidate>
        {faults.form && <Notice tone="danger">{faults.form}</Notice>}
        <TextField
          label={t('projects.name')}
          placeholder={t('projects.namePlaceholder')}
          maxLength={200}
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={faults.name ?? null}
        />
        <TextField
          label={t('projects.key')}
          hint={t('projects.keyHint')}
          maxLength={6}
          value={shownKey}
          onChange={(event) => setKey(event.target.value.toUpperCase())}
          error={faults.key ?? null}
        />
        <TextArea
          label={t('projects.description')}
          hint={t('projects.descriptionHint')}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <SwatchField label={t('projects.color')} value={color} onPick={setColor} />
        <div className={dialogStyles.dialogActions}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="main" type="submit" busy={busy}>
            {t('projects.doCreate')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
