// Field of a quick line. After "@", "#", "!" and "^" it offers people, labels, priorities and days below it; a label that is not there is created.

import { type InputHTMLAttributes, type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import { t } from '../../strings/messages.ts';
import { type OfferKeys, OfferList } from '../../ui/fields/offer-list.tsx';
import styles from './quick-line.module.css';
import { useLineOffers } from './use-line-offers.tsx';
import type { QuickLine } from './use-quick-line.ts';

type Field = HTMLInputElement & HTMLTextAreaElement;

interface QuickFieldProps extends Omit<InputHTMLAttributes<Field>, 'value' | 'onChange'> {
  readonly line: QuickLine;
  readonly field: RefObject<Field | null>;
  /** A pasted list keeps its lines. */
  readonly several?: boolean;
  readonly rows?: number;
}

export function QuickField({ line, field, several = false, onKeyDown, ...rest }: QuickFieldProps) {
  const listId = useId();
  const keys: OfferKeys = useRef(null);
  const [active, setActive] = useState<string | null>(null);
  const { sign, items, close, readCaret } = useLineOffers(line, field);
  const press = (event: KeyboardEvent<Field>): void => {
    if (!event.nativeEvent.isComposing && keys.current?.(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else onKeyDown?.(event);
  };
  // Both take the same attributes here.
  const Tag = (several ? 'textarea' : 'input') as 'input';
  return (
    <>
      <Tag
        {...rest}
        ref={field}
        autoComplete="off"
        aria-autocomplete="list"
        aria-controls={items.length > 0 ? listId : undefined}
        aria-activedescendant={active ?? undefined}
        value={line.text}
        onChange={(event) => {
          line.type(event.target.value);
          readCaret(event);
        }}
        onSelect={readCaret}
        onKeyDown={press}
      />
      <OfferList
        // Other offers, and none is chosen.
        key={sign?.sign}
        id={listId}
        label={t('common.suggestions')}
        items={items}
        className={styles.offers}
        tabTakes
        keys={keys}
        onActive={setActive}
        onClose={close}
      />
    </>
  );
}
