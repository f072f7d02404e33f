// Tells whether passkeys can work: in a browser that knows them, and at a domain name. Browsers refuse them at an IP address.

/** `[::1]` or `192.168.1.20`, as the location has it. */
export function isIpAddress(host: string): boolean {
  return host.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(host);
}

export function canUsePasskeys(settings: { readonly passkeys: boolean }): boolean {
  return settings.passkeys && 'PublicKeyCredential' in window && !isIpAddress(location.hostname);
}
