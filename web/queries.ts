// Every read by name. Each says which tables it looks at; `useQuery` asks it again only when one of them changed.

export * from './queries/lists.ts';
export * from './queries/people.ts';
export * from './queries/projects.ts';
export * from './queries/search.ts';
export * from './queries/tasks.ts';
export { useQuery, useScope } from './sync/react.tsx';
