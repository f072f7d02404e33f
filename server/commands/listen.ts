// How a process begins to serve on its port, and how it stops.

import type { Config } from '../config/config.ts';
import type { OpenServices } from '../open-services.ts';
import { CommandError } from './command.ts';

export async function listen({ app }: OpenServices, { server }: Config): Promise<void> {
  try {
    await app.listen({ port: server.port, host: server.host });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new CommandError(`port ${server.port} is in use: stop what listens there, or choose another with --port`);
    if (code === 'EACCES')
      throw new CommandError(`port ${server.port} may not be opened by this user: choose one above 1023 with --port`);
    if (code === 'EADDRNOTAVAIL')
      throw new CommandError(`${server.host} is no address of this machine: set --host to one that is, or to 0.0.0.0`);
    throw error;
  }
}

/** Requests in flight finish, but not forever. */
export async function closeWithin(opened: OpenServices | null, milliseconds: number): Promise<void> {
  if (opened === null) return;
  const { server } = opened.app;
  const cut = setTimeout(() => server.closeAllConnections(), milliseconds);
  // A connection whose last answer has gone out is no reason to wait.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  try {
    await opened.close();
  } finally {
    clearTimeout(cut);
    clearInterval(sweep);
  }
}
