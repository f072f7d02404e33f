// The end of a shortened list. The button goes when it is pressed; the focus stays with what it showed.

import type { ReactNode, RefObject } from 'react';
import { Button } from '../button.tsx';

export interface ShowAllProps {
  readonly list: RefObject<HTMLElement | null>;
  readonly onShow: () => void;
  readonly children: ReactNode;
}

export function ShowAll({ list, onShow, children }: ShowAllProps) {
  return (
    <Button
      look="quiet"
      onClick={() => {
        list.current?.focus();
        onShow();
      }}
    >
      {children}
    </Button>
  );
}
