// Sessions over two versions of the server: one that is refreshed all the time, by whichever node its turn falls to, and what either version
// must make of what the other has given out.

import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { asCaller, ask, type HttpResponse } from '../ask.ts';
import { type Door, signUp, taken } from '../plant.ts';

const agent = new Agent({ keepAlive: false });
const refreshEveryMs = 500;

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

export interface Refreshing {
  readonly times: number;
  readonly failures: readonly string[];
  stop(): Promise<void>;
}

/** Each time with the token that the time before gave. */
export function keepRefreshing(door: Door, first: string): Refreshing {
  const failures: string[] = [];
  let [working, times, token] = [true, 0, first];
  const running = (async () => {
    while (working) {
      const answer = await refresh(door, token);
      if (answer?.status === 200) {
        token = taken<Tokens>(answer).refresh_token;
        times++;
      } else failures.push(`refreshing: ${answer?.status ?? 'no answer'} ${answer?.body.toString() ?? ''}`);
      await pause(refreshEveryMs);
    }
  })();
  return {
    get times() {
      return times;
    },
    failures,
    async stop() {
      working = false;
      await running;
    },
  };
}

/** What did not go as it should between a node of either version, with both serving. */
export async function tryBothWays(one: Door, other: Door): Promise<string[]> {
  return [...(await tryFrom(one, other)), ...(await tryFrom(other, one))];
}

async function tryFrom(here: Door, there: Door): Promise<string[]> {
  const wrong: string[] = [];
  const expect = (what: string, answer: HttpResponse | null, isGood: (status: number) => boolean): void => {
    if (!isGood(answer?.status ?? 0))
      wrong.push(`${what}, ${here.url} → ${there.url}: ${answer?.status ?? 'no answer'} ${answer?.body.toString()}`);
  };
  const isOk = (status: number): boolean => status === 200;
  const person = await signUp(here, `${randomUUID()}@bench.test`);
  expect('a token of the other version is accepted', await whoAmI(there, person.token), isOk);
  const refreshed = await refresh(there, person.refreshToken);
  expect('a session of the other version is refreshed', refreshed, isOk);
  const next = refreshed?.status === 200 ? taken<Tokens>(refreshed) : null;
  if (next === null) return wrong;
  expect('what was refreshed there is accepted here', await whoAmI(here, next.access_token), isOk);
  expect('and refreshed here', await refresh(here, next.refresh_token), isOk);
  const account = { email: person.email, password: 'correct horse battery' };
  const signedIn = await post(there, '/auth/v1/token?grant_type=password', account);
  expect('an account of the other version signs in', signedIn, isOk);
  expect('it signs out', await post(there, '/auth/v1/logout?scope=global', {}, next.access_token), isOk);
  const token = signedIn?.status === 200 ? taken<Tokens>(signedIn).refresh_token : '';
  const ended = await refresh(here, token);
  expect('a session that was ended there is refused here', ended, (status) => status >= 400 && status < 500);
  return wrong;
}

const refresh = (door: Door, token: string): Promise<HttpResponse | null> =>
  post(door, '/auth/v1/token?grant_type=refresh_token', { refresh_token: token });

function whoAmI({ url, anonKey }: Door, token: string): Promise<HttpResponse | null> {
  return ask(agent, url, { method: 'GET', path: '/auth/v1/user', headers: asCaller(anonKey, token) }).catch(() => null);
}

function post({ url, anonKey }: Door, path: string, body: object, token = anonKey): Promise<HttpResponse | null> {
  return ask(agent, url, {
    method: 'POST',
    path,
    headers: asCaller(anonKey, token),
    body: JSON.stringify(body),
  }).catch(() => null);
}
