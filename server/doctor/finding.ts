// Finding of a check: good, a warning or broken; the last two come with a remedy.

export interface Finding {
  readonly state: 'good' | 'thought' | 'broken';
  readonly about: string;
  /** What to do. */
  readonly next?: string;
}

export const good = (about: string): Finding => ({ state: 'good', about });
export const thought = (about: string, next: string): Finding => ({ state: 'thought', about, next });
export const broken = (about: string, next: string): Finding => ({ state: 'broken', about, next });

/** A check that cannot be carried out is a finding too. */
export async function attempt(what: string, next: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [broken(`${what}: ${error instanceof Error ? error.message : String(error)}`, next)];
  }
}
