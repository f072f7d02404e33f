// What is made from a freshly migrated database.

export async function fromDatabase(): Promise<Record<string, string>> {
  return {};
}
