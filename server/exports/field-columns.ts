// Fields in words: the names of options and people instead of their ids. Fields of several projects that are called the same share a column.

import type { Caller, Database, Value } from '../database/types.ts';

export interface FieldColumns {
  readonly names: readonly string[];
  /** What a task holds in each, from its values by field as JSON. */
  cells(values: string | null): readonly (string | null)[];
}

interface Field {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly options: readonly { readonly id: string; readonly name: string }[];
}

export async function fieldColumns(database: Database, caller: Caller, ids: Value): Promise<FieldColumns> {
  const fields = await database.objectsAs<Field>(
    caller,
    {
      text: `select f.id, f.name, f.kind::text, f.options from public.custom_fields f
        where f.project_id = any ($1::uuid[]) order by f.position, f.id`,
      values: [ids],
    },
    { readOnly: true },
  );
  const people = await database.objectsAs<{ id: string; name: string }>(
    caller,
    {
      text: `select id, display_name as name from public.profiles
        where id in (select m.user_id from public.project_members m where m.project_id = any ($1::uuid[]))`,
      values: [ids],
    },
    { readOnly: true },
  );
  const namesOfPeople = new Map(people.map(({ id, name }) => [id, name]));
  const options = new Map(fields.flatMap((field) => field.options.map(({ id, name }) => [`${field.id}/${id}`, name])));
  const names = [...new Set(fields.map(({ name }) => name))];
  const places = new Map(fields.map((field) => [field.id, { field, at: names.indexOf(field.name) }]));

  function inWords(field: Field, value: unknown): string {
    if (Array.isArray(value)) return value.map((one) => inWords(field, one)).join('; ');
    if (field.kind === 'select' || field.kind === 'multi_select')
      return options.get(`${field.id}/${String(value)}`) ?? String(value);
    if (field.kind === 'person') return namesOfPeople.get(String(value)) ?? String(value);
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }

  return {
    names,
    cells(values) {
      const row: (string | null)[] = names.map(() => null);
      if (values === null) return row;
      for (const [id, value] of Object.entries(JSON.parse(values) as Record<string, unknown>)) {
        const place = places.get(id);
        if (place !== undefined && value !== null) row[place.at] = inWords(place.field, value);
      }
      return row;
    },
  };
}
