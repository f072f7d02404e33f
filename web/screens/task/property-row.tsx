// Row of a property in a task: its name, and the value that opens. Where there is little room, the name of a value that speaks for itself is
// only spoken.

import type { ReactNode } from 'react';
import { useId } from 'react';
import type { Property } from '../../../contract/views.ts';
import { lookOf } from '../../pieces/properties/looks.ts';
import styles from '../../pieces/properties/properties.module.css';
import { ValueEditor } from '../../pieces/properties/value.tsx';
import { propertyNamed } from '../../properties/properties.ts';
import { valueIn } from '../../properties/values.ts';
import { type TaskRow, useQuery } from '../../queries.ts';
import shapes from '../../styles/shapes.module.css';

interface PropertyRowProps {
  readonly label: string;
  readonly empty: boolean;
  /** The value says by itself what it is of. */
  readonly speaks?: boolean;
  /** The id of the field that the name belongs to. */
  readonly field?: string | undefined;
  readonly children: ReactNode;
}

export function PropertyRow({ label, empty, speaks = false, field, children }: PropertyRowProps) {
  return (
    <div
      className={`${shapes.row} ${shapes.holder} ${shapes.bordered} ${shapes.within} ${styles.prop}`}
      data-empty={empty || undefined}
      data-speaks={(field === undefined && (empty || speaks)) || undefined}
    >
      <dt>{field === undefined ? label : <label htmlFor={field}>{label}</label>}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface EditedRowProps {
  readonly of: Property;
  readonly task: TaskRow;
  readonly canWrite: boolean;
  readonly name: string;
  readonly hint?: string | undefined;
}

/** With the control of its kind. */
export function EditedRow({ of, task, canWrite, name, hint }: EditedRowProps) {
  const id = useId();
  const empty = useQuery(valueIn, of, task.id) === null;
  // What is typed or ticked is a field; what is picked is a button that says all of it.
  const isField = canWrite && lookOf(propertyNamed(of).kind).Picker === undefined;
  return (
    <PropertyRow label={name} empty={empty} field={isField ? id : undefined}>
      <ValueEditor {...{ of, task, canWrite, name, hint, id }} label={name} />
    </PropertyRow>
  );
}
