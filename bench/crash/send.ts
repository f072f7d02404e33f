// Sends one request of a writer and records its outcome in the ledger: acknowledged, refused or unknown.

import { setTimeout as pause } from 'node:timers/promises';
import { asCaller, ask, type HttpRequest, type HttpResponse, NoResponse } from '../ask.ts';
import type { Door, Person, Planted } from '../plant.ts';
import type { Dice } from '../seeded.ts';
import type { Chain, Kind, Ledger, Upload } from './ledger.ts';

export interface Writer {
  readonly door: Door;
  readonly planted: Planted;
  readonly ledger: Ledger;
  readonly dice: Dice;
  readonly who: Person;
  /** Ids of tasks that this writer added. */
  readonly tasks: string[];
  /** Comments that this writer added and has not removed. */
  readonly comments: { readonly id: string; readonly body: string }[];
  /** People who are signed in and whose session may be ended. */
  readonly guests: Person[];
  chain: Chain | null;
  upload: Upload | null;
  /** The task in which a number is raised. */
  counter: string | null;
  isOver(): boolean;
}

/** Null: nobody knows, or it was refused by a server that lives, in words that say to come again. */
export async function send(
  { door, ledger, who }: Writer,
  /** Null where nothing is written. */
  kind: Kind | null,
  question: HttpRequest,
  token = who.token,
): Promise<HttpResponse | null> {
  const sentAt = performance.now();
  try {
    const answer = await ask(door.agent, door.url, {
      ...question,
      headers: asCaller(door.anonKey, token, question.headers),
    });
    if (answer.status < 300) {
      if (kind === null) return answer;
      ledger.sentAt.push(sentAt);
      ledger.kinds.set(kind, (ledger.kinds.get(kind) ?? 0) + 1);
      return answer;
    }
    const words = `${answer.status} ${answer.body.toString().slice(0, 200)}`;
    if (answer.status !== 503 && answer.status !== 507)
      ledger.faults.push(`${question.method} ${question.path}: ${words}`);
    count(ledger, words.replaceAll(/[0-9a-f-]{36}/g, '…'));
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    if (error.late) ledger.faults.push(error.message);
    count(ledger, 'the connection broke');
  } finally {
    ledger.answered.push({ at: performance.now(), ms: performance.now() - sentAt });
  }
  // Whoever is refused comes again in a moment.
  await pause(20);
  return null;
}

function count({ refusals }: Ledger, what: string): void {
  refusals.set(what, (refusals.get(what) ?? 0) + 1);
}
