// Place in the filter bar for what a layout has of its own: the month of a calendar, the zoom of a timeline. Where the window is narrow it stands
// below the bar instead.

import { createContext, type ReactNode, use, useState } from 'react';
import { createPortal } from 'react-dom';
import { useNarrow } from '../../ui/use-narrow.ts';
import styles from './filter-bar.module.css';

const Place = createContext<HTMLElement | null>(null);
const SetPlace = createContext<(place: HTMLElement | null) => void>(() => undefined);

/** Around the bar and what is below it. */
export function BarRoom({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <SetPlace value={setPlace}>
      <Place value={place}>{children}</Place>
    </SetPlace>
  );
}

export function BarPlace() {
  return <div ref={use(SetPlace)} className={styles.place} />;
}

export function InBar({ children }: { children: ReactNode }) {
  const place = use(Place);
  if (useNarrow()) return children;
  return place && createPortal(children, place);
}
