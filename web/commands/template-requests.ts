// Requests about templates and copies of projects: a project is made by the server, and there is no undo but deleting it.

import { dataOf } from '../sync/door.ts';
import type { CopyForeseen } from '../sync/procedures.ts';
import type { ProjectRow } from '../sync/rows/rows.ts';
import type { Sync } from '../sync/sync.ts';

export type { CopyForeseen };

/** What a template proposes: how the project or the task is called. */
export interface Proposed {
  readonly name: string;
  readonly description: string;
  /** Those it makes where there are none of the name. */
  readonly labels: readonly { readonly name: string; readonly color: string | null }[];
}

/** The only part of its document that a form shows. */
export async function readProposed({ door }: Sync, templateId: string): Promise<Proposed> {
  const [template] = dataOf(await door.from('templates').select('name,body').eq('id', templateId)) ?? [];
  const { name, body } = template ?? { name: '', body: {} };
  const { project, tasks, labels } = body as {
    readonly project?: { readonly name?: string; readonly description?: string };
    readonly tasks?: readonly { readonly title: string; readonly parent?: string }[];
    readonly labels?: readonly { readonly name: string; readonly color?: string }[];
  };
  const top = tasks?.find((task) => task.parent === undefined);
  return {
    name: project === undefined ? (top?.title ?? name) : (project.name ?? name),
    description: project?.description ?? '',
    labels: (labels ?? []).map(({ name, color }) => ({ name, color: color ?? null })),
  };
}

/** The id of one that comes with Kanbase, in this language or else in English; undefined where an operator took it out. */
export async function findBuiltIn({ door }: Sync, name: string, language: string): Promise<string | undefined> {
  const rows = dataOf(await door.from('templates').select('id,language').eq('built_in', name)) ?? [];
  return (rows.find((row) => row.language === language) ?? rows.find((row) => row.language === 'en'))?.id;
}

export function foreseeCopy(sync: Sync, projectId: string): Promise<CopyForeseen> {
  return sync.call('foresee_project_copy', { project_id: projectId });
}

export interface Copied {
  readonly name: string;
  /** On which the first task begins; null: days stay. */
  readonly startDate: string | null;
  readonly withTasks: boolean;
  readonly withMembers: boolean;
}

export async function duplicateProject(sync: Sync, projectId: string, copied: Copied): Promise<ProjectRow> {
  const project = await sync.call('duplicate_project', {
    project_id: projectId,
    name: copied.name.trim(),
    with_tasks: copied.withTasks,
    with_members: copied.withMembers,
    ...(copied.startDate === null ? {} : { start_date: copied.startDate }),
  });
  sync.store.receive([{ table: 'projects', row: project }]);
  await sync.refresh({ kind: 'me', userId: sync.userId });
  return project;
}
