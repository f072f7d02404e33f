// Every command, in the order `--help` shows them.

import { backup } from './backup.ts';
import type { Command } from './command.ts';
import { configCommand } from './config.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { exportCommand } from './export.ts';
import { files } from './files.ts';
import { importCommand } from './import.ts';
import { keys } from './keys.ts';
import { leads } from './leads.ts';
import { migrate } from './migrate.ts';
import { operator } from './operator.ts';
import { plans } from './plans.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';

export const commands: readonly Command[] = [
  serve,
  migrate,
  backup,
  restore,
  importCommand,
  exportCommand,
  keys,
  operator,
  demo,
  doctor,
  configCommand,
  files,
  leads,
  plans,
];
