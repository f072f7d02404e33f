// Writes the `user` of presence on the app's topics from the token of the channel, so that no client can name itself. Other tracked data
// stays as it was sent.

/** Topics that Kanbase brings policies for (sql/rules/realtime/messages.sql): those of a project and those of a person. */
export function isOfTheApp(topic: string): boolean {
  return /^(project|user):/.test(topic);
}

/** A key without a person (service_role) is nobody, whatever it says. */
export function asWho(payload: Readonly<Record<string, unknown>>, user: unknown): Readonly<Record<string, unknown>> {
  return { ...payload, user: typeof user === 'string' ? user : null };
}
