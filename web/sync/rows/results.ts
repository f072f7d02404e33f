// Results that are not rows of the store: of procedures (figures, billing, sessions), and counts. The last one is shown at once; they are
// refetched as scopes are (refetch.ts), and remembered on this device beside the snapshots.

import type { Procedures } from '../door.ts';
import type { readingProcedures } from '../procedures.ts';
import type { Figures, Source } from './refetch.ts';

export type ResultProcedure = (typeof readingProcedures)[number];
/** Those that are made of a project's rows, and asked for again when one of them changes. */
const ofRows: ReadonlySet<ResultProcedure> = new Set([
  'dashboard_metrics',
  'project_progress',
  'task_flow',
  'task_flows',
]);
export type Call = <P extends keyof Procedures>(
  procedure: P,
  args: Procedures[P]['Args'],
) => Promise<Procedures[P]['Returns']>;

/** What a result is asked with; `project_id`: of which project it is. */
export type ResultArgs = Readonly<Record<string, string | readonly string[]>> & { readonly project_id?: string };

/** Another question than a procedure. */
export interface Asking {
  readonly name: string;
  /** What this device remembers it by; else its name. */
  readonly savedAs?: string;
  readonly ask: () => Promise<unknown>;
  readonly about?: Figures;
}

/** What this device remembers of results, by name. */
export interface ResultMemory {
  save(name: string, data: unknown): Promise<void>;
  load(name: string): Promise<unknown>;
}

export function openResults(call: Call, memory: ResultMemory) {
  const results = new Map<string, unknown>();
  const sourceOf = ({ name, savedAs = name, ask, about }: Asking): Source => ({
    name,
    // Opening a page of figures always fetches them again.
    staysFresh: 0,
    fetch: async () => void results.set(name, await ask()),
    load: async (wanted) => {
      const data = await memory.load(savedAs);
      if (data === null || !wanted()) return false;
      results.set(name, data);
      return true;
    },
    save: () => memory.save(savedAs, results.get(name)),
    evict: () => void results.delete(name),
    ...(about ? { about } : {}),
  });
  return {
    source: (procedure: ResultProcedure, args: ResultArgs): Source =>
      sourceOf({
        name: `${procedure} ${JSON.stringify(args)}`,
        ask: () => call(procedure, args as Procedures[ResultProcedure]['Args']),
        ...(ofRows.has(procedure) ? { about: { kind: 'figures', projectId: args.project_id } } : {}),
      }),
    sourceOf,
    latest: (name: string): unknown => results.get(name) ?? null,
  };
}
