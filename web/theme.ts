// Light, dark, or as the device says, and how close things stand; remembered on this device, set before anything is drawn.

export type Theme = 'system' | 'light' | 'dark';

const place = 'kanbase-theme';

export function savedTheme(): Theme {
  try {
    const saved = localStorage.getItem(place);
    return saved === 'light' || saved === 'dark' ? saved : 'system';
  } catch {
    return 'system';
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(place, theme);
  } catch {
    // Storage is refused: the choice lasts until the page is left.
  }
}

export type Density = 'roomy' | 'compact';

const densityPlace = 'kanbase-density';
const listeners = new Set<() => void>();

export function currentDensity(): Density {
  return document.documentElement.dataset.density === 'compact' ? 'compact' : 'roomy';
}

function applyDensity(density: Density): void {
  if (density === 'roomy') delete document.documentElement.dataset.density;
  else document.documentElement.dataset.density = density;
  for (const listener of listeners) listener();
}

export function applySavedDensity(): void {
  try {
    if (localStorage.getItem(densityPlace) === 'compact') applyDensity('compact');
  } catch {
    // Storage is refused: roomy.
  }
}

export function chooseDensity(density: Density): void {
  applyDensity(density);
  try {
    localStorage.setItem(densityPlace, density);
  } catch {
    // As above.
  }
}

/** For what counts in pixels how high things are. */
export function onDensity(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
