// Limit of a text field in characters, as the database counts: an emoji is one of them. `maxlength` counts it as two or more, and cuts
// through it.

import type { CompositionEvent, FormEvent } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** What is too much of a text that was typed or pasted up to the caret: from where to where. */
export function excessOf(value: string, caret: number, most: number): readonly [from: number, to: number] | null {
  if (value.length <= most) return null;
  const excess = [...value].length - most;
  if (excess <= 0) return null;
  const typed = [...value.slice(0, caret)];
  return [typed.slice(0, Math.max(0, typed.length - excess)).join('').length, caret];
}

/** For the field itself, beside what hears of its changes: these come without what is too much. */
export function limitTo(most: number): {
  onInput(event: FormEvent<Field>): void;
  onCompositionEnd(event: CompositionEvent<Field>): void;
} {
  const cut = (field: Field): boolean => {
    const excess = excessOf(field.value, field.selectionEnd ?? field.value.length, most);
    if (excess !== null) field.setRangeText('', ...excess, 'end');
    return excess !== null;
  };
  return {
    onInput({ currentTarget: field, nativeEvent }) {
      if (!('isComposing' in nativeEvent && nativeEvent.isComposing === true)) cut(field);
    },
    // An input method may say nothing more once it has ended.
    onCompositionEnd({ currentTarget: field }) {
      if (cut(field)) field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    },
  };
}
