// After a sleep or a change of networks the socket may be dead without knowing: it is asked for a sign of life, and replaced when none
// comes.

import type { Door } from '../door.ts';

/** Milliseconds that pass unnoticed by a page that sleeps. */
const sleepAfter = 20_000;
const answerWithin = 4000;

/** Until the function that comes back is called. */
export function watchForSleep(door: Door, onSeen: () => void): () => void {
  let last = Date.now();
  let asked: ReturnType<typeof setTimeout> | undefined;
  function checkConnection(): void {
    const { realtime } = door;
    if (asked !== undefined || !realtime.isConnected()) return;
    if (realtime.pendingHeartbeatRef === null) void realtime.sendHeartbeat();
    const ref = realtime.pendingHeartbeatRef;
    asked = setTimeout(() => {
      asked = undefined;
      // Asked for a second one, the client closes the socket and opens another.
      if (ref !== null && realtime.pendingHeartbeatRef === ref) void realtime.sendHeartbeat();
    }, answerWithin);
  }
  const tick = (): void => {
    const slept = Date.now() - last > sleepAfter;
    last = Date.now();
    if (slept) checkConnection();
  };
  const ticking = setInterval(tick, 5000);
  const seen = (): void => {
    if (document.visibilityState !== 'visible') return;
    tick();
    onSeen();
  };
  const online = (): void => checkConnection();
  document.addEventListener('visibilitychange', seen);
  window.addEventListener('online', online);
  return () => {
    clearInterval(ticking);
    clearTimeout(asked);
    document.removeEventListener('visibilitychange', seen);
    window.removeEventListener('online', online);
  };
}
