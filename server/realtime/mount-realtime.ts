// /realtime/v1: sockets for channels, changes and presence, and two HTTP endpoints that broadcast.

import type { FastifyInstance } from 'fastify';
import { bearerChallenge } from '../http/bearer-challenge.ts';
import type { Services } from '../services.ts';
import { mountBroadcast } from './api/mount-broadcast.ts';
import { Changes } from './changes/changes.ts';
import { Tables } from './changes/tables.ts';
import type { Channel } from './channels/channel.ts';
import type { Realtime } from './realtime.ts';
import { openSockets } from './sockets/open-sockets.ts';
import { TopicRights } from './topics/authorize-topic.ts';
import { MessageStore } from './topics/message-store.ts';
import { Topics } from './topics/topics.ts';

/** Private channels are asked for their rights again so long after a membership has changed: several at a time. */
const recheckMs = 100;
const recheckAtOnce = 8;

export async function mountRealtime(app: FastifyInstance, services: Services): Promise<void> {
  const { config, database, sessions, metrics } = services;
  const log = services.log.child({ room: 'realtime' });
  const settings = config.realtime;
  const tables = new Tables(database);
  const rights = new TopicRights(database, tables);
  const topics = new Topics(database, log);
  const messages = new MessageStore(database, settings.messagesDays);
  let rechecking: NodeJS.Timeout | null = null;
  let underway = false;
  let decided = false;

  const changes = new Changes({
    database,
    tables,
    config,
    messages: () => rights.messages(),
    onMessages: (rows) => {
      for (const row of rows) messages.deliver(row, topics);
    },
    onDecided: () => decide(),
    log,
  });
  /** Who may hear and speak where can have changed. */
  const decide = (): void => {
    rights.expire();
    decided = true;
    recheckSoon();
  };
  /** One at a time: what is decided during one has another follow, which asks again for all that are joined then. */
  const recheckSoon = (): void => {
    if (underway || !decided || changes.isClosed) return;
    rechecking ??= setTimeout(() => {
      rechecking = null;
      decided = false;
      underway = true;
      void recheck([...sockets.channels()]).finally(() => {
        underway = false;
        recheckSoon();
      });
    }, recheckMs);
  };
  const challenge = bearerChallenge(services.config.server.apiExternalUrl ?? services.siteUrl, '/realtime/v1');
  const realtime: Realtime = { settings, database, sessions, topics, rights, messages, changes, challenge, log };

  const sockets = openSockets(app.server, realtime, () => {
    changes.start();
    void topics.carrier.start().catch((error: unknown) => log.warn({ err: error }, 'other nodes cannot be heard yet'));
  });
  /** Where no changes are followed, nothing tells of memberships. */
  const recheckAgain = (): void => {
    if (changes.isClosed) return;
    rechecking = setTimeout(() => {
      void recheck([...sockets.channels()]).finally(recheckAgain);
    }, settings.pingSeconds * 1000).unref();
  };
  if (settings.source === 'off') recheckAgain();
  const stopHearing = sessions.onEnd((ended) => {
    rights.expire();
    for (const channel of sockets.channels())
      if (channel.sessionId !== undefined && ended.has(channel.sessionId))
        channel.shutDown('The session of this token has ended');
  });
  const schemaChanged = (): void => {
    changes.forgetSchema();
    decide();
  };
  const stopListening = await database.listen('pgrst', schemaChanged).catch(() => async () => undefined);
  await messages.sweepRegularly(services.jobs);

  metrics.gauge('kanbase_realtime_sockets', 'Sockets that are open.', () => sockets.count());
  metrics.gauge('kanbase_realtime_topics', 'Topics that somebody has joined.', () => topics.size);
  metrics.gauge('kanbase_realtime_nodes', 'Other nodes on the same database.', () => topics.carrier.peers);
  metrics.gauge('kanbase_realtime_wal_lag_bytes', 'WAL that this process has not read yet.', () => changes.lag);
  metrics.gauge(
    'kanbase_realtime_answers',
    'Callers whose rights to the rows of a table are remembered.',
    () => changes.known,
  );
  metrics.gauge('kanbase_realtime_from_log', "1 when changes come from Postgres' log, 0 otherwise.", () =>
    changes.source === 'log' ? 1 : 0,
  );

  await mountBroadcast(app, realtime);

  app.addHook('preClose', async () => {
    stopHearing();
    await sockets.close();
  });
  app.addHook('onClose', async () => {
    if (rechecking !== null) clearTimeout(rechecking);
    await Promise.all([stopListening(), changes.close(), topics.carrier.close()]);
  });
}

async function recheck(channels: readonly Channel[]): Promise<void> {
  const waiting = channels.filter(({ config }) => config.isPrivate);
  for (let start = 0; start < waiting.length; start += recheckAtOnce)
    await Promise.all(waiting.slice(start, start + recheckAtOnce).map((channel) => channel.checkRights()));
}
