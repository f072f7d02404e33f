// Columns of the list: which exist in a project, which are shown, their widths and their sums. All of it is part of what a view shows (`shown`), so
// addresses and saved views keep it. Without a choice, the list has its default columns.

import { useMemo } from 'react';
import { fieldProperty } from '../../../contract/field-properties.ts';
import type { Property as PropertyName, Shown } from '../../../contract/views.ts';
import { own, ownColumns } from '../../properties/own.ts';
import { propertyNamed } from '../../properties/properties.ts';
import type { Property } from '../../properties/property.ts';
import { type FieldRow, fieldsOf, useQuery } from '../../queries.ts';
import { nameProperty } from '../../strings/name-property.ts';
import type { ViewHandle } from '../project/view-handle.ts';

/** What is computed of the values of a column. */
export const summaries = ['sum', 'average', 'count', 'none'] as const;
export type Summary = (typeof summaries)[number];

export interface TableColumn {
  /** Its name in a view. */
  readonly id: PropertyName;
  readonly property: Property;
  readonly name: string;
  /** Where it is one of the project. */
  readonly field?: FieldRow;
  /** In pixels, where letters have their usual size. */
  readonly width: number;
  readonly summary: Summary;
}

export const leastWidth = 48;
const mostWidth = 1000;

interface ShownColumns {
  readonly columns: readonly string[] | null;
  readonly widths: Readonly<Record<string, number>>;
  readonly sums: Readonly<Record<string, Summary>>;
}

/** A program may have written anything; what cannot be read says nothing. */
function readShown({ columns, widths, sums }: Shown): ShownColumns {
  const entries = (value: unknown): [string, unknown][] =>
    typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return {
    columns: Array.isArray(columns) ? [...new Set(columns.filter((one) => typeof one === 'string'))] : null,
    widths: Object.fromEntries(entries(widths).filter((one): one is [string, number] => typeof one[1] === 'number')),
    sums: Object.fromEntries(
      entries(sums).filter((one): one is [string, Summary] => summaries.some((summary) => summary === one[1])),
    ),
  };
}

export const fitted = (width: number): number => Math.round(Math.min(mostWidth, Math.max(leastWidth, width)));

export interface Table {
  /** Those that are shown, in their order. */
  readonly columns: readonly TableColumn[];
  /** Those that are not. */
  readonly others: readonly TableColumn[];
  /** Somebody chose them; otherwise they are as wide as there is room. */
  readonly chosen: boolean;
  readonly fieldIds: readonly string[];
  /** The order that needs no saying: across projects there is none of a board. */
  readonly plain: 'column' | 'number';
  choose(ids: readonly string[]): void;
  move(id: string, place: number): void;
  /** Several at once, where none had a width of its own. */
  resize(widths: Readonly<Record<string, number>>): void;
  summarise(id: string, summary: Summary): void;
  /** As the list is where nothing was chosen. */
  reset(): void;
}

/** `projectId` is empty across projects. */
export function useTable(projectId: string, handle: ViewHandle, emptyColumns: string): Table {
  const fields = useQuery(fieldsOf, projectId);
  const { shown: said, grouping } = handle.view;
  const { set } = handle;
  const written = JSON.stringify(said);
  // A filter changes how to write the view, but not which columns there are: rows that stay are not drawn again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `written` stands for what is said
  const { visible, others, shown } = useMemo(() => {
    const shown = readShown(said);
    const all = [
      // Of several projects the parents need not be here.
      ...ownColumns
        .filter((id) => id !== (projectId === '' ? 'parent' : 'project'))
        .map((id) => columnOf(id, nameProperty(`table.columns.${id}`, id), shown)),
      ...fields.map((field) => ({ ...columnOf(fieldProperty(field.kind, field.id), field.name, shown), field })),
    ];
    const empty = emptyColumns.split(' ');
    const usual = ownColumns.filter((id) => {
      const name = own[id].table?.usual;
      return name !== undefined && !empty.includes(name) && grouping !== id;
    });
    const ids: readonly string[] = shown.columns ?? usual;
    const columns = ids.flatMap((id) => all.find((column) => column.id === id) ?? []);
    // A row is known by its title.
    const title = columns.some(isTitle) ? [] : all.filter(isTitle);
    const visible = [...title, ...columns];
    return { visible, others: all.filter((column) => !visible.includes(column)), shown };
  }, [fields, written, grouping, emptyColumns, projectId]);
  return useMemo(() => {
    const now = visible.map(({ id }) => id);
    const write = (patch: Partial<ShownColumns>): void => {
      const next = { columns: now, widths: shown.widths, sums: shown.sums, ...patch };
      set({ shown: { ...said, ...next } });
    };
    return {
      columns: visible,
      others,
      chosen: shown.columns !== null,
      fieldIds: visible.flatMap(({ field }) => (field ? [field.id] : [])),
      plain: projectId === '' ? 'number' : 'column',
      choose: (chosen) => write({ columns: chosen }),
      move(id, place) {
        const rest = now.filter((one) => one !== id);
        write({ columns: [...rest.slice(0, place), id, ...rest.slice(place)] });
      },
      resize(some) {
        const fit = Object.entries(some).map(([id, width]) => [id, fitted(width)] as const);
        write({ widths: { ...shown.widths, ...Object.fromEntries(fit) } });
      },
      summarise: (id, summary) => write({ sums: { ...shown.sums, [id]: summary } }),
      reset() {
        const { columns: _, widths: __, sums: ___, ...rest } = said;
        set({ shown: rest });
      },
    };
  }, [visible, others, shown, said, set, projectId]);
}

function columnOf(id: PropertyName, name: string, { widths, sums }: ShownColumns): TableColumn {
  const property = propertyNamed(id);
  const { width, adds } = property;
  return { id, property, name, width: fitted(widths[id] ?? width), summary: sums[id] ?? (adds ? 'sum' : 'none') };
}

/** A row is known by it: it is always there, and stays while the rest scrolls. */
export const isTitle = ({ id }: TableColumn): boolean => id === 'title';
