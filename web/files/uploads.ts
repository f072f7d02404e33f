// Uploads of attachments: a few at a time, stored on this device until they have arrived, retried while the server can't be
// reached, stopped with the reason when it refuses. A command then writes the row, as for any other change.

import { addAttachment, type NewAttachment, Refusal } from '../commands.ts';
import { removeUpload, type SavedUpload, savedUpload, savedUploads, saveUpload } from '../sync/saved-uploads.ts';
import type { Sync } from '../sync/sync.ts';
import { sayUploadFault } from './say-upload-fault.ts';
import { forgotten, sendFile } from './send-file.ts';
import { announceUploads } from './upload-signal.ts';

export interface Upload {
  /** The attachment it becomes. */
  readonly attachment: NewAttachment;
  readonly state: 'waiting' | 'sending' | 'unreachable' | 'failed';
  readonly sent: number;
  /** Why it failed, or has to wait, in words. */
  readonly fault: string | null;
  /** A picture can be shown before it has arrived. */
  readonly preview: string | null;
}

export interface Uploads {
  /** The same list until one of them changes; oldest first. */
  readonly list: readonly Upload[];
  subscribe(listener: () => void): () => void;
  /** Starts at once. */
  add(attachment: NewAttachment, file: File): void;
  cancel(id: string): void;
  retry(id: string): void;
  /** Stops; what has not arrived is taken up again by the next page. */
  close(): void;
}

export function percentOf({ sent, attachment }: Upload): number {
  return attachment.size_bytes === 0 ? 100 : Math.min(100, Math.floor((sent / attachment.size_bytes) * 100));
}

const atOnce = 3;
const firstPauseMs = 1000;
const longestPauseMs = 60_000;

