// List of offers below a field that keeps the focus: the arrows choose one, Enter or a press takes it, Escape closes the list.

import { type KeyboardEvent, type MouseEvent, type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';
import shapes from '../../styles/shapes.module.css';
import menuStyles from '../overlays/menu.module.css';

export interface Offer {
  readonly id: string;
  readonly name: string;
  readonly icon?: ReactNode;
  /** Small, at its end. */
  readonly note?: string;
  /** Stands there to be read only. */
  readonly disabled?: boolean;
  readonly pick: () => void;
}

/** Keys of the field go to what is offered below it; true: it took the key. */
export type OfferKeys = RefObject<((event: KeyboardEvent) => boolean) | null>;

interface OfferListProps {
  readonly id: string;
  readonly label: string;
  readonly items: readonly Offer[];
  readonly className: string | undefined;
  /** The first one is ready for Enter. */
  readonly ready?: boolean;
  /** Tab takes the chosen one, or else the first. */
  readonly tabTakes?: boolean;
  readonly keys: OfferKeys;
  readonly onActive: (id: string | null) => void;
  readonly onClose: () => void;
}

/** A press leaves the focus in the field. */
const keepFocus = (event: MouseEvent): void => event.preventDefault();

function take(item: Offer | undefined): void {
  if (item && !item.disabled) item.pick();
}

export function OfferList(props: OfferListProps) {
  const { id, label, items, className, ready = false, tabTakes = false, keys, onActive, onClose } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  const found = items.findIndex((item) => item.id === chosen);
  const at = found >= 0 ? found : ready ? 0 : -1;
  const idOf = (place: number): string | null => (items[place] ? `${id}-${items[place].id}` : null);
  const active = idOf(at);
  useLayoutEffect(() => {
    onActive(active);
    if (active !== null) document.getElementById(active)?.scrollIntoView({ block: 'nearest' });
    return () => onActive(null);
  }, [active, onActive]);
  useLayoutEffect(() => {
    keys.current = ({ key, ctrlKey, metaKey, altKey, shiftKey }) => {
      if (ctrlKey || metaKey || altKey || items.length === 0) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[key];
      if (step !== undefined) {
        const next = at < 0 ? (step > 0 ? 0 : items.length - 1) : (at + step + items.length) % items.length;
        setChosen(items[next]?.id ?? null);
      } else if (key === 'Enter' && items[at]) take(items[at]);
      else if (key === 'Tab' && tabTakes && !shiftKey) take(items[Math.max(at, 0)]);
      else if (key === 'Escape') onClose();
      else return false;
      return true;
    };
    return () => {
      keys.current = null;
    };
  });
  if (items.length === 0) return null;
  return (
    <div role="listbox" id={id} aria-label={label} className={className} onMouseDown={keepFocus}>
      {items.map((item, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
        <div
          key={item.id}
          id={idOf(place) ?? undefined}
          role="option"
          aria-selected={place === at}
          data-selected={place === at}
          className={menuStyles.menuItem}
          onPointerMove={() => setChosen(item.id)}
          aria-disabled={item.disabled}
          data-disabled={item.disabled}
          onClick={() => take(item)}
        >
          {item.icon && <span className={menuStyles.menuIcon}>{item.icon}</span>}
          <span className={`${shapes.words} ${shapes.fill}`}>{item.name}</span>
          {item.note !== undefined && <span className={`${shapes.quietS} ${shapes.rigid}`}>{item.note}</span>}
        </div>
      ))}
    </div>
  );
}
