// Receiver of bench/webhooks.ts: a process of its own, of a low priority and with as little work as can be, since receivers are other machines and share
// no processor with a server. It measures how long each delivery took from its change; /dead is never answered.

import { spawn } from 'node:child_process';
import { once } from 'node:events';

const program = `
import { createServer } from 'node:net';
import { setPriority } from 'node:os';
setPriority(10);
let delays = [];
const take = (socket) => {
  let rest = '';
  socket.setNoDelay(true).setEncoding('latin1').on('error', () => undefined).on('data', (text) => {
    rest += text;
    for (;;) {
      const head = rest.indexOf('\\r\\n\\r\\n');
      if (head === -1) return;
      const end = head + 4 + Number(/content-length: *(\\d+)/i.exec(rest.slice(0, head))?.[1] ?? 0);
      if (rest.length < end) return;
      const at = rest.indexOf('"timestamp":"', head) + 13;
      const isDead = rest.startsWith('POST /dead');
      if (!isDead) delays.push(Date.now() - Date.parse(rest.slice(at, rest.indexOf('"', at))));
      rest = rest.slice(end);
      if (!isDead) socket.write('HTTP/1.1 204 No Content\\r\\n\\r\\n');
    }
  });
};
const server = createServer(take).listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('message', () => {
  process.send(delays);
  delays = [];
}).on('disconnect', () => process.exit());
`;

export interface BenchReceiver {
  readonly url: string;
  /** Milliseconds, of what came since it was last asked. */
  takeDelays(): Promise<readonly number[]>;
  close(): void;
}

export async function openBenchReceiver(): Promise<BenchReceiver> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // A session of its own, as in start-server.ts.
    detached: true,
  });
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    async takeDelays() {
      child.send('');
      const [delays] = (await once(child, 'message')) as [readonly number[]];
      return delays;
    },
    close: () => void child.kill(),
  };
}
