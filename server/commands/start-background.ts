// Starts all background work of a node: jobs that doors have declared, queues, reminders and scheduled backups. Called by the main process of
// `kanbase serve` alone, so that neither the processes it forks nor other commands sweep, send or back up.

import { startEndedWork } from '../background/ended-work.ts';
import { startPush } from '../background/push/start-push.ts';
import { startRecurrences } from '../background/recurrence/start-recurrences.ts';
import { startReminders } from '../background/reminders.ts';
import { startExports } from '../exports/start-exports.ts';
import { openFileSaver } from '../files/file-saver.ts';
import { openForExports } from '../files/open-for-exports.ts';
import { startImports } from '../imports/door/start-imports.ts';
import { notSaved } from '../imports/files-in-zip.ts';
import { startMail } from '../mail/start-mail.ts';
import { startOutbox } from '../outbox/start-outbox.ts';
import type { ReachedDatabase } from '../reach-database.ts';
import type { Services } from '../services.ts';
import { followBackupSettings } from './backup-contents.ts';

/** Gives back how to stop; resolves when the runs under way have ended. */
export async function startBackground(services: Services, database: ReachedDatabase): Promise<() => Promise<void>> {
  const { config, jobs } = services;
  const started: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    await Promise.allSettled([...started.map((one) => one.stop()), jobs.stop()]);
  };
  try {
    await jobs.start();
    started.push(await startMail(services));
    started.push(await startPush(services));
    started.push(await startOutbox(services));
    started.push(await startReminders(services));
    started.push(...(await Promise.all(startEndedWork(services))));
    started.push(await startRecurrences(services));
    started.push(await startImports(services, await openFileSaver(services, notSaved)));
    started.push(await startExports(services, await openForExports(config)));
    started.push(await followBackupSettings(services, database));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
