// A database made before sql/ had tables and rules, when every change was a file of its own: one that had all of them is taken over as it is.

import { createHash } from 'node:crypto';

/** Of the names of all files there were, in order. */
const namesOfAll = 'a208990898ae29abd3b5b738d703d415029cb3ca5c2bbe5ecfe15d14887f957a';
/** What to start once for a database that had only some of them. */
const lastOfThem = 'e9513086ec';

/** Its tables are those that the files up to this one make; later ones run on it. */
const lastOfItsTables = '0011_admin.sql';

export const isOfFormer = ({ origin, name }: { readonly origin: string; readonly name: string }): boolean =>
  origin === 'kanbase' && name <= lastOfItsTables;

/** Objects of then that nothing needs any more. */
export const leftOver = `drop function if exists private.publish_touched_tables(), private.note_untrusted_proxy(text),
  private.list_untrusted_proxies(), private.last_rank(uuid, uuid)`;

export const isFormer = (names: readonly string[]): boolean =>
  createHash('sha256')
    .update([...names].sort().join('\n'))
    .digest('hex') === namesOfAll;

export const describeFormer = (name: string): string =>
  `The database was made by a version in development (it has ${name}, and not all that followed): start commit ${lastOfThem} on it once, then this version.`;
