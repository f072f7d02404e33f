// On a phone the line at the top of the app has the name of the screen and what belongs to it; elsewhere both stand on the screen itself.

import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';
import { usePhone } from './use-narrow.ts';

/** Where that line is, once it stands. */
export const TopBarSlot = createContext<HTMLElement | null>(null);

/** Puts it into the line. */
export function InTopBar({ children }: { children: ReactNode }) {
  const room = useContext(TopBarSlot);
  return room && createPortal(children, room);
}

/** The name of a screen. */
export function ScreenTitle({ children }: { children: ReactNode }) {
  const phone = usePhone();
  const title = <h1>{children}</h1>;
  return phone ? <InTopBar>{title}</InTopBar> : title;
}
