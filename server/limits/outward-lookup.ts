// Looks names up for connections to addresses that somebody else named: every address that a name has is checked, and the connection goes to what was
// checked, so that a name that changes in between leads nowhere else.

import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

export interface OutwardLookup {
  /** Of a URL whose host is an address: the parser has read 0x7f.1 and 2130706433 as what they are, and such a host is never looked up. */
  checkHost(url: URL): void;
  readonly lookup: LookupFunction;
}

/** `check` throws for an address that may not be reached. */
export function outwardLookup(check: (address: string) => void, resolveName: typeof resolve = resolve): OutwardLookup {
  return {
    checkHost(url) {
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
      if (isIP(host) !== 0) check(host);
    },
    lookup(name, options, done) {
      resolveName(name, { ...options, all: true }, (error, found) => {
        if (error) return done(error, '', 0);
        try {
          // All of them: a name that leads inward as well as outward is a trick, or a mistake.
          for (const { address } of found) check(address);
        } catch (refused) {
          return done(refused as Error, '', 0);
        }
        const [first] = found;
        if (first === undefined) return done(new Error(`${name} has no address`), '', 0);
        if (options.all) done(null, found);
        else done(null, first.address, first.family);
      });
    },
  };
}
