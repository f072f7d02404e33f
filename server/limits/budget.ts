// Work budget: milliseconds of work per person, charged by what was really used, refilled with time. Holds slow statements, resized
// images and long pieces of the event loop. Charges go to this process's map at once and to the other nodes within a second (share-budget.ts).

import { createHash } from 'node:crypto';
import { budgetUsedUp } from './errors.ts';

export interface Budget {
  /** Adds work that was done; `person` '' is nobody, who has no budget. */
  charge(person: string, milliseconds: number): void;
  /** Throws KB429 once the person has used up their budget. */
  admit(person: string): void;
  /** Charges a synchronous piece of work that held the event loop, if it was a long one. */
  chargeLoop(person: string, milliseconds: number): void;
}

/** What the nodes tell each other: charges since the last time, and sums that came from elsewhere. */
export interface SharedBudget extends Budget {
  takeCharges(): ReadonlyMap<string, number>;
  /** `spent`: of all nodes together, charges of this one up to the last `takeCharges` included. */
  learn(person: string, spent: number): void;
}

interface Account {
  spent: number;
  at: number;
}

/** Of a budget of a minute, half a minute comes back each minute. */
export const refillRate = 0.5;
/** While one piece of work holds the event loop, everybody waits: it counts more than a connection or a processor. */
const loopWeight = 10;
/** A shorter piece is nothing that others notice. */
const longLoopMs = 5;
/** Once used up, so much comes back before work is accepted again: not one request a second for ever. */
const reserve = 0.1;
const mostAccounts = 50_000;
const longestName = 200;

/** `seconds` 0: no limit. */
export function openBudget(seconds: number, now: () => number = Date.now): SharedBudget {
  const limitMs = seconds * 1000;
  const accounts = new Map<string, Account>();
  const exhausted = new Set<string>();
  let charges = new Map<string, number>();

  const nameOf = (person: string): string =>
    person.length > longestName ? createHash('sha256').update(person).digest('hex') : person;

  function accountOf(name: string): Account | undefined {
    const account = accounts.get(name);
    if (account === undefined) return undefined;
    const at = now();
    // A clock that was set back refills nothing, and charges nothing either.
    account.spent = Math.max(0, account.spent - Math.max(0, at - account.at) * refillRate);
    account.at = at;
    return account;
  }

  function set(name: string, spent: number): void {
    accounts.delete(name);
    accounts.set(name, { spent, at: now() });
    if (spent > limitMs) exhausted.add(name);
    if (accounts.size <= mostAccounts) return;
    const oldest = accounts.keys().next().value;
    if (oldest !== undefined) accounts.delete(oldest);
    if (oldest !== undefined) exhausted.delete(oldest);
  }

  function charge(person: string, milliseconds: number): void {
    if (limitMs === 0 || person === '') return;
    const name = nameOf(person);
    set(name, (accountOf(name)?.spent ?? 0) + milliseconds);
    charges.set(name, (charges.get(name) ?? 0) + milliseconds);
  }

  return {
    charge,
    chargeLoop(person, milliseconds) {
      if (milliseconds >= longLoopMs) charge(person, milliseconds * loopWeight);
    },
    admit(person) {
      if (exhausted.size === 0) return;
      const name = nameOf(person);
      if (!exhausted.has(name)) return;
      const over = (accountOf(name)?.spent ?? 0) - limitMs * (1 - reserve);
      if (over > 0) throw budgetUsedUp(Math.ceil(over / refillRate / 1000));
      exhausted.delete(name);
    },
    takeCharges() {
      const taken = charges;
      charges = new Map();
      return taken;
    },
    learn(name, spent) {
      set(name, spent + (charges.get(name) ?? 0));
    },
  };
}
