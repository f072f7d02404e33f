// Where short news appears; fetched after the first screen is drawn.

import { Toaster } from 'sonner';
import { t } from '../strings/messages.ts';
import styles from './toaster.module.css';

export default function ToastCorner() {
  return (
    <Toaster
      position="bottom-center"
      gap={8}
      offset={20}
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
