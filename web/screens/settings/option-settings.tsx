// Options of a field: named, coloured, sorted, added and removed.

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { deleteOption, editField, newId, useAct } from '../../commands.ts';
import { type FieldOption, type FieldRow, optionsOf } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { useSavedField } from '../../ui/fields/draft.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import sortableStyles from '../../ui/lists/sortable.module.css';
import { SortableLines, useSortableLine } from '../../ui/lists/sortable.tsx';
import { nextSwatch } from '../../ui/palette.ts';
import { ColourButton } from './colour-button.tsx';
import { DeleteFieldButton } from './delete-field-button.tsx';
import styles from './field-settings.module.css';
import settingsStyles from './settings.module.css';

export function OptionSettings({ field }: { field: FieldRow }) {
  const act = useAct();
  const options = optionsOf(field);
  const [name, setName] = useState('');
  const isTaken = (text: string, but?: string): boolean =>
    options.some((one) => one.id !== but && one.name.toLocaleLowerCase() === text.trim().toLocaleLowerCase());
  const save = (next: readonly FieldOption[]): void => void act(editField, field.id, { options: next });
  return (
    <div className={shapes.stackS3}>
      <SortableLines
        lines={options}
        onMove={(id, index) => {
          const moved = options.find((one) => one.id === id);
          if (moved) save(options.filter((one) => one.id !== id).toSpliced(index, 0, moved));
        }}
      >
        <ul className={`${shapes.stackS3} ${settingsStyles.settingsRows}`}>
          {options.map((option) => (
            <OptionLine
              key={option.id}
              field={field}
              option={option}
              isTaken={(text) => isTaken(text, option.id)}
              onChange={(patch) => save(options.map((one) => (one.id === option.id ? { ...one, ...patch } : one)))}
            />
          ))}
        </ul>
      </SortableLines>
      <form
        className={`${shapes.topS3} ${settingsStyles.settingsAdd}`}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === '' || isTaken(name)) return;
          const color = nextSwatch(options.map((one) => one.color ?? null));
          save([...options, { id: newId(), name: name.trim(), color }]);
          setName('');
        }}
      >
        <TextField
          label={t('plan.fields.newOption')}
          bare
          placeholder={t('plan.fields.newOption')}
          {...limitTo(100)}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={isTaken(name) ? t('plan.fields.optionTaken') : null}
        />
        <Button type="submit" icon={<Plus size={16} />}>
          {t('common.add')}
        </Button>
      </form>
    </div>
  );
}

interface LineProps {
  readonly field: FieldRow;
  readonly option: FieldOption;
  readonly isTaken: (text: string) => boolean;
  readonly onChange: (patch: Partial<FieldOption>) => void;
}

function OptionLine({ field, option, isTaken, onChange }: LineProps) {
  const act = useAct();
  const { line, moving, grip } = useSortableLine(option.id);
  const name = useSavedField(option.name, (text) => {
    if (isTaken(text)) return t('plan.fields.optionTaken');
    if (text !== '') onChange({ name: text });
    return null;
  });
  return (
    <li
      {...line}
      className={`${shapes.holder} ${shapes.roundM} ${shapes.stackS3} ${shapes.level} ${styles.option} ${moving ? sortableStyles.checkMoving : ''}`}
    >
      {grip(t('common.moveNamed', { name: option.name }))}
      <ColourButton name={option.name} color={option.color ?? null} onPick={(color) => onChange({ color })} />
      <TextField label={t('plan.fields.optionName')} bare {...limitTo(100)} error={name.fault} {...name.field} />
      <DeleteFieldButton
        label={t('plan.fields.removeOption', { name: option.name })}
        fieldId={field.id}
        optionId={option.id}
        onRemove={() => void act(deleteOption, field.id, option.id)}
      />
    </li>
  );
}
