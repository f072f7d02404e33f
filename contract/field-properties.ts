// A field of a project as a property of a view: `number_field.<id>`. The kind of a field never changes and stands in the name, so that a
// filter can be read, written and asked by whoever has never heard of the field.

export const fieldKinds = ['text', 'number', 'date', 'select', 'multi_select', 'person', 'url', 'checkbox'] as const;
export type FieldKind = (typeof fieldKinds)[number];
export const isFieldKind = (name: unknown): name is FieldKind => fieldKinds.some((one) => one === name);
export type FieldProperty = `${FieldKind}_field.${string}`;

/** What can be said of a field follows from its kind, as for other properties. */
export const fieldPropertyKinds = {
  text: 'words',
  url: 'words',
  number: 'number',
  date: 'day',
  select: 'choice',
  person: 'choice',
  multi_select: 'choices',
  checkbox: 'flag',
} as const satisfies Record<FieldKind, string>;

export const groupableFields = ['select', 'multi_select', 'person'] as const satisfies readonly FieldKind[];
export type FieldGrouping = `${(typeof groupableFields)[number]}_field.${string}`;

const named = /^([a-z_]+)_field\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function fieldProperty(kind: FieldKind, id: string): FieldProperty {
  return `${kind}_field.${id}`;
}

/** Null where the name is not that of a field. */
export function fieldIn(property: unknown): { readonly kind: FieldKind; readonly id: string } | null {
  const [, said, id] = (typeof property === 'string' && named.exec(property)) || [];
  return isFieldKind(said) && id !== undefined ? { kind: said, id } : null;
}

export function isFieldProperty(property: unknown): property is FieldProperty {
  return fieldIn(property) !== null;
}

export function isFieldGrouping(property: unknown): property is FieldGrouping {
  const kind = fieldIn(property)?.kind;
  return groupableFields.some((one) => one === kind);
}
