// Kind for a URL. One typed without a scheme gets https://.

import { t } from '../../strings/messages.ts';
import type { Kind } from '../property.ts';
import { words } from './words.ts';

const mostOfAddress = 2000;

/** Null: it is none. */
export function readAddress(typed: string): string | null {
  const address = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`;
  const fits = /^https?:\/\/[^\s/?#.]+\.[^\s]+$|^https?:\/\/localhost/i.test(address);
  return fits && address.length <= mostOfAddress ? address : null;
}

export const link: Kind<string> = {
  ...words,
  name: 'link',
  read(typed) {
    const value = readAddress(typed);
    return value === null ? { fault: t('table.faults.address', { text: typed }) } : { value };
  },
};
