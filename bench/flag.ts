// Reads flags of `npm run bench`.

/** `--name=value`, or null. */
export function flag(name: string): string | null {
  return process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? null;
}

export const isQuick = (): boolean => process.argv.includes('--quick');
