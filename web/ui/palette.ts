// Colours that people give to projects and labels: a fixed few that hold their own on light and dark. Their
// names stand in the catalog.

export const swatches = [
  { name: 'teal', hex: '#1b8a94' },
  { name: 'blue', hex: '#3b74d6' },
  { name: 'violet', hex: '#8159c9' },
  { name: 'pink', hex: '#c9508f' },
  { name: 'red', hex: '#cc4a3d' },
  { name: 'orange', hex: '#d27628' },
  { name: 'yellow', hex: '#bb930f' },
  { name: 'green', hex: '#4b913f' },
  { name: 'slate', hex: '#6c7a89' },
  { name: 'brown', hex: '#936a4e' },
] as const;

/** A colour for the next thing, so that neighbours differ. */
export function nextSwatch(taken: readonly (string | null)[]): string {
  return (
    swatches.find((swatch) => !taken.includes(swatch.hex))?.hex ??
    swatches[taken.length % swatches.length]?.hex ??
    swatches[0].hex
  );
}
