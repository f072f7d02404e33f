// A long list, shortened, and its end: a button that goes when it is pressed; the focus stays with what it showed.

import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { t } from '../../strings/messages.ts';
import { Button } from '../button.tsx';

export interface ShowAllProps {
  readonly list: RefObject<HTMLElement | null>;
  readonly onShow: () => void;
  readonly children: ReactNode;
}

export function ShowAll({ list, onShow, children }: ShowAllProps) {
  return (
    <Button
      look="quiet"
      onClick={() => {
        list.current?.focus();
        onShow();
      }}
    >
      {children}
    </Button>
  );
}

interface FirstOnes<T> {
  readonly shown: readonly T[];
  /** Around what is shown; has the focus when the rest comes. */
  readonly list: RefObject<HTMLUListElement | null>;
  /** Stands behind the list. */
  readonly more: ReactNode;
}

/** The first of them, until all are asked for. */
export function useFirstOnes<T>(items: readonly T[], most = 60): FirstOnes<T> {
  const list = useRef<HTMLUListElement>(null);
  const [all, setAll] = useState(false);
  const isCut = !all && items.length > most;
  return {
    shown: isCut ? items.slice(0, most) : items,
    list,
    more: isCut && (
      <ShowAll list={list} onShow={() => setAll(true)}>
        {t('common.showAll', { n: items.length })}
      </ShowAll>
    ),
  };
}
