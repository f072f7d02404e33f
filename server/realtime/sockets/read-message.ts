// Turns frames of clients into messages. A text frame is checked byte by byte first; only its short parts are parsed, and the payload where it is
// used. The payload of a broadcast is passed on as text.

import { checkJson, parseJson } from '../../json/parse-json.ts';
import type { JsonVisitor } from '../../json/scan-json.ts';
import { BinaryPush, type Broadcast, JsonPayload, kinds, type Message, type Version } from './messages.ts';

/** What is passed on unread. */
const broadcastBounds = { depth: 200, values: 250_000 };
/** What is parsed: joins, presence, tokens. */
const payloadBounds = { depth: 100, values: 20_000 };
const headBounds = { depth: 1, values: 1 };
/** Topics, events and references are short. */
const longestPart = 4096;
const names = ['join_ref', 'ref', 'topic', 'event', 'payload'];

/** Throws, or rejects, when the frame is no message, or holds more than is read. A long one takes its time. */
export function readMessage(version: Version, data: Buffer, isBinary: boolean): Message | Promise<Message> {
  if (isBinary) return readBinary(data);
  const parts = version === '2.0.0' ? new ListParts(data) : new ObjectParts(data);
  const checking = checkJson(data, broadcastBounds, parts);
  return checking === undefined ? messageOf(parts.found) : checking.then(() => messageOf(parts.found));
}

function messageOf(found: readonly (Buffer | undefined)[]): Message {
  const [joinRef, ref, topic, event] = names.slice(0, 4).map((_, index) => short(found[index]));
  if (typeof topic !== 'string' || typeof event !== 'string') throw new Error('a message has a topic and an event');
  const payload = found[4];
  return {
    joinRef: refOf(joinRef),
    ref: refOf(ref),
    topic,
    event,
    payload:
      event === 'broadcast'
        ? new JsonPayload(payload?.toString() ?? 'null')
        : payload && parseJson(payload, payloadBounds),
  };
}

function short(part: Buffer | undefined): unknown {
  if (part === undefined || part.length > longestPart || part[0] === 123 || part[0] === 91) return undefined;
  return parseJson(part, headBounds);
}

function refOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : null;
}

/** The five members of a list, as bytes. */
class ListParts implements JsonVisitor {
  readonly found: Buffer[] = [];
  readonly #data: Buffer;

  constructor(data: Buffer) {
    this.#data = data;
  }

  opened(level: number, isObject: boolean): void {
    if (level === 0 && isObject) throw new Error('a message is an array of five');
  }

  name(): void {}

  value(level: number, start: number, end: number): void {
    if (level === 0 && this.found.length < names.length) throw new Error('a message is an array of five');
    if (level === 1 && this.found.length < names.length) this.found.push(this.#data.subarray(start, end));
  }
}

/** The same five of an object, by their names; the last of a name counts. */
class ObjectParts implements JsonVisitor {
  readonly found: (Buffer | undefined)[] = [];
  readonly #data: Buffer;
  #index = -1;

  constructor(data: Buffer) {
    this.#data = data;
  }

  opened(level: number, isObject: boolean): void {
    if (level === 0 && !isObject) throw new Error('a message is an object');
  }

  name(level: number, start: number, end: number): void {
    if (level === 0)
      this.#index = end - start > 20 ? -1 : names.indexOf(this.#data.toString('utf8', start + 1, end - 1));
  }

  value(level: number, start: number, end: number): void {
    if (level === 0 && this.#data[start] !== 123) throw new Error('a message is an object');
    if (level === 1 && this.#index >= 0) this.found[this.#index] = this.#data.subarray(start, end);
  }
}

function readBinary(data: Buffer): Message | Promise<Message> {
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
      meta: meta === '' ? null : (parseJson(meta, payloadBounds) as Record<string, unknown>),
    };
    const checking = broadcast.encoding === 'json' ? checkJson(broadcast.payload, broadcastBounds) : undefined;
    const payload = new BinaryPush(broadcast);
    const message = { joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', payload };
    return checking === undefined ? message : checking.then(() => message);
  }
  if (kind === kinds.push) {
    const { texts, end } = cut(5, sizes(4));
    const [joinRef = '', ref = '', topic = '', event = ''] = texts;
    return { joinRef: joinRef || null, ref: ref || null, topic, event, payload: Buffer.from(data.subarray(end)) };
  }
  throw new Error(`a binary frame of kind ${kind} is not known`);
}
