// Every read by name. Each says which tables it looks at; `useQuery` asks it again only when one of them changed.

export * from './queries/attachments.ts';
export * from './queries/board.ts';
export * from './queries/field-columns.ts';
export * from './queries/fields.ts';
export * from './queries/fuzzy.ts';
export type { TaskGroup } from './queries/grouping.ts';
export * from './queries/hearing.ts';
export * from './queries/hooks.ts';
export * from './queries/inbox.ts';
export * from './queries/lists.ts';
export * from './queries/live.ts';
export * from './queries/people.ts';
export * from './queries/presence.ts';
export * from './queries/projects.ts';
export * from './queries/search.ts';
export * from './queries/subtasks.ts';
export * from './queries/tasks.ts';
export * from './queries/templates.ts';
export * from './queries/views.ts';
export { keptName } from './sync/kept.ts';
export { useQuery, useScope } from './sync/react.tsx';
export type { SourceState } from './sync/refetch.ts';
export type * from './sync/rows.ts';
export type { Reader } from './sync/store.ts';
