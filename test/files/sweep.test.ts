// Sweep of files without a row: each is removed, also when removing another one fails.

import { expect, it } from 'vitest';
import { sweepFiles } from '../../server/files/sweep-files.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(startApp);

it('a file that cannot be removed waits an hour, and keeps no others', async () => {
  await app.sql(
    `insert into private.unclaimed_files (version, due_at) select v, now() - interval '1 minute' from unnest(array['first', 'stuck', 'last']) v`,
  );
  const removed: string[] = [];
  const { database, log } = app.services;
  const store = {
    async remove(version: string) {
      if (version === 'stuck') throw new Error('The disk says no');
      removed.push(version);
    },
  };
  const files = { store, forget: async () => undefined, keepRemovedSeconds: 0, longestLinkSeconds: 60, log };
  await sweepFiles(database, files, new AbortController().signal);
  expect(removed.toSorted()).toEqual(['first', 'last']);
  const left = await app.sql(
    `select version, due_at > now() + interval '50 minutes' as waits from private.unclaimed_files where version in ('first', 'stuck', 'last')`,
  );
  expect(left).toEqual([{ version: 'stuck', waits: true }]);
});
