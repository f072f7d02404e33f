// Short news at the corner: what was done and how to take it back, or what was refused and why.

import { lazy, Suspense } from 'react';
import { words } from '../strings/words.ts';

const ToastCorner = lazy(() => import('./toast-corner.tsx'));

export function Toaster() {
  return (
    <Suspense>
      <ToastCorner />
    </Suspense>
  );
}

interface Offer {
  readonly label: string;
  readonly onPick: () => void;
}

export function tell(sentence: string, ms = 5000): void {
  void import('sonner').then(({ toast }) => toast(sentence, { duration: ms }));
}

/** News with a way back, which can be cleared away by its name. */
export function offer(id: string, sentence: string, ms: number | undefined, action: Offer): void {
  void import('sonner').then(({ toast }) =>
    toast(sentence, { id, duration: ms ?? 5000, action: { label: action.label, onClick: action.onPick } }),
  );
}

export function clearAway(id: string): void {
  void import('sonner').then(({ toast }) => toast.dismiss(id));
}

export function complain(sentence: string, more?: string): void {
  void import('sonner').then(({ toast }) =>
    toast.error(sentence, { duration: 9000, ...(more ? { description: more } : {}) }),
  );
}

export function tellCopied(copied: boolean): void {
  if (copied) tell(words.common.copied, 2500);
  else complain(words.common.notCopied);
}
