// Runs tests on every kind of file store: each gets an app of its own with two buckets, `open` to everybody and `closed`.

import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, vi } from 'vitest';
import { startApp, type TestApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { openTestStore, storeKinds, type TestStore } from './test-store.ts';

export interface Here {
  readonly app: TestApp;
  readonly files: TestStore;
  /** The official client with the service key. */
  readonly service: SupabaseClient;
  /** Rows and bytes name the same files, and nothing waits to be cleared away. */
  expectAgreement(): Promise<void>;
}

export function onEachStore(tests: (here: Here) => void): void {
  describe.each(storeKinds)('on %s', (kind) => {
    const files = forSuite(() => openTestStore(kind));
    const app = forSuite(() =>
      startApp({
        settings: { STORAGE_FILE_SIZE_LIMIT: '3000000', HTTP_BODIES_TOTAL: '1000000', ...files.settings },
      }),
    );
    let service: SupabaseClient;
    beforeAll(async () => {
      service = app.client({ key: app.serviceKey });
      await service.storage.createBucket('open', { public: true });
      await service.storage.createBucket('closed');
    });
    tests({
      app,
      files,
      get service() {
        return service;
      },
      async expectAgreement() {
        await vi.waitFor(
          async () => {
            const rows = await app.sql<{ version: string }>('select version from storage.objects order by version');
            expect(files.stored()).toEqual(rows.map(({ version }) => version));
            expect(await app.sql('select from private.unclaimed_files')).toEqual([]);
          },
          { timeout: 60_000 },
        );
      },
    });
  });
}

export async function textOf(blob: Blob | null): Promise<string | null> {
  return blob === null ? null : await blob.text();
}
