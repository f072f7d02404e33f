// Offers for the sign at the caret of a quick line: the names that fit, and a label that is created; what is picked replaces the sign and its
// letters. Drawn below the field (quick-field.tsx) or among the results of the palette.

import { Plus } from 'lucide-react';
import { type RefObject, type SyntheticEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createLabel, useAct } from '../../commands.ts';
import { type LineSign, newLabelIn, offersFor, signAt } from '../../queries/tasks/line-offers.ts';
import { t } from '../../strings/messages.ts';
import type { Offer } from '../../ui/fields/offer-list.tsx';
import { nextSwatch } from '../../ui/palette.ts';
import { PartSign } from './part-sign.tsx';
import type { QuickLine } from './use-quick-line.ts';

type FieldRef = RefObject<HTMLInputElement | HTMLTextAreaElement | null>;

export function useLineOffers(line: QuickLine, field: FieldRef) {
  const { sign, close, readCaret } = useSign(line.text);
  const put = usePut(line, field);
  const items = useOffers(line, line.plain ? null : sign, put);
  return { sign, items, close, readCaret };
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
function usePut({ typed, type }: QuickLine, field: FieldRef) {
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
