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

/** News that stay until `clearAway`: something is going on that its reader should know of. */
export function stay(id: string, sentence: string, more: string, action: { label: string; onPick: () => void }): void {
  void import('sonner').then(({ toast }) =>
    toast.error(sentence, {
      id,
      duration: Number.POSITIVE_INFINITY,
      description: more,
      action: {
        label: action.label,
        onClick: (event) => {
          // Stays until there is something else to say.
          event.preventDefault();
          action.onPick();
        },
      },
    }),
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
