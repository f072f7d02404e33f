// Values of a task in the fields of its project.

import { fieldProperty } from '../../../contract/field-properties.ts';
import styles from '../../pieces/properties/properties.module.css';
import { ValueEditor } from '../../pieces/properties/value.tsx';
import { fieldsOf, type TaskRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';

export function Fields({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  const fields = useQuery(fieldsOf, task.project_id);
  if (fields.length === 0) return null;
  return (
    <dl className={`${styles.props} ${styles.propFields}`} aria-label={t('plan.fields.title')}>
      {fields.map(({ id, kind, name }) => (
        <div key={id} className={styles.prop}>
          <dt>{name}</dt>
          <dd>
            <ValueEditor of={fieldProperty(kind, id)} task={task} canWrite={canWrite} name={name} label={name} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
