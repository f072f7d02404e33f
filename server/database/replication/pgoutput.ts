// The messages of Postgres' own output plugin (pgoutput, protocol version 1), read into plain data. Values stay in
// Postgres' text format; what they mean is for whoever asked. Pure: bytes in, data out.

import { int16, int32, text } from '../wire/reader.ts';

export interface RelationColumn {
  readonly name: string;
  readonly type: number;
}

/** A table as the stream describes it, before its first row and again whenever something about it has changed. */
export interface Relation {
  readonly id: number;
  readonly schema: string;
  readonly name: string;
  /** `f`: old rows are whole. `d`, `i`: they hold the key alone. `n`: there are none. */
  readonly identity: string;
  readonly columns: readonly RelationColumn[];
}

/** A value by column: text, null, or undefined where the stream does not say (an old row's columns beside the key). */
export type Tuple = readonly (string | null | undefined)[];

export type OutputMessage =
  | { readonly kind: 'begin'; readonly xid: number; readonly committedAt: number }
  | { readonly kind: 'commit'; readonly end: bigint }
  | { readonly kind: 'relation'; readonly relation: Relation }
  | { readonly kind: 'insert'; readonly relation: number; readonly new: Tuple }
  | { readonly kind: 'update'; readonly relation: number; readonly old: Tuple | null; readonly new: Tuple }
  | { readonly kind: 'delete'; readonly relation: number; readonly old: Tuple }
  | { readonly kind: 'truncate'; readonly relations: readonly number[] };

/** Postgres counts microseconds from 2000. */
const epochOffsetMs = Date.UTC(2000, 0, 1);

/** Null for what we have no use for: origins, types, logical messages of others. */
export function readOutput(bytes: Buffer): OutputMessage | null {
  switch (bytes[0]) {
    case 0x42: // B
      return { kind: 'begin', committedAt: readTime(bytes, 9), xid: bytes.readUInt32BE(17) };
    case 0x43: // C
      return { kind: 'commit', end: bytes.readBigUInt64BE(10) };
    case 0x52: // R
      return { kind: 'relation', relation: readRelation(bytes) };
    case 0x49: // I
      return { kind: 'insert', relation: int32(bytes, 1), new: readTuple(bytes, 6).tuple };
    case 0x55: // U
      return readUpdate(bytes);
    case 0x44: // D
      return { kind: 'delete', relation: int32(bytes, 1), old: readOld(bytes, 5).tuple };
    case 0x54: // T
      return { kind: 'truncate', relations: readTruncated(bytes) };
    default:
      return null;
  }
}

export function readTime(bytes: Buffer, at: number): number {
  return Number(bytes.readBigInt64BE(at) / 1000n) + epochOffsetMs;
}

function readRelation(bytes: Buffer): Relation {
  const id = int32(bytes, 1);
  const schema = text(bytes, 5);
  let at = 5 + Buffer.byteLength(schema) + 1;
  const name = text(bytes, at);
  at += Buffer.byteLength(name) + 1;
  const identity = String.fromCharCode(bytes[at] as number);
  const count = int16(bytes, at + 1);
  at += 3;
  const columns: RelationColumn[] = [];
  for (let index = 0; index < count; index++) {
    const column = text(bytes, at + 1);
    at += 1 + Buffer.byteLength(column) + 1;
    columns.push({ name: column, type: bytes.readUInt32BE(at) });
    at += 8;
  }
  // An empty schema stands for pg_catalog.
  return { id, schema: schema === '' ? 'pg_catalog' : schema, name, identity, columns };
}

function readUpdate(bytes: Buffer): OutputMessage {
  const relation = int32(bytes, 1);
  let at = 5;
  let old: Tuple | null = null;
  if (bytes[at] !== 0x4e) {
    const read = readOld(bytes, at);
    old = read.tuple;
    at = read.end;
  }
  const fresh = readTuple(bytes, at + 1).tuple;
  // A large value that did not change is not sent again; the whole old row has it.
  const filled = fresh.map((value, index) => (value === undefined ? old?.[index] : value));
  return { kind: 'update', relation, old, new: filled };
}

/** `K`: the key's columns, the others sent as null, which says nothing about them. `O`: the whole row. */
function readOld(bytes: Buffer, at: number): { tuple: Tuple; end: number } {
  const { tuple, end } = readTuple(bytes, at + 1);
  return { tuple: bytes[at] === 0x4b ? tuple.map((value) => value ?? undefined) : tuple, end };
}

function readTuple(bytes: Buffer, start: number): { tuple: Tuple; end: number } {
  const count = int16(bytes, start);
  const tuple: (string | null | undefined)[] = [];
  let at = start + 2;
  for (let index = 0; index < count; index++) {
    const kind = bytes[at++];
    if (kind === 0x6e) tuple.push(null);
    else if (kind === 0x75) tuple.push(undefined);
    else {
      const size = int32(bytes, at);
      tuple.push(bytes.toString('utf8', at + 4, at + 4 + size));
      at += 4 + size;
    }
  }
  return { tuple, end: at };
}

function readTruncated(bytes: Buffer): number[] {
  const count = int32(bytes, 1);
  return Array.from({ length: count }, (_, index) => int32(bytes, 6 + index * 4));
}
