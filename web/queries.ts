// Every read by name. Each says which tables it looks at; `useQuery` asks it again only when one of them changed.

export * from './queries/hooks.ts';
export * from './queries/live.ts';
export * from './queries/people/groups.ts';
export * from './queries/people/inbox.ts';
export * from './queries/people/notification-settings.ts';
export * from './queries/people/people.ts';
export * from './queries/people/presence.ts';
export * from './queries/people/unread-count.ts';
export * from './queries/projects/board.ts';
export * from './queries/projects/field-columns.ts';
export * from './queries/projects/fields.ts';
export * from './queries/projects/projects.ts';
export * from './queries/projects/templates.ts';
export * from './queries/tasks/attachments.ts';
export * from './queries/tasks/column-tasks.ts';
export * from './queries/tasks/fuzzy.ts';
export * from './queries/tasks/search.ts';
export * from './queries/tasks/subtasks.ts';
export * from './queries/tasks/tasks.ts';
export type { TaskGroup } from './queries/views/grouping.ts';
export * from './queries/views/lists.ts';
export * from './queries/views/views.ts';
export { storedName } from './sync/device-storage.ts';
export { reuse, useQuery, useScope } from './sync/react.tsx';
export type { SourceState } from './sync/rows/refetch.ts';
export type * from './sync/rows/rows.ts';
export type { Reader } from './sync/rows/store.ts';
