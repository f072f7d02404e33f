// Checks the path to go to after signing in: only a path of our own.

import { paths } from '../../routes.ts';

export function safeNext(asked: string | null): string {
  if (asked === null || !/^\/(?![/\\])/.test(asked) || /[\\\s]/.test(asked)) return paths.projects;
  return asked;
}
