// Toasts: short messages about changes with an undo, and about errors with their reason. The corner is fetched with the first of them or when the
// page is idle; messages before that are shown once it is there.

import { useEffect, useSyncExternalStore } from 'react';
import type { toast as Toast } from 'sonner';
import { loadModule } from '../../load-module.ts';
import { t } from '../../strings/messages.ts';
import { lazyComponent } from '../lazy-component.tsx';

type Say = (toast: typeof Toast) => void;

const loadCorner = () => loadModule(() => import('./toast-corner.tsx'));
const ToastCorner = lazyComponent(loadCorner);

let waiting: Say[] = [];
let corner: typeof Toast | null = null;
let wanted = false;
const listeners = new Set<() => void>();

/** Fetches it ahead of need: a message that the network is gone needs no network then. */
export function prepareToaster(): void {
  void loadCorner().then(want, () => undefined);
}

export function Toaster() {
  const isWanted = useSyncExternalStore(listen, () => wanted);
  // What nobody has seen is not for whoever comes next.
  useEffect(
    () => () => {
      waiting = [];
      wanted = false;
    },
    [],
  );
  return isWanted && <ToastCorner onStand={stand} />;
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function want(): void {
  if (wanted) return;
  wanted = true;
  for (const listener of listeners) listener();
}

/** The corner listens from now on, until the returned function is called. */
function stand(toast: typeof Toast): () => void {
  corner = toast;
  for (const say of waiting.splice(0)) say(toast);
  return () => {
    corner = null;
  };
}

function say(work: Say): void {
  if (corner !== null) {
    work(corner);
    return;
  }
  waiting.push(work);
  // Drawn only once it is here: a fetch that fails now is tried again with the next message.
  prepareToaster();
}

interface Offer {
  readonly label: string;
  readonly onPick: () => void;
}

export function showMessage(sentence: string, ms = 5000): void {
  say((toast) => toast(sentence, { duration: ms }));
}

/** A message with a button that takes it back; it can be removed by its name. */
export function showOffer(id: string, sentence: string, ms: number | undefined, action: Offer): void {
  say((toast) =>
    toast(sentence, { id, duration: ms ?? 5000, action: { label: action.label, onClick: action.onPick } }),
  );
}

export function removeMessage(id: string): void {
  if (corner !== null || waiting.length > 0) say((toast) => toast.dismiss(id));
}

export function showError(sentence: string, more?: string, action?: Offer): void {
  say((toast) =>
    toast.error(sentence, {
      duration: 9000,
      ...(more ? { description: more } : {}),
      ...(action ? { action: { label: action.label, onClick: action.onPick } } : {}),
    }),
  );
}

export function showCopied(copied: boolean): void {
  if (copied) showMessage(t('common.copied'), 2500);
  else showError(t('common.notCopied'));
}
