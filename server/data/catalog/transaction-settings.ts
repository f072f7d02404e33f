// Settings that roles and functions carry (`alter role … set …`, `create function … set …`), as a transaction needs them:
// how it begins, how long a statement may take, and the rest by name.

import type { Isolation } from '../../database/types.ts';
import type { TransactionSettings } from './catalog.ts';

/** What PostgREST lifts from a function to the transaction around it. */
export const HOISTED = ['statement_timeout', 'plan_filter.statement_cost_limit', 'default_transaction_isolation'];

/** Whatever a role says, these are for the request to decide. */
const OWN = /^(role|session_authorization|transaction_.*|request\..*|response\..*)$/;
const UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** `settings` are `name=value`; of two with one name the later counts. */
export function readSettings(settings: readonly string[], wanted: (name: string) => boolean): TransactionSettings {
  let isolation: Isolation | null = null;
  let timeoutMs: number | null = null;
  const others = new Map<string, string>();
  for (const setting of settings) {
    const at = setting.indexOf('=');
    const name = setting.slice(0, at).toLowerCase();
    const value = setting.slice(at + 1);
    if (!wanted(name) || OWN.test(name)) continue;
    if (name === 'default_transaction_isolation') isolation = readIsolation(value);
    else if (name === 'statement_timeout') timeoutMs = readTime(value) ?? timeoutMs;
    else others.set(name, value);
  }
  return { isolation, timeoutMs, others: [...others] };
}

function readIsolation(value: string): Isolation | null {
  const level = value.toLowerCase();
  return level === 'repeatable read' || level === 'serializable' ? level : null;
}

function readTime(value: string): number | null {
  const match = /^(\d+(?:\.\d*)?)\s*(us|ms|s|min|h|d)?$/.exec(value.trim());
  return match === null ? null : Math.round(Number(match[1]) * (UNITS[match[2] ?? 'ms'] ?? 1));
}
