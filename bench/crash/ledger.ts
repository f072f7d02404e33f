// Ledger of the writers: acknowledged writes, and those of unknown outcome, since the connection broke or the service answered that it
// cannot just now.

import { createHash } from 'node:crypto';
import type { Person } from '../plant.ts';

/** Acknowledged, or nobody knows. */
export type Known = 'there' | 'unknown';

export interface Chain {
  readonly person: Person;
  /** The last one that was handed out in an answer that came; whether a later one was made, nobody knows. */
  refreshToken: string;
}

export interface Upload {
  readonly path: string;
  readonly name: string;
  readonly bytes: Buffer;
  readonly person: Person;
  /** How much of it was acknowledged. */
  offset: number;
  /** Whether it is known that no more has arrived. */
  isSure: boolean;
}

export interface Ledger {
  /** By title. */
  readonly tasks: Map<string, Known>;
  /** By text. */
  readonly comments: Map<string, Known>;
  /** Texts of comments whose removal was acknowledged. */
  readonly removed: Set<string>;
  /** Where a task may stand, by its id. */
  readonly places: Map<string, Set<string>>;
  /** By task: the last number that was acknowledged in it, and the last one that was sent. */
  readonly counters: Map<string, { acknowledged: number; sent: number }>;
  /** Tasks and comments that came in one change, by title and text: all of them are there, or none. */
  readonly together: (readonly string[])[];
  /** By name: what the bytes hash to. */
  readonly files: Map<string, { readonly hash: string; known: Known }>;
  /** Uploads in pieces that are under way. */
  readonly uploads: Map<string, Upload>;
  readonly leads: Map<string, Known>;
  /** By address, all with the password of `plant.ts`. */
  readonly accounts: Map<string, Known>;
  readonly chains: Chain[];
  /** Sessions whose end was acknowledged. */
  readonly ended: Person[];
  /** How many were acknowledged of each kind. */
  readonly kinds: Map<Kind, number>;
  /** When acknowledged writes were sent. */
  readonly sentAt: number[];
  /** When each request was over, and how long it took, however it was answered. */
  readonly answered: { readonly at: number; readonly ms: number }[];
  readonly refusals: Map<string, number>;
  /** What should not have been answered at all. */
  readonly faults: string[];
}

/** Each kind of write, and how it is proven. */
export const kinds = {
  'task added': 'there once, with a number, a rank and a line of history of its own, and counted by the dashboard',
  'comment added': 'there once, and the listener has it once',
  'comment removed': 'gone',
  'task moved': 'in the column of the last move, or of one that nobody answered',
  'number in a task raised': 'never less than acknowledged',
  'several rows changed at once': 'all of them or none',
  'file uploaded': 'there, byte for byte',
  'piece of a file uploaded': 'never less than acknowledged; the upload goes on and is whole',
  'address left': 'there',
  'account made': 'signs in',
  'token refreshed': 'the last one that was handed out still works',
  'session ended': 'turned away at the data door, and by its refresh token',
} as const;
export type Kind = keyof typeof kinds;

export const openLedger = (): Ledger => ({
  tasks: new Map(),
  comments: new Map(),
  removed: new Set(),
  places: new Map(),
  counters: new Map(),
  together: [],
  files: new Map(),
  uploads: new Map(),
  leads: new Map(),
  accounts: new Map(),
  chains: [],
  ended: [],
  kinds: new Map(),
  sentAt: [],
  answered: [],
  refusals: new Map(),
  faults: [],
});

/** All that was not as it should be, where nothing may be refused. */
export const failuresOf = ({ refusals, faults }: Pick<Ledger, 'refusals' | 'faults'>): string[] => [
  ...[...refusals].map(([what, times]) => `${times} × ${what}`),
  ...faults,
];

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
