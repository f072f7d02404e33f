// Making a project: a name is enough, the rest has good defaults. Then whom to ask in, which may wait.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { createProject, editProject, fillProject, sayRefusal, useAct, useAsk } from '../../commands.ts';
import { useReader } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import dialogStyles from '../../ui/dialog.module.css';
import { Dialog } from '../../ui/dialog.tsx';
import fieldStyles from '../../ui/field.module.css';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { nextSwatch } from '../../ui/palette.ts';
import { Notice } from '../../ui/state.tsx';
import { SwatchField } from '../../ui/swatch-field.tsx';
import { showError } from '../../ui/toaster.tsx';
import { InviteForm } from '../people/invite-form.tsx';
import { proposeKey } from './propose-key.ts';
import { emptyStarter, readStarter, type StarterName, starterNames } from './starters.ts';

export default function NewProject({ onClose }: { onClose: () => void }) {
  const store = useReader();
  const ask = useAsk();
  const act = useAct();
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [key, setKey] = useState<string | null>(null);
  const [description, setDescription] = useState('');
  const [color, setColor] = useState(() => nextSwatch(store.all('projects').map((project) => project.color)));
  const [starter, setStarter] = useState<StarterName | ''>('');
  const [faults, setFaults] = useState<{ name?: string; key?: string; form?: string }>({});
  const [busy, setBusy] = useState(false);
  const [made, setMade] = useState<{ readonly id: string; readonly name: string } | null>(null);
  const shownKey = key ?? proposeKey(name);

  /** What it is called and what it is for are only proposed. */
  function pickStarter(next: StarterName | ''): void {
    const isProposed = (words: string, part: 'name' | 'description'): boolean =>
      words === '' || starterNames.some((one) => t(`starters.${one}.${part}`) === words);
    if (isProposed(name, 'name')) setName(next === '' ? '' : t(`starters.${next}.name`));
    if (isProposed(description, 'description')) setDescription(next === '' ? '' : t(`starters.${next}.description`));
    setStarter(next);
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (name.trim() === '') return setFaults({ name: t('projects.nameMissing') });
    if (shownKey !== '' && !/^[A-Z0-9]{2,6}$/.test(shownKey)) return setFaults({ key: t('projects.keyWrong') });
    setBusy(true);
    try {
      const project = await ask(createProject, { name, description, key: shownKey || null, color });
      void act(editProject, project.id, { color });
      // A project without its first tasks is a project all the same.
      const first = starter === '' ? emptyStarter() : readStarter(starter);
      if (first !== null)
        await ask(fillProject, project.id, first).catch((reason: unknown) =>
          showError(t('starters.notFilled'), sayRefusal(reason)),
        );
      go(paths.project(project.id));
      setMade(project);
    } catch (reason) {
      setFaults({ form: sayRefusal(reason) });
    } finally {
      setBusy(false);
    }
  }

  if (made)
    return (
      <Dialog open onClose={onClose} title={t('people.invite.title', { project: made.name })}>
        <InviteForm projectId={made.id} close={t('people.invite.later')} onClose={onClose} />
      </Dialog>
    );
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
        <SelectField
          label={t('starters.label')}
          hint={t('starters.hint')}
          value={starter}
          choices={[
            { value: '', label: t('starters.none') },
            ...starterNames.map((one) => ({ value: one, label: t(`starters.${one}.title`) })),
          ]}
          onPick={pickStarter}
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
