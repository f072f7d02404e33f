// Frames of one change: made once for all that get the same, and sent to each subscriber once, however many of its
// bindings the change fits.

import { type Frame, frameOf } from '../../sockets/frame.ts';
import { writeRaw } from '../../sockets/messages.ts';
import type { Change, ChangeKind } from '../change.ts';
import type { Column, RoleView, Table } from '../tables.ts';
import { changePayload } from './change-payload.ts';
import type { Binding, Subscriber } from './subscriptions.ts';

/** What some bindings of one subscriber get together. */
interface Letter {
  readonly kind: ChangeKind;
  readonly columns: ChosenColumns;
  readonly ids: number[];
}

export class ChangeFrames {
  readonly #table: Table;
  readonly #change: Change;
  readonly #maxBytes: number;
  readonly #payloads = new Map<string, string>();
  /** By columns and kind, then by who gets the same. */
  readonly #frames = new Map<ChosenColumns, Map<ChangeKind, Map<string, Frame>>>();
  /** Subscribers with several bindings to this table; more letters where their bindings select different columns. */
  readonly #letters = new Map<Subscriber, Letter[]>();

  constructor(table: Table, change: Change, maxBytes: number) {
    this.#table = table;
    this.#change = change;
    this.#maxBytes = maxBytes;
  }

  add({ id, select, subscriber, isAlone, recipients }: Binding, kind: ChangeKind, view: RoleView): void {
    const columns = columnsFor(this.#table, view, select);
    if (isAlone) {
      subscriber.send(this.#frameFor(recipients, subscriber, { kind, columns, ids: [id] }));
      return;
    }
    const letters = this.#letters.get(subscriber) ?? [];
    this.#letters.set(subscriber, letters);
    const same = letters.find((letter) => letter.columns === columns);
    if (same === undefined) letters.push({ kind, columns, ids: [id] });
    else if (!same.ids.includes(id)) same.ids.push(id);
  }

  /** Sends what was held back, because further bindings might have had a share in it. */
  flush(): void {
    for (const [subscriber, letters] of this.#letters)
      for (const letter of letters) {
        const recipients = `${subscriber.version} ${letter.ids.join()} ${subscriber.topic}`;
        subscriber.send(this.#frameFor(recipients, subscriber, letter));
      }
    this.#letters.clear();
  }

  #frameFor(recipients: string, { version, topic }: Subscriber, { kind, columns, ids }: Letter): Frame {
    let byKind = this.#frames.get(columns);
    if (byKind === undefined) {
      byKind = new Map();
      this.#frames.set(columns, byKind);
    }
    let frames = byKind.get(kind);
    if (frames === undefined) {
      frames = new Map();
      byKind.set(kind, frames);
    }
    let frame = frames.get(recipients);
    if (frame === undefined) {
      const data = this.#payload(kind, columns);
      frame = frameOf(writeRaw(version, topic, 'postgres_changes', `{"ids":[${ids.join(',')}],"data":${data}}`));
      frames.set(recipients, frame);
    }
    return frame;
  }

  #payload(kind: ChangeKind, { list, key }: ChosenColumns): string {
    const name = `${kind} ${key}`;
    let payload = this.#payloads.get(name);
    if (payload === undefined) {
      payload = changePayload(this.#table, this.#change, { columns: list, kind, maxBytes: this.#maxBytes });
      this.#payloads.set(name, payload);
    }
    return payload;
  }
}

interface ChosenColumns {
  readonly list: readonly Column[];
  readonly key: string;
}

const chosen = new WeakMap<RoleView, Map<string, ChosenColumns>>();

/** Those granted, and of them those asked for; the key always, so that a row can be told from another. */
function columnsFor(table: Table, view: RoleView, select: readonly string[] | null): ChosenColumns {
  let known = chosen.get(view);
  if (known === undefined) {
    known = new Map();
    chosen.set(view, known);
  }
  const name = select === null ? '' : select.join();
  let columns = known.get(name);
  if (columns === undefined) {
    const list = table.columns.filter(
      (column) => view.columns.has(column.name) && (select === null || column.isKey || select.includes(column.name)),
    );
    columns = { list, key: list.map((column) => column.name).join() };
    known.set(name, columns);
  }
  return columns;
}
