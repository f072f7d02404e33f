// Reads the memory a server has in use from its inspector, after a forced collection.

import { WebSocket } from 'ws';

/** Of a server that is started so, `inspectorOf` finds the inspector in its log, whose beginning is not kept for ever. */
export const inspected = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/** In MB: objects of JavaScript, and what lies outside its heap, which is buffers for the most part. */
export interface Used {
  readonly heap: number;
  readonly buffers: number;
}

export function inspectorOf(log: string): string {
  const address = /Debugger listening on (ws:\S+)/.exec(log)?.[1];
  if (address === undefined) throw new Error('The server was not started with an inspector');
  return address;
}

/** Nothing else runs in the server meanwhile, for some tenths of a second. */
export async function usedBy(address: string): Promise<Used> {
  const inspector = new WebSocket(address);
  try {
    await new Promise((resolve, reject) => inspector.once('open', resolve).once('error', reject));
    await call(inspector, 'HeapProfiler.collectGarbage');
    const expression = 'JSON.stringify(process.memoryUsage())';
    const answer = await call<{ result: { value: string } }>(inspector, 'Runtime.evaluate', { expression });
    const { heapUsed, external } = JSON.parse(answer.result.value) as NodeJS.MemoryUsage;
    return { heap: heapUsed / 2 ** 20, buffers: external / 2 ** 20 };
  } finally {
    inspector.close();
  }
}

/** One at a time: what comes next is the answer. */
async function call<T>(
  inspector: WebSocket,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  const answered = new Promise<string>((resolve, reject) => {
    inspector
      .once('message', (data) => resolve(String(data)))
      .once('close', () => reject(new Error('The inspector hung up')));
  });
  inspector.send(JSON.stringify({ id: 1, method, params }));
  const { result, error } = JSON.parse(await answered) as { result?: T; error?: { message: string } };
  if (result === undefined) throw new Error(`${method}: ${error?.message}`);
  return result;
}
