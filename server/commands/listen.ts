// Starts listening on the port of a process, and stops it.

import { Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { HeldPort } from '../http/hold-port.ts';
import type { OpenServices } from '../open-services.ts';
import { CommandError } from './command.ts';

export async function listen({ app }: OpenServices, { server }: Config, held: HeldPort | null): Promise<void> {
  const { level } = app.log;
  // Fastify would name each address; the banner names the one to open.
  app.log.level = 'warn';
  try {
    await app.listen(held?.handOver() ?? { port: server.port, host: server.host });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new CommandError(`port ${server.port} is in use: stop what listens there, or choose another with --port`);
    if (code === 'EACCES')
      throw new CommandError(`port ${server.port} may not be opened by this user: choose one above 1023 with --port`);
    if (code === 'EADDRNOTAVAIL')
      throw new CommandError(`${server.host} is no address of this machine: set --host to one that is, or to 0.0.0.0`);
    throw error;
  } finally {
    app.log.level = level;
  }
}

/** What closing may take beyond the time of requests, also where the database does not answer. */
export const closingMs = 3000;

/** Who kept a connection may have sent a request before it knew. */
const onItsWayMs = 200;

/** Nobody new is let in. Requests in flight and background jobs finish beside one another, but not forever. */
export async function closeWithin(
  opened: OpenServices | null,
  milliseconds: number,
  background: Promise<unknown> = Promise.resolve(),
): Promise<void> {
  if (opened === null) return;
  const { server } = opened.app;
  const finished = within(milliseconds, background);
  const cut = setTimeout(() => server.closeAllConnections(), milliseconds);
  let sweep: NodeJS.Timeout | undefined;
  const close = async (): Promise<void> => {
    // The listener alone: connections that are kept stay for what is on its way to us.
    Server.prototype.close.call(server);
    await pause(onItsWayMs);
    // A connection whose last answer has gone out is no reason to wait.
    sweep = setInterval(() => server.closeIdleConnections(), 50);
    await opened.close(finished);
  };
  try {
    await within(milliseconds + closingMs, close());
  } finally {
    clearTimeout(cut);
    clearInterval(sweep);
  }
}

/** It goes on after that, but nobody waits for it. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => {
    late = setTimeout(resolve, milliseconds);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(late);
  }
}
