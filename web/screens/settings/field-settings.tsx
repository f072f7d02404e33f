// The fields a project gives its tasks: their names and order, what there is to choose from, which columns need them.

import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Json } from '../../../contract/database.ts';
import { fieldKinds, fieldProperty } from '../../../contract/field-properties.ts';
import { addField, deleteField, editColumn, editField, positionAt, useAct } from '../../commands.ts';
import { lookOf } from '../../pieces/properties/looks.ts';
import { fieldNamed } from '../../properties/field.ts';
import type { PropertyValue } from '../../properties/property.ts';
import { columnsOf, type FieldKind, type FieldRow, fieldsOf, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { useSavedField } from '../../ui/fields/draft.ts';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { Picker } from '../../ui/fields/picker.tsx';
import sortableStyles from '../../ui/lists/sortable.module.css';
import { SortableLines, useSortableLine } from '../../ui/lists/sortable.tsx';
import { DeleteFieldButton } from './delete-field-button.tsx';
import styles from './field-settings.module.css';
import { OptionSettings } from './option-settings.tsx';
import { Section } from './section.tsx';
import settingsStyles from './settings.module.css';

/** As the database compares them: letter case aside. */
const sameName = (one: string, other: string): boolean =>
  one.trim().toLocaleLowerCase() === other.trim().toLocaleLowerCase();

export function FieldSettings({ projectId }: { projectId: string }) {
  const act = useAct();
  const fields = useQuery(fieldsOf, projectId);
  return (
    <Section title={t('plan.fields.title')}>
      <p className={`${shapes.quietS} ${shapes.breaks}`}>{t('plan.fields.hint')}</p>
      <SortableLines
        lines={fields}
        onMove={(id, index) => void act(editField, id, { position: positionAt(fields, id, index) })}
      >
        <ul className={`${shapes.stackS3} ${settingsStyles.settingsRows}`}>
          {fields.map((field) => (
            <FieldLine key={field.id} field={field} fields={fields} />
          ))}
        </ul>
      </SortableLines>
      <NewField projectId={projectId} fields={fields} />
    </Section>
  );
}

function NewField({ projectId, fields }: { projectId: string; fields: readonly FieldRow[] }) {
  const act = useAct();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<FieldKind>('text');
  const [fault, setFault] = useState<string | null>(null);

  function add(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() === '') return;
    if (fields.some((field) => sameName(field.name, name))) {
      setFault(t('plan.fields.taken'));
      return;
    }
    setFault(null);
    const options = kind.includes('select') ? [t('plan.fields.firstOption'), t('plan.fields.secondOption')] : [];
    void act(addField, projectId, name, kind, options);
    setName('');
  }

  return (
    <form className={`${shapes.stackS3} ${styles.newField}`} onSubmit={add}>
      <TextField
        label={t('plan.fields.newName')}
        bare
        placeholder={t('plan.fields.newName')}
        {...limitTo(100)}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={fault}
      />
      <SelectField
        label={t('common.kind')}
        bare
        value={kind}
        choices={fieldKinds.map((one) => ({ value: one, label: t(`plan.fields.kinds.${one}`) }))}
        onPick={setKind}
      />
      <Button type="submit" icon={<Plus size={16} />}>
        {t('plan.fields.add')}
      </Button>
    </form>
  );
}

function FieldLine({ field, fields }: { field: FieldRow; fields: readonly FieldRow[] }) {
  const act = useAct();
  const { line, moving, grip } = useSortableLine(field.id);
  const [open, setOpen] = useState(false);
  const takenBy = (text: string): boolean =>
    fields.some((other) => other.id !== field.id && sameName(other.name, text));
  const name = useSavedField(field.name, (text) => {
    if (takenBy(text)) return t('plan.fields.taken');
    if (text !== '') void act(editField, field.id, { name: text });
    return null;
  });
  return (
    <li
      {...line}
      className={`${shapes.holder} ${shapes.roundM} ${shapes.surface} ${moving ? sortableStyles.checkMoving : ''}`}
    >
      <div className={`${shapes.stackS3} ${shapes.level} ${styles.fieldHead}`}>
        {grip(t('common.moveNamed', { name: field.name }))}
        <TextField label={t('plan.fields.name')} bare {...limitTo(100)} error={name.fault} {...name.field} />
        <span className={`${shapes.quiet} ${styles.kind}`}>{t(`plan.fields.kinds.${field.kind}`)}</span>
        <Button
          aria-expanded={open}
          aria-label={t(open ? 'plan.fields.lessOf' : 'plan.fields.details', { name: field.name })}
          onClick={() => setOpen(!open)}
        >
          {open ? t('plan.fields.less') : t('common.more')}
        </Button>
        <DeleteFieldButton
          label={t('plan.fields.remove', { name: field.name })}
          fieldId={field.id}
          onRemove={() => void act(deleteField, field.id)}
        />
      </div>
      {open && <Details field={field} />}
    </li>
  );
}

function Details({ field }: { field: FieldRow }) {
  const act = useAct();
  const name = fieldProperty(field.kind, field.id);
  const { Editor } = lookOf(fieldNamed(name).kind);
  return (
    <dl className={`${shapes.stackS4} ${styles.details}`}>
      {field.kind.includes('select') && (
        <div>
          <dt>{t('plan.fields.options')}</dt>
          <dd>
            <OptionSettings field={field} />
          </dd>
        </div>
      )}
      {field.kind === 'number' && (
        <div>
          <dt>{t('plan.fields.unit')}</dt>
          <dd>
            <Unit field={field} />
          </dd>
        </div>
      )}
      <div>
        <dt>{t('plan.fields.begins')}</dt>
        <dd>
          <Editor
            of={name}
            projectId={field.project_id}
            value={field.default_value as PropertyValue | null}
            canWrite
            name={field.name}
            label={t('plan.fields.beginsOf', { name: field.name })}
            onChange={(value) => {
              void act(editField, field.id, { default_value: value as Json });
              return null;
            }}
          />
        </dd>
      </div>
      <div>
        <dt>{t('plan.fields.needed')}</dt>
        <dd>
          <NeededIn field={field} />
        </dd>
      </div>
    </dl>
  );
}

function Unit({ field }: { field: FieldRow }) {
  const act = useAct();
  const unit = useSavedField(field.unit ?? '', (text) => {
    void act(editField, field.id, { unit: text === '' ? null : text });
    return null;
  });
  return (
    <TextField
      label={t('plan.fields.unit')}
      bare
      {...limitTo(20)}
      placeholder={t('plan.fields.unitHint')}
      {...unit.field}
    />
  );
}

/** Columns that no task is moved into without it. */
function NeededIn({ field }: { field: FieldRow }) {
  const act = useAct();
  const columns = useQuery(columnsOf, field.project_id);
  const needs = columns.filter((column) => column.required_fields?.includes(field.id));
  const names = needs.map((column) => column.name).join(', ') || t('plan.fields.nowhere');
  return (
    <Picker
      several
      label={t('plan.fields.neededOf', { name: field.name })}
      items={columns.map((column) => ({ id: column.id, label: column.name, chosen: needs.includes(column) }))}
      onPick={(id) => {
        const column = columns.find((one) => one.id === id);
        const held = column?.required_fields ?? [];
        const required_fields = held.includes(field.id) ? held.filter((one) => one !== field.id) : [...held, field.id];
        void act(editColumn, id, { required_fields });
      }}
      trigger={
        <Button aria-label={t('common.pair', { name: t('plan.fields.neededOf', { name: field.name }), value: names })}>
          {names}
        </Button>
      }
    />
  );
}
