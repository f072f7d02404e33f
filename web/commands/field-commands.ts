// Commands on the fields of a project. What tasks hold in them is written by setCells.

import type { Json } from '../../contract/database.ts';
import { fieldKinds } from '../../contract/field-properties.ts';
import { type FieldOption, optionsOf, readFields } from '../queries/projects/fields.ts';
import { t } from '../strings/messages.ts';
import { dataOf } from '../sync/door.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import { update } from '../sync/rows/diff.ts';
import { newId } from '../sync/rows/ids.ts';
import type { FieldKind, FieldRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { type Check, define, list, maybe, number, oneOf, only, orNull, record, some, text } from './define-command.ts';
import { deleteRows, insertRows, sendChanges, updateRows } from './send-changes.ts';
import { deleteDelay } from './task-commands.ts';

const kind = oneOf<FieldKind>(...fieldKinds);
/** Whatever JSON can say: the database knows which of it the field can hold. */
export const json: Check<Json> = (value): value is Json =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) ? value.every(json) : typeof value === 'object' && Object.values(value).every(json));
const option: Check<FieldOption> = record({ id: text, name: text, color: maybe(orNull(text)) });

const insertField = define(
  'addField',
  record({ id: text, projectId: text, name: text, kind, options: list(option), position: number }),
  {
    changes: ({ projectId, options, ...row }) => [
      insertRows('custom_fields', [{ ...row, options: options as unknown as Json, project_id: projectId }]),
    ],
  },
);

/** One to choose from begins with two options, since none would be no choice. */
export function addField(
  store: Reader,
  projectId: string,
  name: string,
  kind: FieldKind,
  options: readonly string[] = [],
): Mutation {
  const position = (readFields(store, projectId).at(-1)?.position ?? 0) + 1024;
  const named = options.map((one) => ({ id: newId(), name: one }));
  return insertField(
    { id: newId(), projectId, name: name.trim(), kind, options: named, position },
    t('settings.did.fieldAdded', { name: name.trim() }),
  );
}

const fieldPatch = some({
  name: text,
  options: list(option),
  unit: orNull(text),
  default_value: json,
  position: number,
});

const changeField = define('editField', record({ id: text, patch: fieldPatch }), {
  changes: ({ id, patch }) => [updateRows('custom_fields', [{ id, ...(patch as Partial<FieldRow>) }])],
});

export interface FieldPatch {
  readonly name?: string;
  readonly options?: readonly FieldOption[];
  readonly unit?: string | null;
  readonly default_value?: Json;
  readonly position?: number;
}

export function editField(store: Reader, id: string, patch: FieldPatch): Mutation {
  return changeField(
    { id, patch },
    t('settings.did.fieldChanged', { name: store.get('custom_fields', id)?.name ?? '' }),
  );
}

const dropField = define('deleteField', record({ id: text }), {
  delay: deleteDelay,
  changes: ({ id }) => [deleteRows('custom_fields', [{ id }])],
});

/** Held: what tasks hold in it goes with it. */
export function deleteField(store: Reader, id: string): Mutation {
  return dropField({ id }, t('settings.did.fieldRemoved', { name: store.get('custom_fields', id)?.name ?? '' }));
}

const dropOption = define('deleteOption', record({ id: text, optionId: text }), {
  delay: deleteDelay,
  merges: true,
  apply(store, { id, optionId }) {
    const field = store.get('custom_fields', id);
    const options = field && optionsOf(field).filter((one) => one.id !== optionId);
    return only(field && update('custom_fields', field, { options: options as unknown as Json }));
  },
  async send(door, { id, optionId }) {
    // Others may have added some meanwhile.
    const [field] = dataOf(await door.from('custom_fields').select().eq('id', id));
    if (field === undefined) return [{ table: 'custom_fields', gone: id }];
    const options = optionsOf(field).filter((one) => one.id !== optionId) as unknown as Json;
    return sendChanges(door, [updateRows('custom_fields', [{ id, options }])]);
  },
});

/** Held: what tasks hold of it goes with it. */
export function deleteOption(store: Reader, id: string, optionId: string): Mutation {
  const field = store.get('custom_fields', id);
  const name = (field && optionsOf(field).find((one) => one.id === optionId)?.name) ?? '';
  return dropOption({ id, optionId }, t('settings.did.optionRemoved', { name }));
}
