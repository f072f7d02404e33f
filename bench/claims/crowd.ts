// A client of the bench of claims, a process of its own: claims, writes, finishes; now and then it sleeps past its lease and writes all the same.
// Its lines: "stale refused" and "stale passed"; what else it did is in the database.

import { type ChildProcess, spawn } from 'node:child_process';

const program = `
const [url, key, token, project, done, seed] = process.argv.slice(1);
let state = Number(seed);
const dice = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const lease = 2;
async function ask(path, body, fence, method = 'POST') {
  const headers = { apikey: key, authorization: 'Bearer ' + token, 'content-type': 'application/json' };
  if (fence) headers['claim-fence'] = String(fence);
  for (;;) {
    try {
      const answer = await fetch(url + '/rest/v1/' + path, { method, headers, body: JSON.stringify(body) });
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

export interface Crowd {
  /** Statuses of writes whose lease had run out before they were sent. */
  readonly stale: number[];
  /** kill -9; another comes in its place. */
  kill(client: number): void;
  stop(): Promise<void>;
}

export function startCrowd(words: readonly string[], clients: number): Crowd {
  const stale: number[] = [];
  let seed = 1;
  let isOver = false;
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, ...words, String(seed++)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      for (const [, status] of text.matchAll(/^stale (\d+)$/gm)) stale.push(Number(status));
    });
    return child;
  };
  const running = Array.from({ length: clients }, start);
  return {
    stale,
    kill(client) {
      running[client]?.kill('SIGKILL');
      if (!isOver) running[client] = start();
    },
    async stop() {
      isOver = true;
      await Promise.all(
        running.map((child) => {
          // One that lost its last socket with the server may have ended by itself.
          if (child.exitCode !== null || child.signalCode !== null) return null;
          const ended = new Promise((resolve) => child.once('close', resolve));
          child.kill('SIGKILL');
          return ended;
        }),
      );
    },
  };
}
