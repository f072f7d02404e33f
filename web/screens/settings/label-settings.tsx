// The labels of a project.

import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { createLabel, deleteLabel, editLabel, useAct } from '../../commands.ts';
import { type LabelRow, labelsOf, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import { useSavedField } from '../../ui/fields/draft.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { nextSwatch } from '../../ui/palette.ts';
import { ColourButton } from './colour-button.tsx';
import { Section } from './section.tsx';
import styles from './settings.module.css';

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
      setFault(t('settings.labelTaken'));
      return;
    }
    setFault(null);
    void act(createLabel, projectId, wanted.slice(0, 100), nextSwatch(labels.map((label) => label.color)));
    setName('');
  }

  return (
    <Section title={t('property.labels')}>
      {labels.length === 0 && <p className={`${shapes.quietS} ${shapes.breaks}`}>{t('settings.noLabels')}</p>}
      <ul className={`${shapes.stackS3} ${styles.settingsRows}`}>
        {labels.map((label) => (
          <LabelLine key={label.id} label={label} labels={labels} />
        ))}
      </ul>
      <form
        className={`${shapes.topS3} ${styles.settingsAdd}`}
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <TextField
          label={t('settings.labelName')}
          bare
          placeholder={t('settings.labelName')}
          {...limitTo(100)}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={fault}
        />
        <Button type="submit" icon={<Plus size={16} />}>
          {t('task.addLabel')}
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
    if (takenBy(text)) return t('settings.labelTaken');
    if (text !== '') void act(editLabel, label.id, { name: text });
    return null;
  });
  return (
    <li
      className={`${shapes.stackS3} ${shapes.holder} ${shapes.level} ${shapes.roundM} ${styles.settingsRow} ${styles.settingsLabel}`}
    >
      <ColourButton
        name={label.name}
        color={label.color}
        onPick={(color) => void act(editLabel, label.id, { color })}
      />
      <TextField
        label={t('settings.labelName')}
        bare
        {...limitTo(100)}
        error={takenBy(name.text) ? t('settings.labelTaken') : null}
        {...name.field}
      />
      <IconButton
        label={t('settings.removeLabel', { name: label.name })}
        onClick={() => void act(deleteLabel, label.id)}
      >
        <Trash2 size={15} />
      </IconButton>
    </li>
  );
}
