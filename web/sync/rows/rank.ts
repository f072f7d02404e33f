// A text between two texts in C collation, for showing a drop before the server has given the real rank.
// Ranks of the server are letters and digits; ours use the printable characters below them as well, so there is always room.

const lowest = 0x21;
const highest = 0x7e;

/** Strictly after `low` (null: the start) and strictly before `high` (null: the end). Never ends in the lowest character. */
export function rankBetween(low: string | null, high: string | null): string {
  if (high === null) return low === null ? 'a0' : `${low}~`;
  const floor = low ?? '';
  let out = '';
  for (let at = 0; ; at++) {
    const from = at < floor.length ? floor.charCodeAt(at) : lowest - 1;
    const to = at < high.length ? high.charCodeAt(at) : highest + 1;
    const middle = Math.floor((from + to) / 2);
    if (middle > from && middle > lowest && middle < to) return out + String.fromCharCode(middle);
    if (from === to || to === lowest) {
      out += high.charAt(at);
      continue;
    }
    // No room at this place: keep the lower character and go above whatever follows it.
    const kept = Math.max(from, lowest);
    return `${out}${String.fromCharCode(kept)}${kept === from ? floor.slice(at + 1) : ''}~`;
  }
}

/** Order as Postgres has it in C collation. */
export function compareRanks(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
