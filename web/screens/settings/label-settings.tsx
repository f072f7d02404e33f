// The labels of a project.

import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { createLabel, deleteLabel, editLabel, useAct } from '../../commands.ts';
import { labelsOf, useQuery } from '../../queries.ts';
import { words } from '../../strings/words.ts';
import type { LabelRow } from '../../sync/rows.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useSavedField } from '../../ui/draft.ts';
import { TextField } from '../../ui/field.tsx';
import { nextSwatch } from '../../ui/palette.ts';
import { Popover } from '../../ui/popover.tsx';
import { SwatchField } from '../../ui/swatch-field.tsx';
import { Section } from './section.tsx';

const say = words.settings;

/** As the database compares them: letter case aside. */
const sameName = (one: string, other: string): boolean => one.toLocaleLowerCase() === other.toLocaleLowerCase();

export function LabelSettings({ projectId }: { projectId: string }) {
  const act = useAct();
  const labels = useQuery(labelsOf, projectId);
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | null>(null);

  function add(): void {
    const wanted = name.trim();
    if (wanted === '') return;
    if (labels.some((label) => sameName(label.name, wanted))) {
      setFault(say.labelTaken);
      return;
    }
    setFault(null);
    void act(createLabel, projectId, wanted.slice(0, 100), nextSwatch(labels.map((label) => label.color)));
    setName('');
  }

  return (
    <Section title={say.sections.labels}>
      {labels.length === 0 && <p className="field-hint">{say.noLabels}</p>}
      <ul className="settings-rows">
        {labels.map((label) => (
          <LabelLine key={label.id} label={label} labels={labels} />
        ))}
      </ul>
      <form
        className="settings-add"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <TextField
          label={say.labelName}
          bare
          placeholder={say.labelName}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={fault}
        />
        <Button type="submit" icon={<Plus size={16} />}>
          {say.addLabel}
        </Button>
      </form>
    </Section>
  );
}

function LabelLine({ label, labels }: { label: LabelRow; labels: readonly LabelRow[] }) {
  const act = useAct();
  const takenBy = (text: string): boolean =>
    labels.some((other) => other.id !== label.id && sameName(other.name, text.trim()));
  const name = useSavedField(label.name, (text) => {
    if (takenBy(text)) return say.labelTaken;
    if (text !== '') void act(editLabel, label.id, { name: text });
    return null;
  });
  return (
    <li className="settings-row settings-label">
      <Popover
        label={words.projects.color}
        trigger={
          <button type="button" className="label-color" aria-label={`${words.projects.color}: ${label.name}`}>
            <span className="label-dot" style={{ background: label.color ?? 'var(--edge)' }} />
          </button>
        }
      >
        <div className="label-swatches">
          <SwatchField
            label={words.projects.color}
            value={label.color}
            onPick={(color) => void act(editLabel, label.id, { color })}
          />
        </div>
      </Popover>
      <TextField
        label={say.labelName}
        bare
        maxLength={100}
        error={takenBy(name.text) ? say.labelTaken : null}
        {...name.field}
      />
      <IconButton label={say.removeLabel(label.name)} onClick={() => void act(deleteLabel, label.id)}>
        <Trash2 size={15} />
      </IconButton>
    </li>
  );
}
