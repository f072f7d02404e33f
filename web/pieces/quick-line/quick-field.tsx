// Field of a quick line. After "@", "#", "!" and "^" it offers people, labels, priorities and days below it; a label that is not there is created.

import { Plus } from 'lucide-react';
import {
  type InputHTMLAttributes,
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createLabel, useAct } from '../../commands.ts';
import { type LineSign, newLabelIn, offersFor, signAt } from '../../queries/tasks/line-offers.ts';
import { t } from '../../strings/messages.ts';
import { type Offer, type OfferKeys, OfferList } from '../../ui/fields/offer-list.tsx';
import { nextSwatch } from '../../ui/palette.ts';
import { PartSign } from './part-sign.tsx';
import styles from './quick-line.module.css';
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
  const { sign, close, readCaret } = useSign(line.text);
  const put = usePut(line, field);
  const items = useOffers(line, line.plain ? null : sign, put);
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

/** The sign at the caret, until its offers are closed. */
function useSign(text: string) {
  const [caret, setCaret] = useState(0);
  const [closed, setClosed] = useState<number | null>(null);
  const readCaret = ({ currentTarget }: SyntheticEvent<HTMLInputElement>): void =>
    setCaret(currentTarget.selectionStart ?? 0);
  const sign = signAt(text, Math.min(caret, text.length));
  const isNone = sign === null;
  useEffect(() => {
    if (isNone) setClosed(null);
  }, [isNone]);
  return { sign: sign?.from === closed ? null : sign, close: () => setClosed(sign?.from ?? null), readCaret };
}

/** Replaces the sign and its letters; the caret stands behind what was put there, before the next key. */
function usePut({ typed, type }: QuickLine, field: RefObject<Field | null>) {
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current === null) return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  return ({ from, typed: letters }: LineSign, words: string): void => {
    const before = `${typed.current.slice(0, from)}${words} `;
    caret.current = before.length;
    type(before + typed.current.slice(from + 1 + letters.length).trimStart());
  };
}

function useOffers(
  { projectId, words }: QuickLine,
  sign: LineSign | null,
  put: (sign: LineSign, words: string) => void,
): readonly Offer[] {
  const act = useAct();
  if (sign === null) return [];
  const label = newLabelIn(sign, words);
  return [
    ...offersFor(sign, words).map(({ part, name, puts }) => ({
      ...{ id: part.is, name },
      icon: <PartSign part={part} words={words} />,
      pick: () => put(sign, puts),
    })),
    ...(label === null
      ? []
      : [
          {
            id: 'new',
            name: t('task.makeLabel', { name: label }),
            icon: <Plus size={13} aria-hidden="true" />,
            pick: () => {
              void act(createLabel, projectId, label, nextSwatch(words.labels.map(({ color }) => color ?? null)));
              put(sign, `#${label}`);
            },
          },
        ]),
  ];
}
