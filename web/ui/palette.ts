// Colours that people give to projects and labels: a fixed few that hold their own on light and dark.

export const swatches = [
  { name: 'Teal', hex: '#1b8a94' },
  { name: 'Blue', hex: '#3b74d6' },
  { name: 'Violet', hex: '#8159c9' },
  { name: 'Pink', hex: '#c9508f' },
  { name: 'Red', hex: '#cc4a3d' },
  { name: 'Orange', hex: '#d27628' },
  { name: 'Yellow', hex: '#bb930f' },
  { name: 'Green', hex: '#4b913f' },
  { name: 'Slate', hex: '#6c7a89' },
  { name: 'Brown', hex: '#936a4e' },
] as const;

/** A colour for the next thing, so that neighbours differ. */
export function nextSwatch(taken: readonly (string | null)[]): string {
  return (
    swatches.find((swatch) => !taken.includes(swatch.hex))?.hex ??
    swatches[taken.length % swatches.length]?.hex ??
    swatches[0].hex
  );
}
