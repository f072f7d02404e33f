// Colors that products call by a name, as one of ours: `sky_dark` and `morning-sky` are a sky.

const colors: readonly (readonly [names: RegExp, color: string])[] = [
  [/lime|moss|grass/, '#6b8e23'],
  [/green/, '#3f8f5f'],
  [/yellow|egg|sand/, '#b8860b'],
  [/orange|apricot/, '#c2681b'],
  [/red|burgundy/, '#c0392b'],
  [/purple|violet/, '#7d4fa8'],
  [/sky|lagoon|lagune|turquoise/, '#2a8fa8'],
  [/blue/, '#2f6db5'],
  [/pink|tulip/, '#b5487f'],
  [/mud|cocoa|brown/, '#87564a'],
  [/black|gr[ae]y|granite|metal|concrete/, '#4a4a4a'],
];

export function colorNamed(name: string): string | null {
  return colors.find(([names]) => names.test(name.toLowerCase()))?.[1] ?? null;
}
