// Keeps the cause of each answer that is a server error: noted by whoever answers it, told in the one line that the log has of the
// answer. Rooms that answer past Fastify's error handlers note it themselves.

const causes = new WeakMap<object, unknown>();

/** `request`: Node's own, which every part of the server that answers it knows. */
export function noteCause(request: object, thrown: unknown): void {
  causes.set(request, thrown);
}

/** What was thrown first: errors of a catalog that were made of it later keep it as their cause. */
export function causeOf(request: object): unknown {
  return causes.get(request) ?? new Error('The answer was made without an error that was thrown');
}
