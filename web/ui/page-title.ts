// The page's name in the tab, behind how much is unread; also what a screen reader says on arriving.

import { useEffect } from 'react';
import { sayNumber, t } from '../strings/messages.ts';

let name = '';
let unread = 0;

function write(): void {
  const title = name ? `${name} · ${t('common.product')}` : t('common.product');
  document.title = unread > 0 ? `(${sayNumber(unread)}) ${title}` : title;
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    name = title;
    write();
  }, [title]);
}

/** The same number on the icon of an installed app, where there is one. */
export function useUnreadMark(n: number): void {
  useEffect(() => {
    unread = n;
    write();
    const marked = n > 0 ? navigator.setAppBadge?.(n) : navigator.clearAppBadge?.();
    // Not every browser that knows how is allowed to.
    void marked?.catch(() => undefined);
  }, [n]);
}
