// Subscriptions of clients to resources: which rows say that one has changed, and how many a person may hold.

import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { Board } from './board.ts';
import { findView } from './find-views.ts';
import { type Binding, type Following, followChanges } from './follow-changes.ts';
import { findProject, findTask } from './names.ts';
import { type ResourceKind, readUri } from './resources.ts';
import { ToolFault } from './tool-fault.ts';

/** Realtime takes a hundred bindings a channel, of which a task needs five. */
const mostUris = 20;

const ofTask = ['task_comments', 'task_checklist_items', 'task_attachments', 'task_assignees'];

/** Those that the caller sees; of the others nothing is said. */
export async function bindingsOf(board: Board, uris: readonly string[]): Promise<readonly Binding[]> {
  const found = await Promise.all(
    [...new Set(uris)].slice(0, mostUris).map(async (uri) => {
      const named = readUri(uri);
      if (named === null) return [];
      try {
        return await bindingsOfOne(board, uri, named.kind, named.name);
      } catch (error) {
        if (error instanceof ToolFault) return [];
        throw error;
      }
    }),
  );
  return found.flat();
}

async function bindingsOfOne(board: Board, uri: string, kind: ResourceKind, name: string): Promise<Binding[]> {
  if (kind === 'agent') return [{ uri, table: 'agent_sessions', filter: `agent_id=eq.${board.me}` }];
  if (kind === 'task') {
    const { id } = await findTask(board, name);
    return [
      { uri, table: 'tasks', filter: `id=eq.${id}` },
      ...ofTask.map((table) => ({ uri, table, filter: `task_id=eq.${id}` })),
    ];
  }
  const project =
    kind === 'project' ? (await findProject(board, name)).id : (await findView(board, name, null)).project_id;
  const within = project === null ? {} : { filter: `project_id=eq.${project}` };
  return ['tasks', 'workflow_columns'].map((table) => ({ uri, table, ...within }));
}

/** The bus of one stream: it follows changes while somebody listens. */
export function busOf(following: Omit<Following, 'onChanged'>): ServerEventBus {
  return {
    publish: () => undefined,
    subscribe: (listener: (event: ServerEvent) => void) =>
      followChanges({ ...following, onChanged: (uri) => listener({ kind: 'resource_updated', uri }) }),
  };
}
