// Difference of two texts, line by line: lines of both, of one alone, and of the other alone, in order.

export interface DifferentLine {
  readonly of: 'both' | 'one' | 'other';
  readonly line: string;
}

/** Past this many pairs of lines the middle counts as different as a whole. */
const mostPairs = 250_000;

export function differenceOf(one: string, other: string): DifferentLine[] {
  const [mine, theirs] = [one.split('\n'), other.split('\n')];
  let start = 0;
  while (start < mine.length && start < theirs.length && mine[start] === theirs[start]) start++;
  let end = 0;
  while (end < Math.min(mine.length, theirs.length) - start && mine.at(-1 - end) === theirs.at(-1 - end)) end++;
  const as = (of: DifferentLine['of']) => (line: string) => ({ of, line });
  return [
    ...mine.slice(0, start).map(as('both')),
    ...middleOf(mine.slice(start, mine.length - end), theirs.slice(start, theirs.length - end)),
    ...mine.slice(mine.length - end).map(as('both')),
  ];
}

/** By the longest run of lines that both have in the same order. */
function middleOf(mine: readonly string[], theirs: readonly string[]): DifferentLine[] {
  const width = theirs.length + 1;
  const isLong = mine.length * theirs.length > mostPairs;
  const common = new Uint32Array(isLong ? 0 : (mine.length + 1) * width);
  if (!isLong)
    for (let at = mine.length - 1; at >= 0; at--)
      for (let to = theirs.length - 1; to >= 0; to--)
        common[at * width + to] =
          mine[at] === theirs[to]
            ? (common[(at + 1) * width + to + 1] ?? 0) + 1
            : Math.max(common[(at + 1) * width + to] ?? 0, common[at * width + to + 1] ?? 0);
  const lines: DifferentLine[] = [];
  let [at, to] = [0, 0];
  while (at < mine.length || to < theirs.length) {
    const [one, other] = [mine[at], theirs[to]];
    const [without, with_] = [common[(at + 1) * width + to] ?? 0, common[at * width + to + 1] ?? 0];
    if (!isLong && one !== undefined && one === other) {
      lines.push({ of: 'both', line: one });
      at++;
      to++;
    } else if (one !== undefined && (other === undefined || without >= with_)) {
      lines.push({ of: 'one', line: one });
      at++;
    } else {
      lines.push({ of: 'other', line: other ?? '' });
      to++;
    }
  }
  return lines;
}
