// Small things this device keeps for one person, by name: what is not sent yet, what they were typing. Signing out wipes them.

const beginning = (userId: string): string => `kanbase:${userId}:`;

export function storedName(userId: string, ...parts: readonly string[]): string {
  return beginning(userId) + parts.join(':');
}

/** The names that begin so. */
export function storedNames(storage: Pick<Storage, 'key' | 'length'>, prefix: string): string[] {
  const names: string[] = [];
  for (let at = 0; at < storage.length; at++) {
    const name = storage.key(at);
    if (name?.startsWith(prefix)) names.push(name);
  }
  return names;
}

export function forgetStored(storage: Pick<Storage, 'key' | 'length' | 'removeItem'>, userId: string): void {
  for (const name of storedNames(storage, beginning(userId))) storage.removeItem(name);
}
