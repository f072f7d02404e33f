export function commonPasswords(): ReadonlySet<string> {
  return new Set();
}
