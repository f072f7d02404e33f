// Where short news appears; fetched after the first screen is drawn.

import { Toaster } from 'sonner';
import { words } from '../strings/words.ts';
import './toaster.css';

export default function ToastCorner() {
  return (
    <Toaster
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
