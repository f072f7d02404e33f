// Finds the row changes that concern a source, and their channel. `means` tells what they change.

import type { Figures } from '../rows/refetch.ts';
import { primaryKeys, type TableName, tableNames } from '../rows/rows.ts';
import { type Question, questionsOf, type Scope } from '../rows/scopes.ts';
import { tables } from '../tables.ts';

export interface Binding {
  readonly table: TableName;
  readonly filter?: string;
  /** Columns. */
  readonly select: readonly string[];
  /** Only rows that are here already are of use: which others belong to the answer the change does not say. */
  readonly knownOnly?: boolean;
}

export interface Following {
  readonly topic: string;
  readonly bindings: readonly Binding[];
  /** The changes are rows for the store, or they say that a result has to be asked for again. */
  readonly means: 'rows' | 'fetch';
}

/** Whose channels they are. */
export interface Follower {
  readonly userId: string;
  /** Channels of a project are for its members: a guest follows their rows on channels of their own. */
  readonly isGuestIn: (projectId: string) => boolean;
}

/** A scope follows what it asks for; figures what they are made of. */
export function followingOf(about: Scope | Figures, follower: Follower): Following {
  if (about.kind === 'figures') return followingFigures(about, follower);
  return { topic: topicOf(about, follower), bindings: questionsOf(about).map(bindingOf), means: 'rows' };
}

function topicOf(scope: Scope, follower: Follower): string {
  const { userId } = follower;
  if (scope.kind === 'me') return `user:${userId}`;
  if ('userId' in scope) return `user:${userId}:${scope.kind === 'mine' ? 'tasks' : scope.kind}`;
  const project = topicOfProject(scope.projectId, follower);
  // Not the topic that is for those alone who see the task: it may be open before the server has it.
  if (scope.kind === 'task') return `${project}:rows:${scope.taskId}`;
  return scope.kind === 'project' ? project : `${project}:${scope.kind}`;
}

const topicOfProject = (projectId: string, { userId, isGuestIn }: Follower): string =>
  isGuestIn(projectId) ? `user:${userId}:project:${projectId}` : `project:${projectId}`;

/** Null where the topic is not that of a project itself. */
export function projectOfTopic(topic: string): string | null {
  const [kind, id = '', ...more] = topic.split(':');
  return kind === 'project' && more.length === 0 ? id : null;
}

function bindingOf({ table, columns, equals, joined }: Question): Binding {
  // A condition on another table cannot be asked of a change.
  if (joined) return { table, select: columns, knownOnly: true };
  return { table, select: columns, ...(equals ? { filter: `${equals[0]}=eq.${equals[1]}` } : {}) };
}

/** Of a project, or of all of one's projects. */
function followingFigures({ projectId, tables: others = [], alone }: Figures, follower: Follower): Following {
  const filter = projectId === undefined ? {} : { filter: `project_id=eq.${projectId}` };
  const whose = projectId === undefined ? `user:${follower.userId}` : topicOfProject(projectId, follower);
  return {
    topic: [whose, alone ? 'results' : 'figures', ...others].join(':'),
    bindings: tableNames
      .filter((table) => (tables[table].isCounted && alone === undefined) || others.includes(table))
      .map((table) => ({ table, ...filter, select: primaryKeys[table] })),
    means: 'fetch',
  };
}
