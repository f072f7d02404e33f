// Reads a project that Kanbase exported for a new one: once for what has to be known before it is written, and again for each table when its turn comes.
// Of tables that may be long, only ids stay in memory.

import type { MemoryCounter } from './memory-limits.ts';
import { cardsShown, type Row, smallTables, type Whole } from './neutral.ts';
import { readRows, rowsOf } from './read-rows.ts';
import type { Source } from './source.ts';

type SmallTable = (typeof smallTables)[number];

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isSmall = (name: string): name is SmallTable => smallTables.some((one) => one === name);

/** With the head of the document; null where it is no export of ours, or another program has written it anew. */
export async function readWhole(
  source: Source,
  atOnce: MemoryCounter | null,
): Promise<{ about: object; whole: Whole } | null> {
  const met = new Met();
  const about = await readRows(await source.stream(), met.table, (name, row, line) => {
    atOnce?.takeRow();
    if (isSmall(name)) atOnce?.takeJson(line);
    met.row(name, row);
  });
  if (about === null) return null;
  return {
    about,
    whole: met.whole(source, async function* (table) {
      yield* rowsOf(await source.stream(), table);
    }),
  };
}

/** Of tables that were parsed already. */
export function wholeOf(tables: object, source: Source): Whole {
  const met = new Met();
  const rowsIn = (table: string): readonly Row[] => {
    const rows = (tables as Readonly<Record<string, unknown>>)[table];
    return Array.isArray(rows) ? rows.filter((row) => typeof row === 'object' && row !== null) : [];
  };
  for (const name of Object.keys(tables)) {
    met.table(name);
    for (const row of rowsIn(name)) met.row(name, row);
  }
  return met.whole(source, async function* (table) {
    yield* rowsIn(table);
  });
}

/** What was met of it, row by row. */
class Met {
  readonly #counts = new Map<string, number>();
  readonly #small = Object.fromEntries(smallTables.map((name) => [name, [] as Row[]])) as Record<SmallTable, Row[]>;
  readonly #ids = new Set<string>();
  readonly #parents = new Set<string>();
  readonly #assigned = new Set<string>();
  readonly #lists = new Map<string, { count: number; first: string[] }>();
  #archived = 0;
  #subtasks = 0;

  readonly table = (name: string): void => void this.#counts.set(name, 0);

  readonly row = (name: string, row: Row): void => {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (isSmall(name)) this.#small[name].push(row);
    const { id, parent_id: parent, user_id: user } = row;
    // Those of people are theirs here as there.
    if (name !== 'people' && typeof id === 'string' && uuid.test(id)) this.#ids.add(id);
    if (typeof parent === 'string') this.#parents.add(parent);
    if (name === 'task_assignees' && typeof user === 'string') this.#assigned.add(user);
    if (name === 'tasks') this.#task(row);
  };

  #task(row: Row): void {
    const column = String(row.column_id);
    const list = this.#lists.get(column) ?? { count: 0, first: [] };
    this.#lists.set(column, list);
    list.count++;
    if (list.first.length < cardsShown) list.first.push(String(row.title));
    if (typeof row.archived_at === 'string') this.#archived++;
    if (typeof row.parent_id === 'string') this.#subtasks++;
  }

  whole(source: Source, rows: Whole['rows']): Whole {
    const count = (name: string): number => this.#counts.get(name) ?? 0;
    const place = (row: Row): number => Number(row.position ?? 0);
    return {
      counts: this.#counts,
      small: this.#small,
      ids: this.#ids,
      parents: this.#parents,
      assigned: this.#assigned,
      outline: {
        counts: {
          tasks: count('tasks'),
          archived: this.#archived,
          subtasks: this.#subtasks,
          comments: count('task_comments'),
          items: count('task_checklist_items'),
          labels: count('task_labels'),
          dependencies: count('task_dependencies'),
          // Nothing else lies beside the rows.
          files: source.files?.names.length ?? 0,
        },
        lists: this.#small.workflow_columns
          .toSorted((one, other) => place(one) - place(other))
          .map(({ id, name }) => ({ name: String(name), ...(this.#lists.get(String(id)) ?? { count: 0, first: [] }) })),
      },
      rows,
    };
  }
}
