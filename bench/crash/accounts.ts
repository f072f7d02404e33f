// Accounts that are made while all goes down, sessions that are refreshed again and again, and sessions that are ended; and afterwards
// whether what was acknowledged of them holds.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { asCaller, ask, type HttpResponse } from '../ask.ts';
import { type Door, type Person, password, taken } from '../plant.ts';
import type { Chain, Ledger } from './ledger.ts';
import { send, type Writer } from './send.ts';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly user: { readonly id: string };
}

/** Until a node has heard, or read, that a session has ended. */
const outWithinMs = 5000;

export async function makeAccount(writer: Writer): Promise<Person | null> {
  const { door, ledger, guests } = writer;
  const email = `${randomUUID()}@bench.test`;
  ledger.accounts.set(email, 'unknown');
  const question = { method: 'POST', path: '/auth/v1/signup', body: JSON.stringify({ email, password }) };
  const answer = await send(writer, 'account made', question, door.anonKey);
  if (answer === null) return null;
  ledger.accounts.set(email, 'there');
  const { access_token: token, refresh_token: refreshToken, user } = taken<Tokens>(answer);
  const person = { id: user.id, email, token, refreshToken };
  guests.push(person);
  return person;
}

/** Whose answer was lost comes again with the token it has: it is good until its successor is used. */
export async function refresh(writer: Writer): Promise<void> {
  const { door, ledger, guests } = writer;
  if (writer.chain === null) {
    await makeAccount(writer);
    const person = guests.pop();
    if (person === undefined) return;
    writer.chain = { person, refreshToken: person.refreshToken };
    ledger.chains.push(writer.chain);
  }
  const answer = await send(writer, 'token refreshed', refreshment(writer.chain), door.anonKey);
  if (answer !== null) writer.chain.refreshToken = taken<Tokens>(answer).refresh_token;
}

export async function endSession(writer: Writer): Promise<void> {
  const { ledger, guests } = writer;
  const guest = guests.shift();
  if (guest === undefined) return;
  const question = { method: 'POST', path: '/auth/v1/logout?scope=local' };
  if ((await send(writer, 'session ended', question, guest.token)) !== null) ledger.ended.push(guest);
}

const refreshment = ({ refreshToken }: Chain) => ({
  method: 'POST',
  path: '/auth/v1/token?grant_type=refresh_token',
  body: JSON.stringify({ refresh_token: refreshToken }),
});

/** What is lost of them. A session that goes on goes on from the token of the answer. */
export async function checkAccounts(door: Door, { accounts, chains, ended }: Ledger): Promise<string[]> {
  const lost: string[] = [];
  const identity = (question: { method: string; path: string; body: string }): Promise<HttpResponse> =>
    ask(door.agent, door.url, { ...question, headers: asCaller(door.anonKey, door.anonKey) });
  for (const [email, known] of accounts) {
    if (known !== 'there') continue;
    const body = JSON.stringify({ email, password });
    const { status } = await identity({ method: 'POST', path: '/auth/v1/token?grant_type=password', body });
    if (status !== 200) lost.push(`account ${email}, which signs in with ${status}`);
  }
  for (const chain of chains) {
    const answer = await identity(refreshment(chain));
    if (answer.status === 200) chain.refreshToken = taken<Tokens>(answer).refresh_token;
    else lost.push(`the session of ${chain.person.email}, whose refresh token is answered with ${answer.status}`);
  }
  for (const { email, token, refreshToken } of ended) {
    const { status } = await identity(refreshment({ refreshToken } as Chain));
    if (status !== 400) lost.push(`the end of the session of ${email}, whose refresh token is answered with ${status}`);
    if (!(await isOut(door, token))) lost.push(`the end of the session of ${email}, who still reads`);
  }
  return lost;
}

async function isOut(door: Door, token: string): Promise<boolean> {
  const question = { method: 'GET', path: '/rest/v1/projects?limit=1', headers: asCaller(door.anonKey, token) };
  for (const until = performance.now() + outWithinMs; ; await pause(50)) {
    const { status } = await ask(door.agent, door.url, question);
    if (status === 401) return true;
    if (performance.now() > until) return false;
  }
}