interface Running {
  shown: Upload;
  kept: SavedUpload;
  /** Whether this device has a record of it, which whoever finishes it removes: it may be another window. */
  isKept: boolean;
  /** The bytes are there: the row shows it from now on. */
  hasArrived: boolean;
  attempts: number;
  stop: AbortController | null;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export function openUploads(sync: Sync): Uploads {
  const running = new Map<string, Running>();
  const overview = openOverview(running);
  const { changed, show } = overview;
  let isSafe = true;
  let closed = false;

  function begin(kept: SavedUpload, isKept: boolean): Running {
    const one = waitingOne(kept, isKept);
    running.set(kept.attachment.id, one);
    return one;
  }

  function end(one: Running): void {
    clearTimeout(one.timer);
    running.delete(one.kept.attachment.id);
    void removeUpload(one.kept.attachment.id);
    // Whoever shows it has a moment to show the picture from the server instead.
    const { preview } = one.shown;
    if (preview !== null) setTimeout(() => URL.revokeObjectURL(preview), 10_000);
    announceUploads(sync.userId, running.size);
    changed();
    startMore();
  }

  function startMore(): void {
    if (closed) return;
    let busy = [...running.values()].filter(({ stop }) => stop !== null).length;
    for (const one of running.values()) {
      if (busy >= atOnce) return;
      if (one.stop !== null || one.timer !== undefined || one.shown.state !== 'waiting') continue;
      busy++;
      one.stop = new AbortController();
      void run(one, one.stop.signal);
    }
  }

  async function run(one: Running, signal: AbortSignal): Promise<void> {
    try {
      await alone(one.kept.attachment.id, () => deliver(sync, one, signal, overview));
      end(one);
    } catch (reason) {
      one.stop = null;
      one.hasArrived = false;
      if (!signal.aborted) failed(one, reason);
    }
  }

  function failed(one: Running, reason: unknown): void {
    const fault = sayUploadFault(reason, one.kept.attachment);
    if (isTemporary(reason)) {
      show(one, { state: 'unreachable', fault });
      one.timer = setTimeout(() => again(one), pauseAfter(one.attempts++));
    } else show(one, { state: 'failed', fault });
    startMore();
  }

  function again(one: Running): void {
    clearTimeout(one.timer);
    one.timer = undefined;
    if (one.stop !== null) return;
    show(one, { state: 'waiting', fault: null });
    startMore();
  }

  const forgetPage = watchPage({
    online() {
      for (const one of running.values()) if (one.shown.state === 'unreachable') again(one);
    },
    mayLeave: () => running.size === 0 || isSafe,
  });
  void savedUploads(sync.userId).then((all) => {
    if (closed) return;
    for (const kept of all) if (!running.has(kept.attachment.id)) begin(kept, true);
    announceUploads(sync.userId, running.size);
    changed();
    startMore();
  });

  return {
    get list() {
      return overview.list;
    },
    subscribe: overview.subscribe,
    add(attachment, file) {
      const one = begin({ userId: sync.userId, attachment, file, address: null }, false);
      announceUploads(sync.userId, running.size);
      changed();
      // What has begun to be sent and could not be kept would be lost by a reload: the page asks before it goes.
      void saveUpload(one.kept).then((kept) => {
        one.isKept = kept;
        isSafe &&= kept;
      });
      startMore();
    },
    cancel(id) {
      const one = running.get(id);
      if (one === undefined) return;
      one.stop?.abort(forgotten);
      end(one);
    },
    retry(id) {
      const one = running.get(id);
      if (one !== undefined) again(one);
    },
    close() {
      closed = true;
      forgetPage();
      for (const one of running.values()) {
        clearTimeout(one.timer);
        one.stop?.abort();
        if (one.shown.preview !== null) URL.revokeObjectURL(one.shown.preview);
      }
      running.clear();
    },
  };
}

/** Sends one, and makes it a row. */
async function deliver(sync: Sync, one: Running, signal: AbortSignal, { show, changed }: Overview): Promise<void> {
  const { attachment } = one.kept;
  if (one.isKept) {
    const kept = await savedUpload(attachment.id);
    if (kept === null) return;
    one.kept = kept;
  }
  // The server takes no file of a task that was made here a moment ago and has not come there.
  const { store, journal } = sync;
  if (store.get('tasks', attachment.task_id) && !store.base('tasks', attachment.task_id)) await journal.idle();
  show(one, { state: 'sending', fault: null });
  await sendFile(sync.door, one.kept, {
    signal,
    onProgress: (sent) => show(one, { sent }),
    onAccepted: () => {
      one.attempts = 0;
    },
    onAddress: (address) => {
      one.kept = { ...one.kept, address };
      void saveUpload(one.kept);
    },
  });
  const arrived = sync.journal.run(addAttachment(sync.store, attachment, sync.userId));
  one.hasArrived = true;
  changed();
  await arrived;
}

type Overview = ReturnType<typeof openOverview>;

/** What others see of the uploads: all that have not arrived. */
function openOverview(running: ReadonlyMap<string, Running>) {
  const listeners = new Set<() => void>();
  let list: readonly Upload[] = [];
  function changed(): void {
    list = [...running.values()].filter(({ hasArrived }) => !hasArrived).map(({ shown }) => shown);
    for (const listener of listeners) listener();
  }
  return {
    get list() {
      return list;
    },
    changed,
    show(one: Running, part: Partial<Upload>): void {
      one.shown = { ...one.shown, ...part };
      changed();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Nobody answered, or somebody who could not just then; a full disk does not pass by itself, nor do uploads that others have begun. */
function isTemporary(reason: unknown): boolean {
  if (!(reason instanceof Refusal) || reason.status === 507 || reason.code === 'TooManyUploads') return false;
  return reason.isTemporary || reason.status >= 500;
}

/** Twice as long each time, and never the same on all devices that lost the same server. */
function pauseAfter(attempts: number): number {
  const pause = Math.min(firstPauseMs * 2 ** attempts, longestPauseMs);
  return pause / 2 + Math.random() * (pause / 2);
}

/** Goes on when the network is back, and asks before what is not kept would be lost. */
function watchPage({ online, mayLeave }: { online: () => void; mayLeave: () => boolean }): () => void {
  const leave = (event: BeforeUnloadEvent): void => {
    if (!mayLeave()) event.preventDefault();
  };
  window.addEventListener('online', online);
  window.addEventListener('beforeunload', leave);
  return () => {
    window.removeEventListener('online', online);
    window.removeEventListener('beforeunload', leave);
  };
}

function waitingOne(kept: SavedUpload, isKept: boolean): Running {
  const { attachment, file } = kept;
  const preview = attachment.content_type.startsWith('image/') ? URL.createObjectURL(file) : null;
  const shown: Upload = { attachment, state: 'waiting', sent: 0, fault: null, preview };
  return { shown, kept, isKept, hasArrived: false, attempts: 0, stop: null, timer: undefined };
}

/** Two windows never send the same file; the one that waits goes on when the other is closed. Plain http has no locks. */
async function alone(id: string, work: () => Promise<void>): Promise<void> {
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return work();
  await locks.request(`kanbase upload ${id}`, work);
}
