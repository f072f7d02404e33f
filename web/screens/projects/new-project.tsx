// Making a project: a name is enough, the rest has good defaults.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { createProject, editProject, sayRefusal, useAct } from '../../commands.ts';
import { paths } from '../../routes.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { nextSwatch } from '../../ui/palette.ts';
import { Notice } from '../../ui/state.tsx';
import { SwatchField } from '../../ui/swatch-field.tsx';
import { proposeKey } from './propose-key.ts';

const say = words.projects;

export default function NewProject({ onClose }: { onClose: () => void }) {
  const sync = useSync();
  const act = useAct();
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [key, setKey] = useState<string | null>(null);
  const [description, setDescription] = useState('');
  const [color, setColor] = useState(() => nextSwatch(sync.store.all('projects').map((project) => project.color)));
  const [faults, setFaults] = useState<{ name?: string; key?: string; form?: string }>({});
  const [busy, setBusy] = useState(false);
  const shownKey = key ?? proposeKey(name);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (name.trim() === '') return setFaults({ name: say.nameMissing });
    if (shownKey !== '' && !/^[A-Z0-9]{2,6}$/.test(shownKey)) return setFaults({ key: say.keyWrong });
    setBusy(true);
    try {
      const project = await createProject(sync, { name, description, key: shownKey || null, color });
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
    <Dialog open onClose={onClose} title={say.create}>
      <form className="form" onSubmit={submit} noValidate>
        {faults.form && <Notice tone="danger">{faults.form}</Notice>}
        <TextField
          label={say.name}
          placeholder={say.namePlaceholder}
          maxLength={200}
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={faults.name ?? null}
        />
        <TextField
          label={say.key}
          hint={say.keyHint}
          maxLength={6}
          value={shownKey}
          onChange={(event) => setKey(event.target.value.toUpperCase())}
          error={faults.key ?? null}
        />
        <TextArea
          label={say.description}
          hint={say.descriptionHint}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <SwatchField label={say.color} value={color} onPick={setColor} />
        <div className="dialog-actions">
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button look="main" type="submit" busy={busy}>
            {say.doCreate}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
