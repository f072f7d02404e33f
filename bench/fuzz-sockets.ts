// Fuzzes beyond HTTP requests: web sockets with arbitrary frames, and malformed HTTP.

import { connect } from 'node:net';
import { type Known, noise, wildValue } from './fuzz-values.ts';
import { openClient } from './realtime-client.ts';
import type { Dice } from './seeded.ts';

/** What became of it: empty when all went well. */
export interface SocketOutcome {
  readonly messages: number;
  readonly fault: string;
}

const timeoutMs = 20_000;
const events = ['phx_join', 'phx_leave', 'heartbeat', 'access_token', 'broadcast', 'presence', 'nonsense', 'phx_close'];

/** A socket on which some messages are said, most of them nearly right; it is closed by either side in the end. */
export async function fuzzSocket(url: string, dice: Dice, known: Known): Promise<SocketOutcome> {
  const version = dice.pick(['1.0.0', '2.0.0', '2.0.0', '3']);
  const key = dice.chance(0.95) ? known.anonKey : 'x';
  const opened = await openClient({ url, anonKey: key }, version).catch((refusal: Error) =>
    refusal.message.slice(0, 12),
  );
  if (typeof opened === 'string') return { messages: 0, fault: opened.includes(' 5') ? opened : '' };
  let fault = '';
  opened.onFrame = (bytes, start, end) => {
    if (bytes.subarray(start, end).includes('UnknownErrorOnChannel'))
      fault = bytes.toString('utf8', start, end).slice(0, 500);
  };
  const messages = 5 + dice.below(15);
  for (let sent = 0; sent < messages && !opened.socket.destroyed; sent++) {
    if (dice.chance(0.05))
      opened.socket.write(Buffer.concat([Buffer.from([0x82, 0x80 | 5, 0, 0, 0, 0]), dice.bytes(5)]));
    else if (dice.chance(0.02)) opened.socket.write(dice.bytes(20));
    else opened.send(dice.chance(0.1) ? noise(dice).slice(0, 60_000).toWellFormed() : message(version, dice, known));
  }
  const closed = await Promise.race([opened.close().then(() => true), late()]);
  opened.socket.destroy();
  return { messages, fault: closed ? fault : 'a socket was not closed' };
}

function message(version: string, dice: Dice, known: Known): string {
  const topic = dice.chance(0.8) ? `realtime:${dice.pick(['a', 'b', ...known.ids.slice(0, 3)])}` : noise(dice);
  const event = dice.pick(events);
  const payload = dice.chance(0.2) ? wildValue(dice, known) : payloadOf(event, dice, known);
  const ref = dice.chance(0.9) ? String(dice.below(5)) : wildValue(dice, known);
  const text = JSON.stringify(
    version === '1.0.0' ? { topic, event, payload, ref, join_ref: ref } : [ref, ref, topic, event, payload],
  );
  return text.slice(0, 60_000);
}

function payloadOf(event: string, dice: Dice, known: Known): unknown {
  const token = dice.pick([...known.tokens, known.anonKey, 'x']);
  if (event === 'access_token') return { access_token: token };
  if (event === 'broadcast') return { type: 'broadcast', event: 'e', payload: wildValue(dice, known) };
  if (event === 'presence')
    return { type: 'presence', event: dice.pick(['track', 'untrack', 'x']), payload: wildValue(dice, known) };
  if (event !== 'phx_join') return {};
  const binding = {
    event: dice.pick(['*', 'INSERT', 'x']),
    schema: dice.pick(['public', 'auth', '*']),
    table: dice.pick(['tasks', 'task_comments', '*', 'nonsense']),
    filter: dice.pick([undefined, `project_id=eq.${dice.pick(known.ids)}`, noise(dice)]),
  };
  return {
    access_token: token,
    config: {
      broadcast: {
        ack: dice.chance(0.5),
        self: dice.chance(0.5),
        replay: dice.chance(0.1) ? wildValue(dice, known) : undefined,
      },
      presence: { key: dice.pick(['', 'k', noise(dice)]), enabled: dice.chance(0.5) },
      postgres_changes: dice.chance(0.8) ? [binding] : wildValue(dice, known),
      private: dice.chance(0.3),
    },
  };
}

/** Bytes on a connection; whatever is answered, it is no 5xx, and the connection ends. */
export async function fuzzBytes(url: string, dice: Dice, known: Known): Promise<SocketOutcome> {
  const { hostname, port } = new URL(url);
  const head = `${dice.pick(['GET', 'POST', 'BREW', 'get', ''])} ${dice.pick(['/rest/v1/tasks', '/', '*', '/storage/v1/object/attachments/', 'http://x/'])}`;
  const bytes = Buffer.concat([
    Buffer.from(head),
    dice.bytes(dice.below(20)),
    Buffer.from(
      ` HTTP/${dice.pick(['1.1', '1.0', '2.0', '9'])}\r\nhost: x\r\nconnection: close\r\napikey: ${known.anonKey}\r\n`,
    ),
    Buffer.from(
      dice.pick([
        '',
        'content-length: 5\r\n',
        'content-length: -1\r\n',
        'transfer-encoding: chunked\r\n',
        'upgrade: h2c\r\n',
      ]),
    ),
    Buffer.from('x-noise: '),
    dice.bytes(dice.below(30)),
    Buffer.from('\r\n\r\n'),
    Buffer.from(dice.pick(['', 'hello', '5\r\nhello\r\n0\r\n\r\n', 'zz\r\n'])),
  ]);
  const answer = await Promise.race([
    new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(port), hostname, () => socket.end(bytes));
      socket.on('data', (part) => {
        text += part.toString('latin1');
      });
      socket.on('error', () => resolve(text));
      socket.on('close', () => resolve(text));
    }),
    late().then(() => null),
  ]);
  if (answer === null) return { messages: 0, fault: 'a connection was not closed' };
  return { messages: 0, fault: /^HTTP\/1\.1 5/.test(answer) ? answer.slice(0, 500) : '' };
}

function late(): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), timeoutMs).unref());
}
