// Presence of a topic: the state that each channel of this node tracks, and that other nodes report for theirs. Pure state; the topic
// decides who is told, and when.

export interface Meta {
  readonly key: string;
  /** What was tracked, with the reference that tells it from others under the same key. */
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface PresenceDiff {
  readonly joins: readonly Meta[];
  readonly leaves: readonly Meta[];
}

export class Presence {
  /** By node, then by whatever names the one who tracks. */
  readonly #nodes = new Map<string, Map<string, Meta>>();

  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  /** Null when nothing changes. */
  track(node: string, id: string, meta: Meta): PresenceDiff {
    const metas = this.#nodes.get(node) ?? new Map<string, Meta>();
    this.#nodes.set(node, metas);
    const old = metas.get(id);
    metas.set(id, meta);
    return { joins: [meta], leaves: old === undefined ? [] : [old] };
  }

  untrack(node: string, id: string): PresenceDiff | null {
    const metas = this.#nodes.get(node);
    const old = metas?.get(id);
    if (metas === undefined || old === undefined) return null;
    metas.delete(id);
    if (metas.size === 0) this.#nodes.delete(node);
    return { joins: [], leaves: [old] };
  }

  /** All that a node tracks, as it says itself; what it does not name is gone. */
  replace(node: string, metas: ReadonlyMap<string, Meta>): PresenceDiff | null {
    const old = this.#nodes.get(node) ?? new Map<string, Meta>();
    if (metas.size === 0) this.#nodes.delete(node);
    else this.#nodes.set(node, new Map(metas));
    const same = (id: string, one: Meta): boolean => metas.get(id)?.meta.phx_ref === one.meta.phx_ref;
    const leaves = [...old].filter(([id, one]) => !same(id, one)).map(([, one]) => one);
    const joins = [...metas]
      .filter(([id, one]) => old.get(id)?.meta.phx_ref !== one.meta.phx_ref)
      .map(([, one]) => one);
    return joins.length + leaves.length === 0 ? null : { joins, leaves };
  }

  of(node: string): ReadonlyMap<string, Meta> {
    return this.#nodes.get(node) ?? new Map();
  }

  /** As clients want it: by key, each with all its metas. */
  state(): Record<string, { metas: Meta['meta'][] }> {
    return grouped([...this.#nodes.values()].flatMap((metas) => [...metas.values()]));
  }
}

export function grouped(metas: readonly Meta[]): Record<string, { metas: Meta['meta'][] }> {
  // Keys are clients' own words, so nothing may stand under one already: not `constructor` either.
  const byKey: Record<string, { metas: Meta['meta'][] }> = Object.create(null);
  for (const { key, meta } of metas) {
    const entry = byKey[key] ?? { metas: [] };
    byKey[key] = entry;
    entry.metas.push(meta);
  }
  return byKey;
}
