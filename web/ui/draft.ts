// What someone is typing, apart from what the store says: news from elsewhere never overwrites a draft.

import { useState } from 'react';

export interface Draft {
  readonly text: string;
  readonly dirty: boolean;
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
