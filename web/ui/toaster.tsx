// Short messages at the corner: what was done and how to take it back, or what was refused and why.

import { lazy, Suspense } from 'react';
import { t } from '../strings/messages.ts';

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

export function showMessage(sentence: string, ms = 5000): void {
  void import('sonner').then(({ toast }) => toast(sentence, { duration: ms }));
}

/** A message with a button that takes it back; it can be removed by its name. */
export function showOffer(id: string, sentence: string, ms: number | undefined, action: Offer): void {
  void import('sonner').then(({ toast }) =>
    toast(sentence, { id, duration: ms ?? 5000, action: { label: action.label, onClick: action.onPick } }),
  );
}

export function removeMessage(id: string): void {
  void import('sonner').then(({ toast }) => toast.dismiss(id));
}

export function showError(sentence: string, more?: string): void {
  void import('sonner').then(({ toast }) =>
    toast.error(sentence, { duration: 9000, ...(more ? { description: more } : {}) }),
  );
}

export function showCopied(copied: boolean): void {
  if (copied) showMessage(t('common.copied'), 2500);
  else showError(t('common.notCopied'));
}
