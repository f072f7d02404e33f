// Every client command, in the order that help shows them.

import type { ClientCommand } from './client-command.ts';
import { completion } from './completion.ts';
import { login, logout, whoami } from './login.ts';
import { mcp } from './mcp.ts';
import { projectCommands } from './projects.ts';
import { taskKeep, taskRelease } from './task-claim.ts';
import { taskList, taskNext } from './task-list.ts';
import { taskShow } from './task-show.ts';
import { taskComment, taskDone, taskMove, taskNew } from './task-write.ts';
import { types } from './types.ts';

export const clientCommands: readonly ClientCommand[] = [
  taskList,
  taskNext,
  taskKeep,
  taskRelease,
  taskShow,
  taskNew,
  taskComment,
  taskMove,
  taskDone,
  ...projectCommands,
  login,
  logout,
  whoami,
  mcp,
  types,
  completion,
];
