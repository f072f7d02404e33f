// Attachment that is open in the viewer; every part that shows a picture of one may open it.

import { useSyncExternalStore } from 'react';

let openId: string | null = null;
const listeners = new Set<() => void>();

export function openAttachment(id: string | null): void {
  openId = id;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useOpenAttachment(): string | null {
  return useSyncExternalStore(subscribe, () => openId);
}
