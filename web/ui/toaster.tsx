// Short news at the corner: what was done and how to take it back, or what was refused and why.

import { lazy, Suspense } from 'react';

const ToastCorner = lazy(() => import('./toast-corner.tsx'));

export function Toaster() {
  return (
    <Suspense>
      <ToastCorner />
    </Suspense>
  );
}

export function tell(sentence: string, action?: { label: string; onPick: () => void }, ms = 5000): void {
  void import('sonner').then(({ toast }) =>
    toast(sentence, { duration: ms, ...(action ? { action: { label: action.label, onClick: action.onPick } } : {}) }),
  );
}

export function complain(sentence: string, more?: string): void {
  void import('sonner').then(({ toast }) =>
    toast.error(sentence, { duration: 9000, ...(more ? { description: more } : {}) }),
  );
}
