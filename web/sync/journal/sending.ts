// Sends queued entries in their order, one after the other. While the server can't be reached the first is tried again until there is an
// answer, and all others wait; others may write in the meantime, so all that is open checks for conflicts then: the first try may have
// arrived. The columns that an entry replaces are read first; where others have changed them it isn't sent. What is sent names the versions
// that were read: where somebody comes in between, the server refuses it, and it is compared anew.

import { type Door, Refusal } from '../door.ts';
import { type Diff, isChangedSince, type RowChange, type RowDiff, reverse, rowKey } from '../rows/diff.ts';
import { type AnyRow, keyOf, primaryKeys } from '../rows/rows.ts';
import { readByKeys } from '../rows/scopes.ts';
import { type Entry, isOpen, PartRefusal } from './entries.ts';

/** Does the work after so many milliseconds. */
export type Timer = (work: () => void, ms: number) => void;

export type Answer = { readonly rows: readonly RowChange[] } | { readonly refusal: Error };

export interface SendingPorts {
  readonly entries: readonly Entry[];
  readonly send: (entry: Entry) => Promise<readonly RowChange[]>;
  /** Called before the next is sent. */
  readonly settle: (entry: Entry, answer: Answer) => void;
  readonly tell: (event: { readonly kind: 'offline' | 'online' }) => void;
  readonly timer: Timer;
}

/** Between tries, in milliseconds; the last one again and again. */
const pauses = [1000, 2000, 4000, 8000, 15_000];

export function openSending({ entries, send, settle, tell, timer }: SendingPorts) {
  let isSending = false;
  let isOffline = false;
  let hasEnded = false;
  let retry = (): void => undefined;

  async function sendNext(): Promise<void> {
    const entry = isSending || hasEnded ? undefined : entries.find(({ state }) => state === 'queued');
    if (entry === undefined) return;
    isSending = true;
    entry.state = 'sent';
    try {
      const answer = await answerTo(entry);
      if (answer === null) return;
      setOffline(false);
      settle(entry, answer);
    } finally {
      isSending = false;
      void sendNext();
    }
  }

  /** Until there is one, however long that takes. Null: nobody is here any more, it waits for the next page. */
  async function answerTo(entry: Entry): Promise<Answer | null> {
    for (let tried = 0; !hasEnded; tried++) {
      try {
        return { rows: await send(entry) };
      } catch (thrown) {
        const refusal = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (!(refusal instanceof Refusal && refusal.isTemporary)) return hasEnded ? null : { refusal };
        for (const one of entries) if (isOpen(one)) one.checksConflicts = true;
        setOffline(true);
        await pause(pauses[Math.min(tried, pauses.length - 1)] ?? 0);
      }
    }
    return null;
  }

  function setOffline(isNow: boolean): void {
    if (isOffline === isNow) return;
    isOffline = isNow;
    tell({ kind: isNow ? 'offline' : 'online' });
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      retry = resolve;
      timer(resolve, ms);
    });
  }

  return {
    /** Begins with the first that is queued. */
    start: (): void => void sendNext(),
    get isOffline(): boolean {
      return isOffline;
    },
    /** Tries again now. */
    retry: (): void => retry(),
    /** Nothing is sent any more. */
    end(): void {
      hasEnded = true;
      retry();
    },
  };
}

// ── sending again ────────────────────────────────────────────────────────────

/** As the data door says it (docs/errors.md). */
const conflict = 'KB017';

/** It was refused so as not to overwrite what someone else has written since. */
export const isConflict = (reason: Error): boolean => reason instanceof Refusal && reason.code === conflict;

/** Somebody may come in between each time, but not for ever. */
const mostTries = 5;

export async function resend(
  door: Door,
  { send, baseline }: Pick<Entry, 'send' | 'baseline'>,
): Promise<readonly RowChange[]> {
  for (let tried = 1; ; tried++) {
    const basedOn = await compare(door, baseline);
    try {
      return await send(Object.create(door, { basedOn: { value: basedOn } }) as Door);
    } catch (thrown) {
      const reason = thrown instanceof PartRefusal ? thrown.reason : thrown;
      if (!(reason instanceof Error && isConflict(reason)) || tried === mostTries) throw thrown;
    }
  }
}

/** The versions of the rows, none of which others have changed. */
async function compare(door: Door, baseline: Diff): Promise<Map<string, number>> {
  const versions = new Map<string, number>();
  for (const table of new Set(baseline.map((one) => one.table))) {
    const diffs = baseline.filter((one) => one.table === table);
    const written = diffs.flatMap((one) => Object.keys(one.kind === 'update' ? one.after : one.row));
    const columns = new Set([...primaryKeys[table], ...written, 'version']);
    const found = await readByKeys(door, table, [...new Set(diffs.map(rowKey))], [...columns]);
    const rows = new Map(found.map((row) => [keyOf(table, row), row]));
    for (const one of diffs) {
      const row = rows.get(rowKey(one));
      if (row && isOverwritten(one, row)) throw new Refusal('Someone else has changed it since', conflict, 409);
      if (row?.version !== undefined) versions.set(`${table} ${rowKey(one)}`, row.version);
    }
  }
  return versions;
}

/** Neither as it was before nor as it was to be. */
function isOverwritten(one: RowDiff, row: Partial<AnyRow>): boolean {
  const here = withoutMoments(row);
  if (one.kind !== 'update') return isChangedSince(one, here);
  const alike = { ...one, before: withoutMoments(one.before), after: withoutMoments(one.after) } as RowDiff;
  return [alike, ...reverse([alike])].every((way) => isChangedSince(way, here));
}

/** Moments are the server's own: they are set, or they are not. */
const withoutMoments = (columns: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(columns).map(([column, value]) => [column, column.endsWith('_at') ? value !== null : value]),
  );
