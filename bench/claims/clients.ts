// A client of the bench of claims, a process of its own: claims, writes, finishes; now and then it sleeps past its lease and writes all the same.
// Its lines: "stale" and the status of that write; what else it did is in the database.

import { type ChildProcess, spawn } from 'node:child_process';

const program = `
const [url, key, token, project, done, seed] = process.argv.slice(1);
let state = Number(seed);
const dice = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const lease = 2;
// Lives as long as the bench does: a promise alone keeps no process whose answer is lost with the server.
process.stdin.on('end', () => process.exit()).resume();
async function ask(path, body, fence, method = 'POST') {
  const headers = { apikey: key, authorization: 'Bearer ' + token, 'content-type': 'application/json' };
  if (fence) headers['claim-fence'] = String(fence);
  for (;;) {
    try {
      const answer = await fetch(url + '/rest/v1/' + path, { method, headers, body: JSON.stringify(body), signal: AbortSignal.timeout(20_000) });
      const text = await answer.text();
      if (answer.status < 500 && answer.status !== 429) return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
    } catch {}
    await pause(50 + dice() * 100);
  }
}
for (;;) {
  const { body } = await ask('rpc/claim_next_task', { project, seconds: lease });
  const claim = Array.isArray(body) ? body[0] : undefined;
  if (claim === undefined) {
    await pause(300);
    continue;
  }
  const sleeps = dice() < 0.02;
  if (sleeps) await pause(lease * 1000 * (0.9 + dice()));
  const isStale = Date.now() > Date.parse(claim.expires_at) + 100;
  const task = 'tasks?id=eq.' + claim.task_id;
  const written = await ask(task, { estimate: claim.fence % 1000000 }, claim.fence, 'PATCH');
  if (isStale) console.log('stale', written.status);
  if (dice() < 0.1) await ask('rpc/keep_claim', { claim: claim.id, seconds: lease });
  if (dice() < 0.03) await ask('rpc/release_claim', { claim: claim.id, note: 'Again' });
  else await ask('rpc/move_task', { task_id: claim.task_id, column_id: done }, claim.fence);
}
`;

export interface Clients {
  /** Statuses of writes whose lease had run out before they were sent. */
  readonly stale: readonly number[];
  /** Exit codes of those that ended without being killed. */
  readonly ended: readonly (number | null)[];
  /** kill -9. */
  kill(client: number): void;
  stop(): Promise<void>;
}

/** Whichever ends has another come in its place, until all are stopped. */
export function startClients(words: readonly string[], many: number): Clients {
  const stale: number[] = [];
  const ended: (number | null)[] = [];
  const running: ChildProcess[] = [];
  let seed = 1;
  let stopped: Promise<unknown> | null = null;
  const start = (client: number): void => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, ...words, String(seed++)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      for (const [, status] of text.matchAll(/^stale (\d+)$/gm)) stale.push(Number(status));
    });
    child.once('close', (code, signal) => {
      if (signal !== 'SIGKILL') ended.push(code);
      if (stopped === null) start(client);
    });
    running[client] = child;
  };
  for (let client = 0; client < many; client++) start(client);
  return {
    stale,
    ended,
    kill(client) {
      running[client]?.kill('SIGKILL');
    },
    async stop() {
      stopped ??= Promise.all(
        running.map((child) => {
          const closed = new Promise((resolve) => child.once('close', resolve));
          child.kill('SIGKILL');
          return closed;
        }),
      );
      await stopped;
    },
  };
}
