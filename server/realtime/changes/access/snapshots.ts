// Snapshots: each shows the database as it was at one moment. Access to a change is read from the latest snapshot that was taken before the
// commit. One is closed as soon as the source has delivered all that the next one shows; however long that takes, every change to come has
// a snapshot.

import type { Moment } from '../change.ts';
import type { AccessSettings } from './check-connection.ts';
import { SnapshotAccess } from './snapshot-access.ts';

/** One more than are needed while the source keeps up. Beyond it the view before the last makes room. */
const viewLimit = 4;

export class Snapshots {
  readonly #settings: AccessSettings;
  readonly #isPast: (moment: Moment) => boolean;
  /** The oldest first. */
  #views: SnapshotAccess[] = [];
  #spare: SnapshotAccess[] = [];
  #renewing: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(settings: AccessSettings, isPast: (moment: Moment) => boolean) {
    this.#settings = settings;
    this.#isPast = isPast;
  }

  /** When the latest was taken; 0 when there is none. */
  get takenAt(): number {
    return this.#views.at(-1)?.moment.at ?? 0;
  }

  /** When the oldest was taken: answers given since then may still be asked for. */
  get since(): number {
    return this.#views[0]?.moment.at ?? Number.POSITIVE_INFINITY;
  }

  /** The latest view that was taken before this transaction was committed; null when there is none. */
  before(xid: number): SnapshotAccess | null {
    return this.#views.findLast((view) => view.isBefore(xid)) ?? null;
  }

  /** Whether some view was taken before this transaction was committed. */
  someBefore(xid: number): boolean {
    return this.#views.some((view) => view.isBefore(xid));
  }

  /** Whether the latest view was taken after this transaction was committed. */
  showsCommitted(xid: number): boolean {
    const latest = this.#views.at(-1);
    return latest?.isOpen === true && !latest.isBefore(xid);
  }

  /** Takes another view. Resolves when there is one that was taken after the call. */
  renew(): Promise<void> {
    if (this.#renewing === null) {
      this.#renewing = this.#renew().finally(() => {
        this.#renewing = null;
      });
      return this.#renewing;
    }
    // The one under way may have been taken already: whoever asks meanwhile shares the next.
    this.#next ??= this.#renewing
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        return this.renew();
      });
    return this.#next;
  }

  async #renew(): Promise<void> {
    this.#views = this.#views.filter((view) => view.isOpen || !this.#spare.push(view));
    for (let next = this.#views[1]; next !== undefined && this.#isPast(next.moment); next = this.#views[1])
      this.#spare.push(...this.#views.splice(0, 1));
    const view = this.#spare.pop() ?? new SnapshotAccess(this.#settings);
    try {
      await view.renew();
    } catch (error) {
      this.#spare.push(view);
      throw error;
    }
    this.#views.push(view);
    if (this.#views.length > viewLimit) this.#spare.push(...this.#views.splice(-2, 1));
    // Their transactions would hinder vacuum.
    for (const spare of this.#spare) void spare.end();
  }

  /** Gives all views up. */
  async end(): Promise<void> {
    await this.#renewing?.catch(() => undefined);
    const views = this.#views.splice(0);
    this.#spare.push(...views);
    await Promise.all(views.map((view) => view.end()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#views, ...this.#spare].map((view) => view.close()));
  }
}
