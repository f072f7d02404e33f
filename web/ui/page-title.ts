// The page's name in the tab; also what a screen reader says on arriving.

import { useEffect } from 'react';
import { words } from '../strings/words.ts';

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${words.common.product}` : words.common.product;
  }, [title]);
}
