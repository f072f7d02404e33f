// Draft of a field, apart from the store: changes by others never overwrite it.

import type { ChangeEvent, KeyboardEvent } from 'react';
import { useLayoutEffect, useState } from 'react';
import { useLatest } from '../use-latest.ts';

export interface Draft {
  readonly text: string;
  readonly dirty: boolean;
  /** Where what it is based on is kept, if it outlives the page. */
  readonly basedOn?: string;
  set(text: string): void;
  /** Back to what the store says. */
  reset(): void;
  /** The draft has become what the store says. */
  settle(): void;
}

export function useDraft(stored: string): Draft {
  const [draft, setDraft] = useState<string | null>(null);
  return {
    text: draft ?? stored,
    dirty: draft !== null && draft !== stored,
    set: setDraft,
    reset: () => setDraft(null),
    settle: () => setDraft(null),
  };
}

/** Like `useDraft`, and what was typed outlives the page: a crash, a reload, a session that ended. One name per mounted field. */
export function useStoredDraft(name: string, stored: string): Draft {
  const [draft, setDraft] = useState<string | null>(() => recall(name));
  const set = (text: string | null): void => {
    setDraft(text);
    keep(name, text === stored ? null : text);
  };
  return {
    text: draft ?? stored,
    dirty: draft !== null && draft !== stored,
    basedOn: `${name}:over`,
    set,
    reset: () => set(null),
    settle: () => set(null),
  };
}

export function recall(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** What was typed is not wanted any more, and its field is not there to say so. */
export function forget(name: string): void {
  for (const one of [name, `${name}:over`]) keep(one, null);
}

/** Null: no longer. */
export function keep(name: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // A device that keeps nothing: then it lives as long as the page.
  }
}

/** A field that goes away without being left (the browser's Back) saves all the same. */
export function useSaveOnLeaving(save: () => unknown): void {
  const latest = useLatest(save);
  useLayoutEffect(() => () => void latest.current(), [latest]);
}

export interface SavedField {
  readonly text: string;
  /** What was wrong with what was typed. */
  readonly fault: string | null;
  /** For the input itself. */
  readonly field: {
    readonly value: string;
    onChange(event: ChangeEvent<HTMLInputElement>): void;
    onBlur(): void;
    onKeyDown(event: KeyboardEvent<HTMLInputElement>): void;
  };
}

/**
 * A field that is saved by leaving it or by Enter; Escape puts back what was there.
 * `save` is given what was typed, if it is something else, and answers what is wrong with it: then it stays as typed.
 */
export function useSavedField(stored: string, save: (text: string) => string | null): SavedField {
  const draft = useDraft(stored);
  const [fault, setFault] = useState<string | null>(null);
  useSaveOnLeaving(() => {
    if (draft.dirty) save(draft.text.trim());
  });
  function leave(): void {
    const wrong = draft.dirty ? save(draft.text.trim()) : null;
    setFault(wrong);
    if (wrong === null) draft.settle();
  }
  return {
    text: draft.text,
    fault,
    field: {
      value: draft.text,
      onChange: (event) => draft.set(event.target.value),
      onBlur: leave,
      onKeyDown: (event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.currentTarget.blur();
        if (event.key === 'Escape' && draft.dirty) {
          event.preventDefault();
          draft.reset();
          setFault(null);
        }
      },
    },
  };
}
