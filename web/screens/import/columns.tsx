// Columns of an imported table with the field each is read as and some of its cells; a wrong guess is changed by hand.

import type { ImportChoices, ImportPreview } from '../../queries/projects/imports.ts';
import { t } from '../../strings/messages.ts';
import { nameProperty } from '../../strings/name-property.ts';
import shapes from '../../styles/shapes.module.css';
import { SelectField } from '../../ui/fields/field.tsx';
import styles from './import.module.css';
import { fields } from './products.ts';

interface Props {
  readonly columns: NonNullable<ImportPreview['columns']>;
  readonly choose: (more: Partial<ImportChoices>) => void;
}

export function Columns({ columns, choose }: Props) {
  const taken = columns.map(({ field }) => field);
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-labelledby="import-columns">
      <h2 id="import-columns">{t('import.columns')}</h2>
      <ul className={styles.rows}>
        {columns.map(({ name, field, samples }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may be called the same, and none moves
          <li key={`${at} ${name}`} className={`${shapes.rowS4} ${shapes.wraps} ${styles.column}`}>
            <span className={`${shapes.breaks} ${shapes.fill} ${styles.words}`}>
              <strong>{name}</strong>
              <span className={`${shapes.softS} ${styles.note}`}>{samples.join(' · ')}</span>
            </span>
            <SelectField
              bare
              label={t('import.holds', { column: name })}
              value={field}
              choices={fields.map((one) => ({ value: one as string, label: nameProperty(`import.field.${one}`, one) }))}
              onPick={(chosen) => choose({ mapping: taken.with(at, chosen) })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
