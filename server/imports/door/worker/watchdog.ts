// A thread beside an import worker's own, as text: it ends the process when the file takes too much processor time or memory, or when the server
// has gone. It works also while a pattern or a parser holds the main thread, and says on standard error which it was.

import { Worker } from 'node:worker_threads';
import type { WorkerLimits } from './limits.ts';

const source = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const { epoch, cpuMs, rssBytes, server } = workerData;
const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
let [since, seen] = [used(), Atomics.load(epoch, 0)];
const end = (why) => {
  try { writeSync(2, '\\n' + why + '\\n'); } catch {}
  process.kill(process.pid, 'SIGKILL');
};
const isAlive = () => { try { process.kill(server, 0); return process.ppid === server || process.platform === 'win32'; } catch { return false; } };
setInterval(() => {
  const now = Atomics.load(epoch, 0);
  if (now !== seen) [since, seen] = [used(), now];
  if (used() - since > cpuMs) end('time');
  if (process.memoryUsage.rss() > rssBytes) end('memory');
  if (!isAlive()) end('alone');
}, 200);
`;

/** `renew` gives it its whole time again. */
export function watch({ cpuMs, rssBytes }: WorkerLimits): { renew(): void } {
  const epoch = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(source, { eval: true, workerData: { epoch, cpuMs, rssBytes, server: process.ppid } });
  thread.unref();
  return { renew: () => void Atomics.add(epoch, 0, 1) };
}
