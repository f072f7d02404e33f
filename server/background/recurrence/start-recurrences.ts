// Makes the next task of every series: when its day comes, when one is done that is counted from then, and at once when a rule was set. The
// database says what waits and does what follows in one transaction each (sql/rules/recurrence/next-task.sql); here the rule is read. Any
// number of nodes may do this at once.

import { DatabaseTrouble, unreachable } from '../../database/errors.ts';
import { roomRoles } from '../../database/room-roles.ts';
import type { Services } from '../../services.ts';
import type { RunningJob } from '../every.ts';
import { nextDay } from './next-day.ts';

/** Also when no word comes: a clock that was set, a day that began while nothing was awake. */
const POLL_MS = 60_000;
const RETRY_MS = 3_600_000;
const AT_ONCE = 50;

interface Waiting {
  readonly id: string;
  readonly revision: number;
  readonly rule: string;
  readonly starts_on: string;
  readonly after_day: string;
}

export async function startRecurrences(
  services: Pick<Services, 'database' | 'fetch' | 'jobs' | 'log' | 'sessions'>,
): Promise<RunningJob> {
  const { database, log } = services;
  /** Ids that failed, and when: they are tried again in an hour, and hold nothing else up. Where only the database was away, the run ends instead. */
  const failed = new Map<string, number>();

  const ask = <Row>(text: string, values: readonly string[] = []): Promise<readonly Row[]> =>
    database.objectsAs<Row & Record<string, unknown>>(roomRoles.recurrence, { text, values });
  const but = (): string => {
    for (const [id, at] of failed) if (performance.now() - at > RETRY_MS) failed.delete(id);
    return `{${[...failed.keys()].join(',')}}`;
  };

  async function series(stopping: AbortSignal): Promise<void> {
    for (;;) {
      const waiting = await ask<Waiting>(
        'select id, revision, rule, starts_on::text, after_day::text from private.recurrences_to_settle($1::uuid[], $2)',
        [but(), String(AT_ONCE)],
      );
      if (waiting.length === 0 || stopping.aborted) return;
      for (const one of waiting) {
        try {
          const next = nextDay(one.rule, one.starts_on, one.after_day);
          await ask("select private.settle_recurrence($1, $2, nullif($3, '')::date)", [
            one.id,
            String(one.revision),
            next ?? '',
          ]);
        } catch (error) {
          if (error instanceof DatabaseTrouble) throw error;
          failed.set(one.id, performance.now());
          log.warn({ err: error, recurrence: one.id }, 'a task could not be made again; will try again in an hour');
        }
      }
    }
  }

  async function files(stopping: AbortSignal): Promise<void> {
    for (;;) {
      const [file] = await ask<{ new_id: string; from_path: string; to_path: string }>(
        'select * from private.next_file_to_copy($1::uuid[])',
        [but()],
      );
      if (file === undefined || stopping.aborted) return;
      try {
        await copyFile(services, file.from_path, file.to_path);
        await ask('select private.finish_file_copy($1, $2)', [file.new_id, file.to_path]);
      } catch (error) {
        if (error instanceof DatabaseTrouble) throw error;
        failed.set(file.new_id, performance.now());
        log.warn(
          { err: error, file: file.new_id },
          'a file of a repeated task could not be copied; will try again in an hour',
        );
      }
    }
  }

  return services.jobs.every({
    name: 'recurrences',
    channel: 'kanbase_recurrences',
    everyMs: POLL_MS,
    firstAfterMs: 0,
    async run(stopping) {
      await series(stopping);
      await files(stopping);
    },
  });
}

/** Through the public door of files; a copy that is there already was made by whoever stopped before saying so. */
async function copyFile(
  { fetch, sessions }: Pick<Services, 'fetch' | 'sessions'>,
  from: string,
  to: string,
): Promise<void> {
  const answer = await fetch('/storage/v1/object/copy', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${sessions.serviceRoleKey}`,
      apikey: sessions.serviceRoleKey,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ bucketId: 'attachments', sourceKey: from, destinationKey: to }),
  });
  if (answer.ok) return;
  const text = await answer.text();
  if (answer.status === 503) throw unreachable(null, `files answered 503: ${text.slice(0, 200)}`);
  if (!/Duplicate|already exists/i.test(text))
    throw new Error(`files answered ${answer.status}: ${text.slice(0, 200)}`);
}
