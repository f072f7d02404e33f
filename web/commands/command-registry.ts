// Imports all commands, for entries of an earlier page that are sent by name. Fetched only where such entries are stored; otherwise a
// command comes with the first screen that has it.

export * from './account-commands.ts';
export * from './attachment-commands.ts';
export * from './cell-commands.ts';
export * from './checkbox-commands.ts';
export * from './comment-commands.ts';
export { restore } from './define-command.ts';
export * from './field-commands.ts';
export * from './group-commands.ts';
export * from './inbox-commands.ts';
export * from './move-commands.ts';
export * from './move-to-project-commands.ts';
export * from './plan-commands.ts';
export * from './project-commands.ts';
export * from './recurrence-commands.ts';
export * from './regroup-commands.ts';
export * from './restrict-commands.ts';
export * from './revert.ts';
export * from './share-commands.ts';
export * from './subtask-commands.ts';
export * from './task-commands.ts';
export * from './task-parts.ts';
export * from './template-commands.ts';
export * from './view-commands.ts';
