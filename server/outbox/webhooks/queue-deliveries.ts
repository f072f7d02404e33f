// The consumer `webhooks`: finds the webhooks that an event goes to, by its type and their filters, and queues a delivery for each. Events that were
// read and not saved are read again.

import { settleFilter, WrongView } from '../../../contract/read-view.ts';
import { conditionsIn, type Group } from '../../../contract/views.ts';
import { roomRoles } from '../../database/room-roles.ts';
import { sql, statement } from '../../database/sql.ts';
import type { Consumer, ConsumerMeans } from '../outbox.ts';
import { queryOfWebhook, readWebhookFilter } from './read-webhook-filter.ts';
import { type OutboxEvent, writePayload } from './write-payload.ts';

const most = 200;
/** In place of the maker, where there is none: "me" is nobody. */
const nobody = '00000000-0000-0000-0000-000000000000';
/** What the data door answers with for reasons of its own, or for now. */
const passingStatuses: readonly number[] = [401, 403, 408, 425, 429];
const mostTries = 3;

/** The data door can't read the filter: that of one webhook, which no other waits for. */
class RefusedFilter extends Error {}

interface Hook {
  readonly id: string;
  readonly project_id: string;
  readonly events: readonly string[];
  readonly filter: unknown;
  readonly includes_restricted: boolean;
  readonly created_by: string | null;
}

interface Read {
  readonly batch: string;
  readonly since: number;
  readonly past: number;
  readonly events: readonly OutboxEvent[];
  readonly webhooks: readonly Hook[];
}

interface Target {
  readonly webhook_id: string;
  readonly place: number;
  /** Only where the webhook was told of the task before. */
  readonly was_told?: true;
}

export const queueDeliveries: Consumer = {
  name: 'webhooks',
  async consume(means) {
    const { database, siteUrl } = means;
    const run = <T>(fragment: ReturnType<typeof sql>) => database.objectsAs<T>(roomRoles.outbox, statement(fragment));
    const [row] = await run<{ read: Read | null }>(sql`select private.read_webhook_events(${most}::integer) as read`);
    const read = row?.read ?? null;
    if (read === null) return false;
    const targets = (await Promise.all(read.webhooks.map((hook) => targetsOf(means, hook, read.events)))).flat();
    const places = new Set(targets.map(({ place }) => place));
    const payloads = Object.fromEntries(
      read.events.filter(({ place }) => places.has(place)).map((event) => [event.id, writePayload(event, siteUrl)]),
    );
    await run(sql`
      select private.save_webhook_deliveries(${read.batch}, ${read.since}::bigint, ${read.past}::bigint, ${JSON.stringify(payloads)}::jsonb,
        ${JSON.stringify(targets)}::jsonb)::text as queued`);
    return true;
  },
};

async function targetsOf(means: ConsumerMeans, hook: Hook, events: readonly OutboxEvent[]): Promise<readonly Target[]> {
  const wanted = events.filter(
    (event) =>
      event.project_id === hook.project_id &&
      hook.events.includes(event.type) &&
      (hook.includes_restricted || !event.is_restricted),
  );
  const target = ({ place }: OutboxEvent): Target => ({ webhook_id: hook.id, place });
  if (wanted.length === 0) return [];
  const isGone = ({ type }: OutboxEvent): boolean => type === 'task.deleted' || type === 'task.moved_out';
  const ids = new Set(wanted.flatMap((event) => (event.task_id === null || isGone(event) ? [] : [event.task_id])));
  let passing: ReadonlySet<string>;
  let late: ReadonlySet<number>;
  try {
    const filter = readWebhookFilter(hook.filter);
    if (conditionsIn(filter).length === 0) return wanted.map(target);
    passing = ids.size === 0 ? ids : await passingTasks(means, hook, filter, [...ids]);
    const missed = wanted.filter(({ task_id: id }) => id !== null && ids.has(id) && !passing.has(id));
    late = missed.length === 0 ? new Set() : await passingEvents(means, hook, missed);
  } catch (error) {
    if (!(error instanceof WrongView || error instanceof RefusedFilter)) throw error;
    await means.database.objectsAs(
      roomRoles.outbox,
      statement(sql`select private.switch_off_webhook(${hook.id}::uuid, 'filter')::text as off`),
    );
    means.log.info({ webhook: hook.id, err: error }, 'the filter of a webhook can’t be read');
    return [];
  }
  const places = new Set<string>();
  return wanted.flatMap((event): Target[] => {
    const { task_id: id, place } = event;
    if (id === null || passing.has(id)) return [target(event)];
    if (isGone(event)) return [places.has(id) ? target(event) : { ...target(event), was_told: true }];
    if (!late.has(place)) return [];
    places.add(id);
    return [target(event)];
  });
}

const utcDay = (): string => new Date().toISOString().slice(0, 10);

/** Of tasks that are gone already, as their events have them. */
async function passingEvents(
  { database }: ConsumerMeans,
  hook: Hook,
  events: readonly OutboxEvent[],
): Promise<ReadonlySet<number>> {
  const places = `{${events.map(({ place }) => place).join()}}`;
  const text = sql`
    select place::float8 as place from private.events_of_filter(${hook.id}::uuid, ${places}::bigint[], ${utcDay()}::date) as place`;
  const rows = await database.objectsAs<{ place: number }>(roomRoles.outbox, statement(text));
  return new Set(rows.map(({ place }) => place));
}

/** By the data door, which reads the filter of a view as everywhere; days are those of UTC. */
async function passingTasks(
  { ask }: ConsumerMeans,
  hook: Hook,
  filter: Group,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const query = queryOfWebhook(settleFilter(filter, utcDay(), hook.created_by ?? nobody));
  const parameters = new URLSearchParams({
    select: ['id', ...query.embeds].join(),
    project_id: `eq.${hook.project_id}`,
    id: `in.(${ids.join()})`,
    ...(query.where === '' ? {} : { or: `(${query.where})` }),
  });
  for (const [column, operator, value] of query.narrowing) parameters.append(column, `${operator}.${value}`);
  for (let tries = 1; ; tries++) {
    const { status, body } = await ask(`/rest/v1/tasks?${parameters}`);
    if (status === 200) return new Set((JSON.parse(body) as readonly { id: string }[]).map(({ id }) => id));
    const said = `the data door answered the filter of a webhook with ${status}: ${body.slice(0, 300)}`;
    const isRefused = status >= 400 && status < 500 && !passingStatuses.includes(status);
    // Too slow, time after time: the others go on without it.
    if (isRefused || (status === 504 && tries === mostTries)) throw new RefusedFilter(said);
    if (status < 500 || tries === mostTries) throw new Error(said);
  }
}
