// Templates: which there are for a project or a task to begin with, and what one of them holds.

import { compareWords } from '../../strings/compare-words.ts';
import type { Query } from '../../sync/react.tsx';
import type { TemplateRow } from '../../sync/rows/rows.ts';

export type TemplateKind = 'task' | 'project';

/** What is in one, as the database counts it. */
export interface Holds {
  readonly columns: readonly string[];
  readonly labels: number;
  readonly fields: number;
  readonly views: number;
  readonly tasks: number;
  readonly steps: number;
  readonly has_days: boolean;
}

const order = ['empty', 'software', 'campaign', 'hiring', 'event', 'sample', 'bug', 'meeting', 'release'];

const byName = (one: TemplateRow, other: TemplateRow): number => compareWords(one.name, other.name);

/** Those that come with Kanbase in this language, or in English where there is none. */
function builtIn(all: readonly TemplateRow[], language: string): TemplateRow[] {
  const of = (tongue: string) => all.filter((one) => one.built_in !== null && one.language === tongue);
  const here = of(language);
  return (here.length > 0 ? here : of('en')).sort(
    (one, other) => order.indexOf(one.built_in ?? '') - order.indexOf(other.built_in ?? ''),
  );
}

/** One's own first, then those of one's projects, then those that come with Kanbase; of other projects only for whole projects. */
export const templatesFor: Query<[kind: TemplateKind, language: string, projectId: string], readonly TemplateRow[]> = {
  read(store, kind, language, projectId) {
    const all = store.all('templates').filter((one) => one.kind === kind);
    return [
      ...all.filter((one) => one.owner_id !== null).sort(byName),
      ...all
        .filter((one) => one.project_id !== null && (projectId === '' || one.project_id === projectId))
        .sort(byName),
      ...builtIn(all, language),
    ];
  },
};

/** One's own, or those of a project. */
export const savedTemplates: Query<[projectId: string], readonly TemplateRow[]> = {
  read: (store, projectId) =>
    store
      .all('templates')
      .filter((one) => (projectId === '' ? one.owner_id !== null : one.project_id === projectId))
      .sort(byName),
};

export const holdsOf = (template: TemplateRow): Holds => template.holds as unknown as Holds;
