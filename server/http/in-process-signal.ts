// Signals of requests that come from inside (services.fetch): whoever asks may go away, as a client over a socket does.

import type { IncomingMessage } from 'node:http';

const signals = new WeakMap<IncomingMessage, AbortSignal>();

export const keepSignal = (request: IncomingMessage, signal: AbortSignal): void => void signals.set(request, signal);

export const signalOf = (request: IncomingMessage): AbortSignal | undefined => signals.get(request);
