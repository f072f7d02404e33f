// Keeps the cause of each server error until the request's log line is written. Rooms that answer past Fastify's error handlers note it themselves.

const causes = new WeakMap<object, unknown>();

/** `request`: Node's own, which every part of the server that answers it knows. */
export function noteCause(request: object, thrown: unknown): void {
  causes.set(request, thrown);
}

/** What was thrown first: errors of a catalog that were made of it later keep it as their cause. */
export function causeOf(request: object): unknown {
  return causes.get(request) ?? new Error('The answer was made without an error that was thrown');
}
