// Corner of the toasts; fetched on demand.

import { useEffect, useRef } from 'react';
import { Toaster, toast } from 'sonner';
import { t } from '../../strings/messages.ts';
import styles from './toaster.module.css';

/** So far from the bottom, and from each other. */
const edge = 20;
const gap = 8;
const most = 4;

/** `onStand`: news is shown from then on, until what it returns is called. */
export default function ToastCorner({ onStand }: { onStand: (show: typeof toast) => () => void }) {
  // The library's own effect, below, has run by now: what is said before it listens would be lost.
  useEffect(() => onStand(toast), [onStand]);
  const corner = useRef<HTMLElement>(null);
  useEffect(() => (corner.current ? tellHeight(corner.current) : undefined), []);
  return (
    <Toaster
      ref={corner}
      position="bottom-center"
      className={styles.corner}
      gap={gap}
      // Above a bar of actions that stands at the bottom.
      offset={{ bottom: `calc(${edge}px + var(--bulk))` }}
      mobileOffset={{ bottom: `calc(${edge}px + var(--bar) + var(--bulk) + env(safe-area-inset-bottom))` }}
      visibleToasts={most}
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

/** `--toasts`: height that messages take above the foot of the page, for what must not lie below them (page.module.css). */
function tellHeight(corner: HTMLElement): () => void {
  const { style } = document.documentElement;
  const tell = (): void => {
    const list = corner.querySelector<HTMLElement>('[data-sonner-toaster]');
    const count = corner.querySelectorAll('[data-sonner-toast]:not([data-removed="true"])').length;
    const front = list?.style.getPropertyValue('--front-toast-height') ?? '';
    if (count === 0 || front === '') style.removeProperty('--toasts');
    else style.setProperty('--toasts', `calc(${front} + ${edge + gap * Math.min(count, most)}px)`);
  };
  const observer = new MutationObserver(tell);
  observer.observe(corner, { subtree: true, childList: true, attributeFilter: ['style', 'data-removed'] });
  return () => {
    observer.disconnect();
    style.removeProperty('--toasts');
  };
}
