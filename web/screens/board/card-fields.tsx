// Custom fields on a card. Fetched when a view shows some.

import { fieldIn, fieldProperty } from '../../../contract/field-properties.ts';
import { ValueFace } from '../../pieces/properties/value.tsx';
import type { PropertyValue } from '../../properties/property.ts';
import { fieldsOf, fieldValuesOf, type TaskRow, useQuery } from '../../queries.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './card-fields.module.css';

export default function CardFields({ task, shown }: { task: TaskRow; shown: readonly string[] }) {
  const fields = useQuery(fieldsOf, task.project_id);
  const values = useQuery(fieldValuesOf, task.id);
  const held = shown.flatMap((property) => {
    const field = fields.find(({ id }) => id === fieldIn(property)?.id);
    const value = field && values.get(field.id);
    return field && value !== undefined && value !== false ? [{ field, value: value as PropertyValue }] : [];
  });
  if (held.length === 0) return null;
  return (
    <span className={`${shapes.flex} ${shapes.wraps} ${shapes.small} ${styles.fields}`}>
      {held.map(({ field: { id, kind, name }, value }) => (
        <span key={id} className={`${shapes.inlineS2} ${shapes.slim} ${shapes.within}`}>
          <span className={`${shapes.cut} ${shapes.rigid} ${shapes.quiet} ${styles.name}`}>{name}</span>{' '}
          <ValueFace of={fieldProperty(kind, id)} projectId={task.project_id} value={value} at="Card" />
        </span>
      ))}
    </span>
  );
}
