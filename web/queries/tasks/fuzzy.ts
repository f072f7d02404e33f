// Scores the match of a query and a text: words in any order, best by their beginnings, least with letters left out ("asgn bob").

/** Texts and what is typed are without capitals and accents (`plain`). 0: it does not fit. */
export function matchWords(text: string, typed: readonly string[]): number {
  let sum = 0;
  for (const word of typed) {
    const one = fitWord(text, word);
    if (one === 0) return 0;
    sum += one;
  }
  // Among equals the shorter text is the one that is meant.
  return sum - Math.min(text.length, 100) / 1000;
}

function fitWord(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at === 0) return 10;
  if (at > 0) return beginsWord(text, at) || text.includes(` ${word}`) ? 8 : 4;
  return word.length > 1 && lettersFit(text, word) ? 1 : 0;
}

/** What stands before a word. */
const before = new Set(' \t\n\u00a0-–/:“(');
const beginsWord = (text: string, at: number): boolean => at === 0 || before.has(text.charAt(at - 1));

/** Its letters in their order: each beside the one before or at the beginning of a word, but for a few. */
function lettersFit(text: string, word: string): boolean {
  let jumps = 1 + Math.floor(word.length / 4);
  let from = 0;
  for (let letter = 0; letter < word.length; letter++) {
    const wanted = word.charAt(letter);
    const next = text.indexOf(wanted, from);
    if (next < 0) return false;
    if (letter > 0 && next === from) {
      from = next + 1;
      continue;
    }
    // The beginning of a word is worth going to; the first letter has to stand at one.
    let at = next;
    while (at >= 0 && !beginsWord(text, at)) at = text.indexOf(wanted, at + 1);
    if (at < 0) {
      if (letter === 0 || jumps-- === 0) return false;
      at = next;
    }
    from = at + 1;
  }
  return true;
}
