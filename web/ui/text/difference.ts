// Difference of two texts, by lines or by words: what is in both, in one alone, and in the other alone, in order.

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

export interface DifferentPart {
  readonly of: DifferentLine['of'];
  readonly text: string;
}

/** Lines as above, and in lines that differ the words; each text ends with a line break. What the first has stands before the other's. */
export function wordDifferenceOf(one: string, other: string): DifferentPart[] {
  const parts: DifferentPart[] = [];
  const lines = differenceOf(one, other);
  for (let at = 0; at < lines.length; ) {
    const isSame = lines[at]?.of === 'both';
    const end = lines.findIndex(({ of }, place) => place > at && (of === 'both') !== isSame);
    const run = lines.slice(at, end < 0 ? lines.length : end);
    at += run.length;
    const textOf = (of: DifferentLine['of']): string =>
      run.flatMap((line) => (line.of === of ? [`${line.line}\n`] : [])).join('');
    if (isSame) parts.push({ of: 'both', text: textOf('both') });
    else parts.push(...changedWords(textOf('one'), textOf('other')));
  }
  return parts;
}

const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}\p{M}_]+|./gu) ?? [];
const isBlank = (text: string): boolean => text.trim() === '';

function changedWords(one: string, other: string): DifferentPart[] {
  const words = one === '' || other === '' ? [] : middleOf(wordsOf(one), wordsOf(other));
  const same = words.reduce((sum, { of, line }) => sum + (of === 'both' ? line.trim().length : 0), 0);
  // Texts with little in common read better one after the other.
  if (same * 4 < Math.min(one.trim().length, other.trim().length) || same === 0) return partsOf([], one, other);
  const parts: DifferentPart[] = [];
  let [gone, come] = ['', ''];
  words.forEach(({ of, line }, at) => {
    const next = words[at + 1]?.of ?? 'both';
    if (of === 'one') gone += line;
    else if (of === 'other') come += line;
    // A space between two words that differ is no reason to take them apart.
    else if (gone + come !== '' && next !== 'both' && isBlank(line)) [gone, come] = [gone + line, come + line];
    else {
      partsOf(parts, gone, come);
      [gone, come] = ['', ''];
      const last = parts.at(-1);
      if (last?.of === 'both') parts.splice(-1, 1, { of, text: last.text + line });
      else parts.push({ of, text: line });
    }
  });
  return partsOf(parts, gone, come);
}

function partsOf(parts: DifferentPart[], gone: string, come: string): DifferentPart[] {
  if (gone !== '') parts.push({ of: 'one', text: gone });
  if (come !== '') parts.push({ of: 'other', text: come });
  return parts;
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
