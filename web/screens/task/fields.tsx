// Values of a task in the fields of its project.

import { setField, useAct } from '../../commands.ts';
import { fieldsOf, fieldValuesOf, type TaskRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { FieldValue } from './field-value.tsx';
import styles from './properties.module.css';

export function Fields({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  const act = useAct();
  const fields = useQuery(fieldsOf, task.project_id);
  const values = useQuery(fieldValuesOf, task.id);
  if (fields.length === 0) return null;
  return (
    <dl className={`${styles.props} ${styles.propFields}`} aria-label={t('plan.fields.title')}>
      {fields.map((field) => (
        <div key={field.id} className={styles.prop}>
          <dt>{field.name}</dt>
          <dd>
            <FieldValue
              field={field}
              value={values.get(field.id) ?? null}
              canWrite={canWrite}
              label={field.name}
              onChange={(value) => void act(setField, task.id, field.id, value)}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}
