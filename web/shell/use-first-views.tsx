// First views of a list in the drawer, and a button with the rest: projects below stay in sight. Beside a page all of them stand.

import { type ReactNode, type RefObject, useRef, useState } from 'react';
import type { SavedViewRow } from '../queries.ts';
import { t } from '../strings/messages.ts';
import { ShowAll } from '../ui/lists/show-all.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import styles from './nav-views.module.css';

/** One more is as high as the button. */
const few = 4;

interface FirstViews {
  readonly shown: readonly SavedViewRow[];
  /** Around what is shown; has the focus when the rest comes. */
  readonly list: RefObject<HTMLUListElement | null>;
  readonly more: ReactNode;
}

/** `opened`: it is never among the rest. */
export function useFirstViews(views: readonly SavedViewRow[], opened: string | null | undefined): FirstViews {
  const narrow = useNarrow();
  const list = useRef<HTMLUListElement>(null);
  const [whole, setWhole] = useState(false);
  const isFolded = narrow && !whole && views.length > few + 1 && views.findIndex(({ id }) => id === opened) < few;
  return {
    shown: isFolded ? views.slice(0, few) : views,
    list,
    more: isFolded && (
      <div className={styles.more}>
        <ShowAll list={list} onShow={() => setWhole(true)}>
          {t('views.more', { n: views.length - few })}
        </ShowAll>
      </div>
    ),
  };
}
