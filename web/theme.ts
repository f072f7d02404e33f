// Light, dark, or as the device says; remembered on this device, set before anything is drawn.

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
