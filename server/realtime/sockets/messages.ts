// The two forms messages have on the wire: 1.0.0 is JSON objects; 2.0.0 is JSON arrays, and binary frames for
// broadcasts. Written here, read in read-message.ts.

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

/** The payload of a broadcast in a text frame: checked, and passed on as it was written. */
export class JsonPayload {
  constructor(readonly text: string) {}
}

/** A broadcast that came in a binary frame. `meta` holds what the sender asked of the server. */
export class BinaryPush {
  constructor(readonly broadcast: Broadcast) {}
}

export const kinds = { push: 0, userBroadcastPush: 3, userBroadcast: 4 };

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
