// Tells test keys of the payment provider from live ones. Play money and real money must never be taken for each other.

export type ProviderMode = 'off' | 'test' | 'live' | 'unknown';

export function providerMode(settings: { readonly secretKey: string | null }): ProviderMode {
  const key = settings.secretKey;
  if (key === null || key === '') return 'off';
  if (/^(sk|rk)_live_/.test(key)) return 'live';
  if (/^(sk|rk)_test_/.test(key)) return 'test';
  return 'unknown';
}

/** As rows and events say it; null when the key does not tell. */
export function livemodeOf(mode: ProviderMode): boolean | null {
  if (mode === 'live') return true;
  if (mode === 'test') return false;
  return null;
}
