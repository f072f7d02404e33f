// Name, key, description, colour, and whether dependencies hold.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { editProject, useAct } from '../../commands.ts';
import { words } from '../../strings/words.ts';
import type { ProjectRow } from '../../sync/rows.ts';
import { Button } from '../../ui/button.tsx';
import { useDraft } from '../../ui/draft.ts';
import { CheckField, TextArea, TextField } from '../../ui/field.tsx';
import { SwatchField } from '../../ui/swatch-field.tsx';
import { tell } from '../../ui/toaster.tsx';
import { Section } from './section.tsx';

const say = words.settings;
const fields = words.projects;

export function GeneralSettings({ project }: { project: ProjectRow }) {
  const act = useAct();
  const name = useDraft(project.name);
  const key = useDraft(project.key);
  const description = useDraft(project.description);
  const [faults, setFaults] = useState<{ name?: string; key?: string }>({});
  const dirty = name.dirty || key.dirty || description.dirty;

  function save(event: FormEvent): void {
    event.preventDefault();
    const found = {
      ...(name.text.trim() === '' ? { name: fields.nameMissing } : {}),
      ...(/^[A-Z0-9]{2,6}$/.test(key.text) ? {} : { key: fields.keyWrong }),
    };
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    const drafts = [name, key, description];
    void act(editProject, project.id, { name: name.text.trim(), key: key.text, description: description.text }).then(
      (kept) => {
        if (kept) tell(words.common.saved, 2000);
        // Refused words are not lost.
        else for (const draft of drafts) draft.set(draft.text);
      },
    );
    for (const draft of drafts) draft.settle();
  }

  return (
    <Section title={say.sections.general}>
      <form className="form" onSubmit={save} noValidate>
        <div className="settings-pair">
          <TextField
            label={fields.name}
            maxLength={200}
            value={name.text}
            onChange={(event) => name.set(event.target.value)}
            error={faults.name ?? null}
          />
          <TextField
            label={fields.key}
            maxLength={6}
            value={key.text}
            onChange={(event) => key.set(event.target.value.toUpperCase())}
            error={faults.key ?? null}
          />
        </div>
        <TextArea
          label={fields.description}
          maxLength={20_000}
          value={description.text}
          onChange={(event) => description.set(event.target.value)}
        />
        {dirty && (
          <div className="part-row">
            <Button look="main" type="submit">
              {words.common.save}
            </Button>
            <Button onClick={() => [name, key, description].forEach((draft) => void draft.reset())}>
              {words.common.cancel}
            </Button>
          </div>
        )}
      </form>
      <SwatchField
        label={fields.color}
        value={project.color}
        onPick={(color) => void act(editProject, project.id, { color })}
      />
      <CheckField
        label={say.rule}
        hint={say.ruleHint}
        checked={project.enforce_dependencies}
        onChange={(event) => void act(editProject, project.id, { enforce_dependencies: event.target.checked })}
      />
    </Section>
  );
}
