// The filter in one box: chips of conditions, and words that are typed. As one types, or at f and the arrow down, it offers conditions.

import { ListFilter, TextSearch } from 'lucide-react';
import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { type Property, partsOf } from '../../../../contract/views.ts';
import { useActions } from '../../../actions/registry.tsx';
import { t } from '../../../strings/messages.ts';
import shapes from '../../../styles/shapes.module.css';
import { IconButton } from '../../../ui/button.tsx';
import { useDraft, useSaveOnLeaving } from '../../../ui/fields/draft.ts';
import fieldStyles from '../../../ui/fields/field.module.css';
import type { OfferKeys } from '../../../ui/fields/offer-list.tsx';
import { lazyComponent } from '../../../ui/lazy-component.tsx';
import { HoldKeys } from '../../../ui/overlays/buffered-keys.ts';
import { useLatest } from '../../../ui/use-latest.ts';
import type { ViewHandle } from '../view-handle.ts';
import { narrowed, putTyped, typedAt, typedIn } from './edit-filter.ts';
import styles from './filter-box.module.css';

const FilterChips = lazyComponent(() => import('./filter-chips.tsx'), ['views']);
const FilterOffers = lazyComponent(() => import('./filter-offers.tsx'), ['views']);

/** `typing`: the words filter, too. `picking`: they find a condition, as long as they are part of one's name. */
type Offer = 'typing' | 'picking' | null;

export function FilterBox({ projectId, handle }: { projectId: string; handle: ViewHandle }) {
  const { filter } = handle.view;
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  /** Has the focus again afterwards: the field where one was in it, else the button, where keys are the page's. */
  const back = useRef<HTMLElement>(null);
  const keys: OfferKeys = useRef(null);
  const listId = useId();
  const [offer, setOffer] = useState<Offer>(null);
  const [needle, setNeedle] = useState('');
  const [active, setActive] = useState<string | null>(null);
  const [begun, setBegun] = useState<Property | null>(null);
  const words = useWords(handle);
  const chips = partsOf(filter).length > (typedAt(filter) < 0 ? 0 : 1);
  const picking = offer === 'picking';
  const pick = (): void => {
    back.current = document.activeElement === field.current ? field.current : button.current;
    field.current?.focus();
    setNeedle('');
    setOffer('picking');
  };
  const close = (): void => {
    setOffer(null);
    setNeedle('');
  };
  const leave = (): void => {
    close();
    if (picking) back.current?.focus();
  };
  useFilterActions(pick, field);
  const type = (value: string): void => {
    if (picking) setNeedle(value);
    else words.set(value);
    if (!picking) setOffer(value.trim() === '' ? null : 'typing');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const isTaken = offer !== null && keys.current?.(event) === true;
    const isEmpty = (picking ? needle : words.text) === '';
    if (isTaken) event.stopPropagation();
    else if (event.key === 'ArrowDown' && offer === null) pick();
    else if (event.key !== 'Backspace' || !isEmpty || !focusLastChip(box.current)) return;
    event.preventDefault();
  };
  /** The words that found it are no words to filter by. */
  function chosen(): void {
    if (offer === 'typing') words.apply('');
    close();
  }
  return (
    <Frame box={box} chips={chips} onLeave={close}>
      <IconButton
        ref={button}
        label={t('board.filters.add')}
        className={styles.pick}
        aria-haspopup="listbox"
        aria-expanded={picking}
        onClick={pick}
        onFocus={FilterOffers.fetch}
        onPointerEnter={FilterOffers.fetch}
      >
        <ListFilter size={15} />
      </IconButton>
      {(chips || begun !== null) && (
        <FilterChips
          projectId={projectId}
          filter={filter}
          onChange={(next) => handle.set({ filter: next })}
          begun={begun}
          box={box}
          back={back}
          onDone={() => setBegun(null)}
          meanwhile={begun !== null && <HoldKeys />}
        />
      )}
      <WordsField
        ref={field}
        picking={picking}
        aria-controls={offer === null ? undefined : listId}
        aria-activedescendant={active ?? undefined}
        value={picking ? needle : words.text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {offer !== null && (
        <FilterOffers
          key={offer}
          id={listId}
          projectId={projectId}
          text={picking ? needle : words.text}
          picking={picking}
          keys={keys}
          onActive={setActive}
          onPick={(property) => {
            chosen();
            setBegun(property);
          }}
          onPreset={(parts) => {
            const bare = picking ? filter : putTyped(filter, '');
            chosen();
            handle.set({ filter: narrowed(bare, parts) });
            leave();
          }}
          onNothing={() => {
            // They are words then, after those there are.
            words.set(words.text === '' ? needle : `${words.text} ${needle}`);
            setNeedle('');
            setOffer('typing');
          }}
          onClose={leave}
          meanwhile={picking && <HoldKeys />}
        />
      )}
    </Frame>
  );
}

interface FrameProps {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly chips: boolean;
  readonly onLeave: () => void;
  readonly children: ReactNode;
}

function Frame({ box, chips, onLeave, children }: FrameProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears of focus that leaves, and is nothing to press
    <div
      ref={box}
      className={`${shapes.row} ${shapes.holder} ${shapes.surface} ${shapes.control} ${styles.box}`}
      data-chips={chips || undefined}
      onBlur={(event: FocusEvent) => {
        if (!box.current?.contains(event.relatedTarget as Node | null)) onLeave();
      }}
    >
      {children}
    </div>
  );
}

/** True: there is one. */
function focusLastChip(box: HTMLElement | null): boolean {
  const last = [...(box?.querySelectorAll<HTMLElement>('[data-chip]') ?? [])].at(-1);
  last?.focus();
  return last !== undefined;
}

function useFilterActions(onPick: () => void, field: RefObject<HTMLInputElement | null>): void {
  useActions([
    {
      id: 'filter',
      label: t('board.filters.add'),
      group: 'project',
      keys: 'f',
      icon: <ListFilter size={16} />,
      effect: onPick,
    },
    {
      id: 'filter-text',
      label: t('board.filters.text'),
      group: 'project',
      keys: 'shift+f',
      icon: <TextSearch size={16} />,
      effect: () => field.current?.focus(),
    },
  ]);
}

function WordsField({ picking, ...rest }: ComponentProps<'input'> & { picking: boolean }) {
  return (
    <input
      className={`${fieldStyles.input} ${styles.field}`}
      type="search"
      autoComplete="off"
      aria-label={t('board.filters.text')}
      aria-autocomplete="list"
      aria-haspopup="listbox"
      placeholder={picking ? t('board.filters.pick') : t('board.filters.textPlaceholder')}
      onFocus={FilterOffers.fetch}
      {...rest}
    />
  );
}

/** Typing is answered at once; the board follows when the fingers rest. */
function useWords(handle: ViewHandle) {
  const draft = useDraft(typedIn(handle.view.filter));
  const latest = useLatest(handle);
  const { text, dirty, settle, set } = draft;
  const apply = (words: string): void => {
    const { current: now } = latest;
    now.set({ filter: putTyped(now.view.filter, words) });
    settle();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the timer is for the text alone
  useEffect(() => {
    if (!dirty) return;
    const timer = setTimeout(() => apply(text), 140);
    return () => clearTimeout(timer);
  }, [text, dirty]);
  // A sheet that closes at once takes the field with it.
  useSaveOnLeaving(() => dirty && apply(text));
  return { text, set, apply };
}
