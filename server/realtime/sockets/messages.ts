// The two forms messages have on the wire: 1.0.0 is JSON objects; 2.0.0 is JSON arrays, and binary frames for
// broadcasts. Pure: frames in, messages out, and back.

export type Version = '1.0.0' | '2.0.0';

export interface Message {
  readonly joinRef: string | null;
  readonly ref: string | null;
  readonly topic: string;
  readonly event: string;
  readonly payload: unknown;
}

/** A broadcast as its sender wrote it: JSON text or bytes, passed on unread. */
export interface Broadcast {
  readonly event: string;
  readonly encoding: 'json' | 'binary';
  readonly payload: Buffer;
  readonly meta: Readonly<Record<string, unknown>> | null;
}

/** What goes to a channel: a broadcast in its parts, or the whole payload as JSON text, as a client wrote it. */
export type Sent = Broadcast | string;

/** A broadcast that came in a binary frame. `meta` holds what the sender asked of the server. */
export class BinaryPush {
  constructor(readonly broadcast: Broadcast) {}
}

const kinds = { push: 0, userBroadcastPush: 3, userBroadcast: 4 };

/** Throws when the frame is no message. */
export function readMessage(version: Version, data: Buffer, isBinary: boolean): Message {
  if (isBinary) return readBinary(data);
  const parsed: unknown = JSON.parse(data.toString('utf8'));
  if (version === '2.0.0') {
    if (!Array.isArray(parsed) || parsed.length < 5) throw new Error('a message is an array of five');
    const [joinRef, ref, topic, event, payload] = parsed as unknown[];
    return check({ joinRef: refOf(joinRef), ref: refOf(ref), topic, event, payload });
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) throw new Error('a message is an object');
  const { join_ref: joinRef, ref, topic, event, payload } = parsed as Record<string, unknown>;
  return check({ joinRef: refOf(joinRef), ref: refOf(ref), topic, event, payload });
}

function refOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : null;
}

function check(message: Omit<Message, 'topic' | 'event'> & { topic: unknown; event: unknown }): Message {
  const { topic, event } = message;
  if (typeof topic !== 'string' || typeof event !== 'string') throw new Error('a message has a topic and an event');
  return { ...message, topic, event };
}

function readBinary(data: Buffer): Message {
  const kind = data[0];
  const sizes = (count: number): number[] => Array.from({ length: count }, (_, index) => data[1 + index] ?? 0);
  const cut = (start: number, lengths: readonly number[]): { texts: string[]; end: number } => {
    let at = start;
    const texts = lengths.map((length) => {
      if (at + length > data.length) throw new Error('a binary frame is shorter than it says');
      const text = data.toString('utf8', at, at + length);
      at += length;
      return text;
    });
    return { texts, end: at };
  };
  if (kind === kinds.userBroadcastPush) {
    const { texts, end } = cut(7, sizes(5));
    const [joinRef = '', ref = '', topic = '', event = '', meta = ''] = texts;
    const broadcast: Broadcast = {
      event,
      encoding: data[6] === 1 ? 'json' : 'binary',
      payload: Buffer.from(data.subarray(end)),
      meta: meta === '' ? null : (JSON.parse(meta) as Record<string, unknown>),
    };
    if (broadcast.encoding === 'json') JSON.parse(broadcast.payload.toString('utf8'));
    return {
      joinRef: joinRef || null,
      ref: ref || null,
      topic,
      event: 'broadcast',
      payload: new BinaryPush(broadcast),
    };
  }
  if (kind === kinds.push) {
    const { texts, end } = cut(5, sizes(4));
    const [joinRef = '', ref = '', topic = '', event = ''] = texts;
    return { joinRef: joinRef || null, ref: ref || null, topic, event, payload: Buffer.from(data.subarray(end)) };
  }
  throw new Error(`a binary frame of kind ${kind} is not known`);
}

export function writeMessage(version: Version, message: Message): string {
  const { joinRef, ref, topic, event, payload } = message;
  if (version === '2.0.0') return JSON.stringify([joinRef, ref, topic, event, payload]);
  return JSON.stringify({ topic, event, payload, ref, ...(joinRef === null ? {} : { join_ref: joinRef }) });
}

/** A message from the server, with a payload that is JSON text already. */
export function writeRaw(version: Version, topic: string, event: string, payload: string): string {
  const [name, of] = [JSON.stringify(topic), JSON.stringify(event)];
  if (version === '2.0.0') return `[null,null,${name},${of},${payload}]`;
  return `{"topic":${name},"event":${of},"payload":${payload},"ref":null}`;
}

/** A broadcast for one version; null where it cannot be said (bytes in 1.0.0). */
export function writeBroadcast(version: Version, topic: string, broadcast: Sent): string | Buffer | null {
  if (typeof broadcast === 'string') return writeRaw(version, topic, 'broadcast', broadcast);
  const meta = broadcast.meta === null ? '' : JSON.stringify(broadcast.meta);
  const sizes = [Buffer.byteLength(topic), Buffer.byteLength(broadcast.event), Buffer.byteLength(meta)];
  if (version === '2.0.0' && sizes.every((size) => size < 256)) {
    const head = Buffer.from([kinds.userBroadcast, ...sizes, broadcast.encoding === 'json' ? 1 : 0]);
    return Buffer.concat([
      head,
      Buffer.from(topic),
      Buffer.from(broadcast.event),
      Buffer.from(meta),
      broadcast.payload,
    ]);
  }
  if (broadcast.encoding === 'binary') return null;
  const payload =
    `{"type":"broadcast","event":${JSON.stringify(broadcast.event)},"payload":${broadcast.payload.toString('utf8')}` +
    `${meta === '' ? '' : `,"meta":${meta}`}}`;
  return writeRaw(version, topic, 'broadcast', payload);
}
