// Every tool, in the order clients show them. Twelve at most, and 3,000 tokens with all schemas: test/mcp/tools.test.ts counts.

import type { Tool } from '../tool.ts';
import { attach } from './attach.ts';
import { claimNextTask } from './claim-next-task.ts';
import { comment } from './comment.ts';
import { createTasks } from './create-tasks.ts';
import { explain } from './explain.ts';
import { findTasks } from './find-tasks.ts';
import { finishOrHandBack } from './finish-or-hand-back.ts';
import { getTask } from './get-task.ts';
import { link } from './link.ts';
import { report } from './report.ts';
import { updateTasks } from './update-tasks.ts';
import { whoami } from './whoami.ts';

export const tools: readonly Tool[] = [
  whoami,
  findTasks,
  getTask,
  createTasks,
  updateTasks,
  comment,
  claimNextTask,
  report,
  finishOrHandBack,
  link,
  attach,
  explain,
];
