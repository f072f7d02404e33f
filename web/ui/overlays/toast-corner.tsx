// Corner of the toasts; fetched on demand.

import { useEffect } from 'react';
import { Toaster, toast } from 'sonner';
import { t } from '../../strings/messages.ts';
import styles from './toaster.module.css';

/** `onStand`: news is shown from then on, until what it returns is called. */
export default function ToastCorner({ onStand }: { onStand: (show: typeof toast) => () => void }) {
  // The library's own effect, below, has run by now: what is said before it listens would be lost.
  useEffect(() => onStand(toast), [onStand]);
  return (
    <Toaster
      position="bottom-center"
      className={styles.corner}
      gap={8}
      // Above a bar of actions that stands at the bottom.
      offset={{ bottom: 'calc(20px + var(--bulk))' }}
      mobileOffset={{ bottom: 'calc(20px + var(--bar) + var(--bulk) + env(safe-area-inset-bottom))' }}
      visibleToasts={4}
      containerAriaLabel={t('common.news')}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast: styles.toast,
          error: styles.toastBad,
          actionButton: styles.toastAction,
          content: styles.toastWords,
          description: styles.toastMore,
        },
      }}
      icons={{ success: null, error: null, info: null }}
    />
  );
}
