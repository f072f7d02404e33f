// Attacker of the hostile cases: a person, their requests and sockets, and a count of the statuses that came.

import pg from 'pg';
import { WebSocket } from 'ws';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { projectId } from '../cases.ts';
import type { Stage } from '../stage.ts';
import { inParallel } from './requests.ts';

export interface Attack {
  readonly stage: Stage;
  readonly token: string;
  readonly userId: string;
  /** A project of the attacker's own, with one column and 5,000 tasks in another. */
  readonly project: string;
  readonly column: string;
  readonly large: string;
  /** No further request is begun. */
  isOver(): boolean;
  send(
    method: string,
    path: string,
    body?: string | Buffer,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** So many at a time, until it is over or all are sent. */
  repeat(atOnce: number, most: number, work: (index: number) => Promise<unknown>): Promise<void>;
  socket(): Promise<WebSocket | null>;
  readonly outcomes: Map<string, number>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface HostileCase {
  readonly name: string;
  /** It lasts so long at most, if not 5 s. */
  readonly seconds?: number;
  /** So long after it began it is in the middle, if not 1 s. */
  readonly middleMs?: number;
  /** What it needs, before anything is measured. */
  readonly prepare?: (attack: Attack) => Promise<void>;
  readonly run: (attack: Attack) => Promise<void>;
}

const someone = '00000000-0000-4000-8000-000000000001';

export async function openAttack(
  stage: Stage,
  token: string,
  userId: string,
  project: string,
  column: string,
  seconds: number,
): Promise<Attack & { end(): void }> {
  const stop = new AbortController();
  let until = performance.now() + seconds * 1000;
  const outcomes = new Map<string, number>();
  const note = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const attack = {
    stage,
    token,
    userId,
    project,
    column,
    large: projectId(3),
    outcomes,
    isOver: () => stop.signal.aborted || performance.now() >= until,
    async send(
      method: string,
      path: string,
      body?: string | Buffer,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<Answer> {
      try {
        const answer = await fetch(`${stage.url}${path}`, {
          method,
          signal: stop.signal,
          headers: {
            apikey: stage.anonKey,
            authorization: `Bearer ${token}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
        });
        const text = await answer.text();
        note(String(answer.status));
        return { status: answer.status, text };
      } catch {
        note(stop.signal.aborted ? 'given up' : 'no answer');
        return { status: 0, text: '' };
      }
    },
    repeat: (atOnce: number, most: number, work: (index: number) => Promise<unknown>) =>
      inParallel(atOnce, most, async (index) => {
        if (!attack.isOver()) await work(index);
      }),
    socket: () =>
      new Promise<WebSocket | null>((resolve) => {
        const socket = new WebSocket(
          `${stage.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${stage.anonKey}&vsn=1.0.0`,
        );
        socket.once('open', () => resolve(socket));
        socket.once('error', () => resolve(null));
        socket.on('close', (code) => note(`closed ${code}`));
        stop.signal.addEventListener('abort', () => socket.terminate());
      }),
    end() {
      until = 0;
      stop.abort();
    },
  };
  return attack;
}

/** The attacker is a member of the filled projects and owns an empty one. */
export async function plantAttacker(stage: Stage): Promise<{ userId: string; project: string; column: string }> {
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${stage.url}/rest/v1${path}`, {
      headers: {
        apikey: stage.anonKey,
        authorization: `Bearer ${stage.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { id: project } = await ask<{ id: string }>('/rpc/create_project_with_defaults', { name: 'Attack' });
  const columns = await ask<{ id: string }[]>(`/workflow_columns?select=id&limit=1&project_id=eq.${project}`);
  return { userId: someone, project, column: columns[0]?.id ?? '' };
}

/** Nothing of a case is left to be done in the next one. */
export async function forgetJobs(stage: Stage): Promise<void> {
  const owner = new pg.Client(connectionOptions(stage.ownerUrl));
  await owner.connect();
  try {
    await owner.query('delete from private.import_jobs');
    await owner.query('delete from private.exports');
    await owner.query('delete from public.task_recurrences');
  } finally {
    await owner.end();
  }
}
