// Conditions offered below the filter box: properties whose names hold what is typed, and what is asked most. Fetched when they are needed.

import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import type { Part, Property } from '../../../../contract/views.ts';
import { t } from '../../../strings/messages.ts';
import shapes from '../../../styles/shapes.module.css';
import { ReplayKeys } from '../../../ui/overlays/buffered-keys.ts';
import menuStyles from '../../../ui/overlays/menu.module.css';
import styles from './filter-box.module.css';
import { useFilterNames } from './names.tsx';
import { presets } from './presets.ts';

/** Keys of the field go to what is offered below it; true: it took the key. */
export type OfferKeys = RefObject<((event: KeyboardEvent) => boolean) | null>;

interface FilterOffersProps {
  readonly id: string;
  readonly projectId: string;
  readonly text: string;
  /** A condition is what is wanted: the first one is ready for Enter. */
  readonly picking: boolean;
  readonly keys: OfferKeys;
  readonly onActive: (id: string | null) => void;
  readonly onPick: (property: Property) => void;
  readonly onPreset: (parts: readonly Part[]) => void;
  /** No condition is called so. */
  readonly onNothing: () => void;
  readonly onClose: () => void;
}

/** A press leaves the focus in the box. */
const keepFocus = (event: MouseEvent): void => event.preventDefault();

export default function FilterOffers(props: FilterOffersProps) {
  const { id, projectId, text, picking, keys, onActive, onPick, onPreset, onNothing, onClose } = props;
  const names = useFilterNames(projectId);
  const wanted = text.trim().toLocaleLowerCase();
  const holds = (name: string): boolean => {
    const words = name.toLocaleLowerCase();
    // Words that filter are in nobody's way: only the beginning of a name offers it.
    return picking ? words.includes(wanted) : words.startsWith(wanted);
  };
  const items = [
    ...names.properties
      .map((property) => ({ id: property as string, name: names.nameOf(property), pick: () => onPick(property) }))
      .filter(({ name }) => holds(name)),
    ...presets
      .map(({ id: preset, parts }) => ({
        id: `preset-${preset}`,
        name: t(`views.presets.${preset}`),
        pick: () => onPreset(parts),
      }))
      .filter(({ name }) => holds(name)),
  ];
  const [chosen, setChosen] = useState<string | null>(null);
  const found = items.findIndex((item) => item.id === chosen);
  const at = found >= 0 ? found : picking ? 0 : -1;
  const isNone = items.length === 0;
  const idOf = (place: number): string | null => (items[place] ? `${id}-${items[place].id}` : null);
  const active = idOf(at);
  useLayoutEffect(() => {
    onActive(active);
    if (active !== null) document.getElementById(active)?.scrollIntoView({ block: 'nearest' });
    return () => onActive(null);
  }, [active, onActive]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, when there is none any more
  useEffect(() => {
    if (isNone && picking) onNothing();
  }, [isNone, picking]);
  useLayoutEffect(() => {
    keys.current = ({ key, ctrlKey, metaKey, altKey }) => {
      if (ctrlKey || metaKey || altKey) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[key];
      if (step !== undefined && !isNone) {
        const next = at < 0 ? (step > 0 ? 0 : items.length - 1) : (at + step + items.length) % items.length;
        setChosen(items[next]?.id ?? null);
      } else if (key === 'Enter' && items[at]) items[at].pick();
      else if (key === 'Enter' || key === 'Escape') onClose();
      else return false;
      return true;
    };
    return () => {
      keys.current = null;
    };
  });
  return (
    <>
      {picking && <ReplayKeys />}
      {!isNone && (
        <div role="listbox" id={id} aria-label={t('views.add')} className={styles.offers} onMouseDown={keepFocus}>
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
              onClick={item.pick}
            >
              <span className={`${shapes.words} ${shapes.fill}`}>{item.name}</span>
            </div>
          ))}
        </div>
      )}
    </>
  );
}
