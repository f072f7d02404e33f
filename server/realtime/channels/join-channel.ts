// A join: who asks, whether they may, and what they are sent first. Throws errors; the socket sends the reply.

import type { Session } from '../../session/types.ts';
import { bindingId } from '../changes/delivery/read-filter.ts';
import { RealtimeError } from '../errors.ts';
import type { Realtime } from '../realtime.ts';
import { frameOf } from '../sockets/frame.ts';
import type { Message } from '../sockets/messages.ts';
import { writeBroadcast } from '../sockets/messages.ts';
import type { Rights } from '../topics/authorize-topic.ts';
import type { StoredMessage } from '../topics/message-store.ts';
import { Channel, type Line } from './channel.ts';
import { type JoinConfig, readJoinConfig } from './join-config.ts';
import { readAgain, readToken } from './read-token.ts';

export interface Joined {
  readonly channel: Channel;
  readonly response: unknown;
  /** What is sent after the answer. */
  begin(): void;
}

export async function joinChannel(
  realtime: Realtime,
  line: Line,
  message: Message,
  keySession: Session,
): Promise<Joined> {
  const name = message.topic.slice('realtime:'.length);
  if (name === '') throw new RealtimeError('TopicNameRequired', 'You must provide a topic name');
  const config = readJoinConfig(message.payload);
  if (realtime.settings.privateOnly && !config.isPrivate)
    throw new RealtimeError('PrivateOnly', 'This project only allows private channels');
  // The key of the socket may have ended since it was opened.
  const session = await (config.token === null
    ? readAgain(realtime.sessions, keySession)
    : readToken(realtime.sessions, config.token));
  const listens = config.isPrivate ? await rightsToListen(realtime, session, name) : null;
  const replays = await messagesToReplay(realtime, config, name, listens);
  const channel = new Channel(realtime, line, {
    topic: message.topic,
    joinRef: message.joinRef,
    config,
    session,
    listens,
  });
  channel.replayed = new Set(replays.map(({ id }) => id));
  if (config.waitMs !== null && config.changes.length > 0) await realtime.changes.subscribeNow(channel, config);
  return {
    channel,
    response: { postgres_changes: config.changes.map((binding) => ({ ...binding, id: bindingId(binding) })) },
    begin: () => begin(realtime, channel, config, replays),
  };
}

async function rightsToListen(realtime: Realtime, session: Session, name: string): Promise<Rights> {
  const rights = await realtime.rights.listen(session.caller, name);
  if (rights.broadcast || rights.presence) return rights;
  throw new RealtimeError('Unauthorized', `You do not have permissions to read from this Channel topic: ${name}`);
}

async function messagesToReplay(
  realtime: Realtime,
  { replay, isPrivate }: JoinConfig,
  name: string,
  listens: Rights | null,
): Promise<StoredMessage[]> {
  if (replay === null) return [];
  if (!isPrivate) throw new RealtimeError('UnableToReplayMessages', 'Replay is not allowed for public channels');
  if (!listens?.broadcast)
    throw new RealtimeError('Unauthorized', `You do not have permissions to read from this Channel topic: ${name}`);
  return realtime.messages.replay(name, replay.since, replay.limit);
}

function begin(realtime: Realtime, channel: Channel, config: JoinConfig, replays: readonly StoredMessage[]): void {
  for (const { broadcast } of replays) {
    const written = writeBroadcast(channel.version, channel.topic, broadcast);
    if (written !== null) channel.send(frameOf(written));
  }
  channel.sendPresenceState();
  if (config.changes.length > 0) {
    if (config.waitMs === null) void realtime.changes.subscribe(channel, config);
    else channel.system('postgres_changes', 'ok', 'Subscribed to PostgreSQL');
  }
  if (config.replicationReady) void realtime.changes.sayWhenReady(channel);
}
