// Custom fields on a card. Fetched when a view shows some.

import { fieldIn } from '../../../contract/field-properties.ts';
import marksStyles from '../../pieces/marks.module.css';
import { LabelChip } from '../../pieces/marks.tsx';
import { sayDay } from '../../queries/days/days.ts';
import {
  chosenOptions,
  everybody,
  type FieldRow,
  fieldsOf,
  fieldValuesOf,
  optionsOf,
  type TaskRow,
  useQuery,
} from '../../queries.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import styles from './card-fields.module.css';

export default function CardFields({ task, shown }: { task: TaskRow; shown: readonly string[] }) {
  const fields = useQuery(fieldsOf, task.project_id);
  const values = useQuery(fieldValuesOf, task.id);
  const held = shown.flatMap((property) => {
    const field = fields.find(({ id }) => id === fieldIn(property)?.id);
    const value = field && values.get(field.id);
    return field && value !== undefined && value !== false ? [{ field, value }] : [];
  });
  if (held.length === 0) return null;
  return (
    <span className={styles.fields}>
      {held.map(({ field, value }) => (
        <span key={field.id} className={styles.field}>
          <span className={styles.name}>{field.name}</span> <Value field={field} value={value} />
        </span>
      ))}
    </span>
  );
}

function Value({ field, value }: { field: FieldRow; value: unknown }) {
  const people = useQuery(everybody, '');
  switch (field.kind) {
    case 'select':
    case 'multi_select': {
      const chosen = chosenOptions(value);
      return optionsOf(field)
        .filter(({ id }) => chosen.includes(id))
        .map(({ id, name, color }) => <LabelChip key={id} name={name} color={color ?? null} />);
    }
    case 'person': {
      const person = people.find(({ userId }) => userId === value);
      return person && <Avatar name={person.name} url={person.avatarUrl} seed={person.userId} size={20} />;
    }
    case 'date':
      return <span className={`${marksStyles.fact} numbers`}>{sayDay(String(value))}</span>;
    case 'number':
      return (
        <span className="numbers">
          {field.unit ? `${sayNumber(Number(value))} ${field.unit}` : sayNumber(Number(value))}
        </span>
      );
    case 'checkbox':
      return <span>{t('views.flags.yes')}</span>;
    default:
      return <span className={styles.words}>{String(value)}</span>;
  }
}
