// Short news at the corner: what was done and how to take it back, or what was refused and why.

import { Toaster as Primitive, toast } from 'sonner';
import { words } from '../strings/words.ts';
import './toaster.css';

export function Toaster() {
  return (
    <Primitive
      position="bottom-center"
      gap={8}
      offset={20}
      visibleToasts={4}
      containerAriaLabel={words.common.news}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast: 'toast',
          error: 'toast-bad',
          actionButton: 'toast-action',
          content: 'toast-words',
          description: 'toast-more',
        },
      }}
      icons={{ success: null, error: null, info: null }}
    />
  );
}

export function tell(sentence: string, action?: { label: string; onPick: () => void }, ms = 5000): void {
  toast(sentence, { duration: ms, ...(action ? { action: { label: action.label, onClick: action.onPick } } : {}) });
}

export function complain(sentence: string, more?: string): void {
  toast.error(sentence, { duration: 9000, ...(more ? { description: more } : {}) });
}
