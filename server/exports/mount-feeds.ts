// /ical/<token>.ics: calendar feed under a secret address. Each request asks the data door with the claims of the feed's owner, so policies decide
// what it shows, and it is empty once the membership or the account ends.

import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Temporal } from 'temporal-polyfill';
import { readFilter, settleFilter } from '../../contract/read-view.ts';
import { queryOf } from '../../contract/view-query.ts';
import { type Group, noFilter } from '../../contract/views.ts';
import { roomRoles } from '../database/room-roles.ts';
import { described } from '../http/describe-routes.ts';
import { inPath, NOBODY, response } from '../http/open-api.ts';
import { readPath } from '../http/read-parameters.ts';
import { networkOf } from '../limits/network-of.ts';
import type { Limit } from '../limits/types.ts';
import type { Services } from '../services.ts';
import { type CalendarTask, writeCalendar } from './write-calendar.ts';

/** Calendar programs ask a few times an hour. */
const perAddress: Limit = { name: 'calendar feed', points: 60, windowSeconds: 3600 };
/** Guesses, and whoever asks for many. */
const perClient: Limit = { name: 'calendar feeds of one address', points: 300, windowSeconds: 300, perNode: true };
const mostTasks = 2000;

interface Feed {
  readonly id: string;
  readonly user_id: string;
  readonly kind: 'mine' | 'project' | 'view';
  readonly name: string;
  readonly project_id: string | null;
  readonly filter: unknown;
  readonly time_zone: string;
}

const readCalendar = {
  operationId: 'readCalendar',
  tags: ['Calendars'],
  summary: 'A calendar under its secret address',
  security: NOBODY,
  parameters: [inPath('file', 'The secret, then .ics')],
  responses: {
    200: { description: 'iCalendar', content: { 'text/calendar': {} } },
    304: response('Unchanged'),
    404: response('No calendar, or none any more'),
    429: response('Too often; `Retry-After` says when again'),
  },
};

export async function mountFeeds(app: FastifyInstance, services: Services): Promise<void> {
  const { database, limits, siteUrl } = services;
  app.get('/ical/:file', described(readCalendar), async (request, reply) => {
    reply.headers({
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-cache',
    });
    const { file } = readPath(request, readCalendar);
    const [, token] = /^([\w-]{43})\.ics$/.exec(file) ?? [];
    const plain = (status: number, words: string) => reply.status(status).type('text/plain; charset=utf-8').send(words);
    const none = () => plain(404, 'There is no calendar at this address any more.\n');
    const busy = (seconds: number) =>
      plain(429, 'This calendar is asked for too often.\n').header('retry-after', String(seconds));
    const client = await limits.take(perClient, networkOf(request.ip));
    if (!client.allowed) return busy(client.retryAfterSeconds);
    if (token === undefined) return none();
    const [feed] = await database.objectsAs<Feed>(roomRoles.feeds, {
      text: 'select * from private.open_calendar_feed($1)',
      values: [token],
    });
    if (feed === undefined) return none();
    const often = await limits.take(perAddress, feed.id);
    if (!often.allowed) return busy(often.retryAfterSeconds);

    const tasks = await tasksOf(feed, services);
    const text = writeCalendar(feed.name, tasks, siteUrl);
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
    const latest = Math.max(0, ...tasks.map((task) => Date.parse(task.updated_at)));
    reply.header('etag', etag);
    if (latest > 0) reply.header('last-modified', new Date(latest).toUTCString());
    const known = request.headers['if-none-match'] ?? '';
    if (known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)) return reply.status(304).send();
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', 'inline; filename="kanbase.ics"')
      .send(text);
  });
}

async function tasksOf(feed: Feed, { fetch, sessions }: Services): Promise<readonly CalendarTask[]> {
  const today = Temporal.Now.plainDateISO(feed.time_zone).toString();
  const startOf = (day: string): string =>
    Temporal.PlainDate.from(day).toZonedDateTime(feed.time_zone).toInstant().toString();
  const filter: Group =
    feed.kind === 'mine'
      ? { all: [{ property: 'assignee', is: 'is', value: feed.user_id }] }
      : feed.kind === 'view'
        ? readFilter(feed.filter ?? noFilter)
        : noFilter;
  const query = queryOf(settleFilter(filter, today, feed.user_id), startOf);
  const columns =
    'id,number,title,start_date,due_date,completed_at,created_at,updated_at,project:projects!inner(id,key,name)';
  const parameters = new URLSearchParams({
    select: [columns, ...query.embeds].join(),
    archived_at: 'is.null',
    'project.archived_at': 'is.null',
    order: 'due_date.desc.nullslast,id',
    limit: String(mostTasks),
    and: `(or(due_date.not.is.null,start_date.not.is.null)${query.where === '' ? '' : `,or(${query.where})`})`,
    ...(feed.project_id === null ? {} : { project_id: `eq.${feed.project_id}` }),
  });
  for (const [column, operator, value] of query.narrowing) parameters.append(column, `${operator}.${value}`);
  const token = await sessions.sign({ sub: feed.user_id, role: 'authenticated', aud: 'authenticated' }, 60);
  const answer = await fetch(`/rest/v1/tasks?${parameters}`, {
    headers: { apikey: sessions.anonKey, Authorization: `Bearer ${token}` },
  });
  if (!answer.ok)
    throw new Error(
      `the data door answered a calendar feed with ${answer.status}: ${(await answer.text()).slice(0, 300)}`,
    );
  return (await answer.json()) as readonly CalendarTask[];
}
