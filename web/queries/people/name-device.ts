// Names a device by its user agent: browser and system. Every browser claims to be others as well, so the rarer ones are looked for first.
// An unknown one is null, never a guess.

export interface Device {
  readonly browser: string | null;
  readonly system: string | null;
  readonly kind: 'computer' | 'phone' | 'tablet' | 'unknown';
}

const browsers: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\b(?:Edg|EdgA|EdgiOS|Edge)\//],
  ['Opera', /\b(?:OPR|OPT|OPiOS)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Yandex Browser', /\bYaBrowser\//],
  ['DuckDuckGo', /\b(?:DuckDuckGo|Ddg)\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|HeadlessChrome|CriOS)\//],
  // Elsewhere others carry Safari's name.
  ['Safari', /\((?:Macintosh|iPhone|iPad|iPod)\b.*\bVersion\/.*\bSafari\//],
];

const systems: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iPhone', /\biP(?:hone|od)\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

export function nameDevice(userAgent: string | null): Device {
  const agent = userAgent ?? '';
  const find = (signs: typeof browsers): string | null => signs.find(([, sign]) => sign.test(agent))?.[0] ?? null;
  const system = find(systems);
  return { browser: find(browsers), system, kind: kindOf(system, agent) };
}

function kindOf(system: string | null, agent: string): Device['kind'] {
  if (system === null) return 'unknown';
  if (system === 'iPad') return 'tablet';
  if (system === 'iPhone') return 'phone';
  if (system === 'Android') return /\bMobile\b/.test(agent) ? 'phone' : 'tablet';
  return 'computer';
}
