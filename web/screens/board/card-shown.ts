// Parts of a card beside its title, as a view says: parts of a task by name, and fields of the project.

import { createContext, use } from 'react';
import { isFieldProperty } from '../../../contract/field-properties.ts';
import type { Shown } from '../../../contract/views.ts';

export const cardParts = ['key', 'priority', 'people', 'labels', 'due', 'progress', 'counts', 'cover'] as const;
export type CardPart = (typeof cardParts)[number];

/** In the order they are shown in: parts, and fields by their property. */
export function partsShown({ card }: Shown): readonly string[] {
  if (!Array.isArray(card)) return cardParts;
  return (card as readonly unknown[]).filter(
    (one): one is string => cardParts.some((part) => part === one) || isFieldProperty(one),
  );
}

export function hidesEmpty({ empty }: Shown): boolean {
  return empty === false;
}

export const CardShown = createContext<readonly string[]>(cardParts);

export function useCardShown(): readonly string[] {
  return use(CardShown);
}
