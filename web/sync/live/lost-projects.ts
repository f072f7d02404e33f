// Projects that are out of reach since this page began, and why. Their rows go at once; whoever looks at one is told what happened.

import { type TableName, tableNames } from '../rows/rows.ts';
import type { RowChange, Store } from '../rows/store.ts';

export interface LostProject {
  readonly name: string;
  /** `gone`: deleted, or no longer shared with us; nobody said which. */
  readonly why: 'deleted' | 'removed' | 'gone';
}

export type LostProjects = ReturnType<typeof openLostProjects>;

/** `onReturn`: its rows went when it did, also those beside its board (views, inbox entries), and have to be asked for. */
export function openLostProjects(store: Store, onChange: () => void, onReturn: (projectId: string) => void) {
  const lost = new Map<string, LostProject>();
  const away = new Set<string>();
  let names = namesIn(store);
  let held = heldIn(store);

  /** Those that an answer no longer has. */
  const unsubscribe = store.watch('projects', () => {
    const now = namesIn(store);
    let changed = false;
    for (const [projectId, name] of names) {
      if (now.has(projectId) || lost.has(projectId)) continue;
      lost.set(projectId, { name, why: 'gone' });
      changed = true;
    }
    for (const projectId of now.keys()) changed = lost.delete(projectId) || changed;
    names = now;
    if (changed) onChange();
    // A deletion that is taken back is shown before the server has agreed: only then is there more to be had.
    const holds = heldIn(store);
    for (const projectId of held) if (!holds.has(projectId)) away.add(projectId);
    held = holds;
    for (const projectId of holds) if (away.delete(projectId)) onReturn(projectId);
  });

  function dropRows(projectId: string): void {
    away.add(projectId);
    store.receive(rowsOf(store, projectId));
  }

  return {
    lose(projectId: string, why: LostProject['why']): void {
      const name = names.get(projectId) ?? lost.get(projectId)?.name;
      // Deleting a project removes everybody from it, too.
      if (name === undefined || lost.get(projectId)?.why === 'deleted') return;
      lost.set(projectId, { name, why });
      dropRows(projectId);
      onChange();
    },
    /** By one's own choice: nothing to tell. */
    forget(projectId: string): void {
      names.delete(projectId);
      dropRows(projectId);
    },
    find: (projectId: string): LostProject | null => lost.get(projectId) ?? null,
    close: unsubscribe,
  };
}

function namesIn(store: Store): Map<string, string> {
  return new Map(store.all('projects').map(({ id, name }) => [id, name]));
}

/** As the server gave them. */
const heldIn = (store: Store): ReadonlySet<string> => new Set(store.baseKeys('projects', () => true));

/** Everything of a project that is here, as gone; profiles stay, they are people's. */
function rowsOf(store: Store, projectId: string): RowChange[] {
  const ofProject = (table: TableName): RowChange[] =>
    store
      .baseKeys(table, (row) => 'project_id' in row && row.project_id === projectId)
      .map((gone) => ({ table, gone }));
  return [{ table: 'projects', gone: projectId }, ...tableNames.flatMap(ofProject)];
}
