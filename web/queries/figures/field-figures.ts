// Figures of a project's fields: counted by the server for all tasks, and from the rows here for some.

import { fieldProperty } from '../../../contract/field-properties.ts';
import { fieldNamed } from '../../properties/field.ts';
import type { Counted } from '../../properties/property.ts';
import type { FieldKind, FieldRow, TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { readFields } from '../projects/fields.ts';

export type FieldFigures = { readonly field_id: string; readonly name: string; readonly kind: FieldKind } & Counted;

const propertyOf = ({ kind, id }: FieldRow) => fieldNamed(fieldProperty(kind, id));

/** Words and days are not added up. */
export function countedFields(fields: readonly FieldRow[]): readonly FieldRow[] {
  return fields.filter((field) => propertyOf(field).count !== null);
}

export function readFieldFigures(store: Reader, projectId: string, tasks: readonly TaskRow[]): FieldFigures[] {
  return readFields(store, projectId).flatMap((field) => {
    const counted = propertyOf(field).count?.(store, projectId, tasks);
    return counted ? [{ field_id: field.id, name: field.name, kind: field.kind, ...counted }] : [];
  });
}
