// Work in turns, so many at a time in all and of one person; people are served by turns, so that the hundred pieces of one wait behind
// one of each other person.

export interface FairConcurrencyOptions {
  readonly atOnce: number;
  /** Of one person at a time. */
  readonly each: number;
  /** Told how many pieces wait, of this person and in all, before another one does; may throw. */
  readonly onLine: (ofPerson: number, inAll: number) => void;
}

/** Work that begins when it is this person's turn. */
export type FairConcurrency = <T>(person: string, work: () => Promise<T>) => Promise<T>;

interface Line {
  working: number;
  readonly waiting: (() => void)[];
}

export function limitFairly({ atOnce, each, onLine }: FairConcurrencyOptions): FairConcurrency {
  // In the order in which their next turns come.
  const lines = new Map<string, Line>();
  let working = 0;
  let waiting = 0;

  function begin(): void {
    for (const [person, line] of lines) {
      if (working >= atOnce) return;
      if (line.working >= each) continue;
      const start = line.waiting.shift();
      if (start === undefined) continue;
      waiting--;
      working++;
      line.working++;
      lines.delete(person);
      lines.set(person, line);
      start();
    }
  }

  return async (person, work) => {
    const line = lines.get(person) ?? { working: 0, waiting: [] };
    onLine(line.waiting.length, waiting);
    lines.set(person, line);
    waiting++;
    await new Promise<void>((resolve) => {
      line.waiting.push(resolve);
      begin();
    });
    try {
      return await work();
    } finally {
      working--;
      line.working--;
      if (line.working === 0 && line.waiting.length === 0) lines.delete(person);
      begin();
    }
  };
}
