// Conditions offered below the filter box: properties whose names hold what is typed, and what is asked most. Fetched when they are needed.

import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Part, Property } from '../../../../contract/views.ts';
import { t } from '../../../strings/messages.ts';
import { type OfferKeys, OfferList } from '../../../ui/fields/offer-list.tsx';
import { ReplayKeys } from '../../../ui/overlays/buffered-keys.ts';
import styles from './filter-box.module.css';
import { useFilterNames } from './names.tsx';
import { presets } from './presets.ts';

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
  const isNone = items.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, when there is none any more
  useEffect(() => {
    if (isNone && picking) onNothing();
  }, [isNone, picking]);
  const ofList: OfferKeys = useRef(null);
  useLayoutEffect(() => {
    keys.current = (event) => {
      // With nothing offered, keys are the field's: Escape empties it.
      if (isNone && !picking) return false;
      if (ofList.current?.(event)) return true;
      if (event.ctrlKey || event.metaKey || event.altKey || !['Enter', 'Escape'].includes(event.key)) return false;
      onClose();
      return true;
    };
    return () => {
      keys.current = null;
    };
  });
  return (
    <>
      {picking && <ReplayKeys />}
      <OfferList
        {...{ id, items, onActive, onClose }}
        label={t('views.add')}
        className={styles.offers}
        ready={picking}
        keys={ofList}
      />
    </>
  );
}
