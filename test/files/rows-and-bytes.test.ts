// Rows and bytes name the same files, whatever breaks off in between.

import { randomBytes, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { onEachStore, textOf } from './each-store.ts';

onEachStore((here) => {
  async function* bytesOf(content: string): AsyncGenerator<Buffer> {
    yield Buffer.from(content);
  }

  describe('rows and bytes', () => {
    test('leave nothing of an upload that breaks off', async () => {
      await here.expectAgreement();
      const before = here.files.stored();
      const url = new URL('/storage/v1/object/closed/broken.bin', here.app.url);
      await new Promise<void>((resolve) => {
        const headers = { authorization: `Bearer ${here.app.serviceKey}`, 'content-length': '1000000' };
        const upload = httpRequest(url, { method: 'POST', headers });
        upload.on('error', () => resolve());
        upload.write(randomBytes(200_000));
        void vi
          .waitFor(async () => expect(await here.app.sql('select from private.unclaimed_files')).toHaveLength(1), {
            timeout: 60_000,
          })
          .finally(() => upload.destroy(new Error('gone')));
      });
      await here.expectAgreement();
      expect(here.files.stored()).toEqual(before);
      expect((await here.service.storage.from('closed').exists('broken.bin')).data).toBe(false);
    });

    test('leave nothing of a form whose sender is gone before anyone reads it', async () => {
      await here.expectAgreement();
      const owner = new pg.Client(connectionOptions(here.app.ownerUrl));
      await owner.connect();
      await owner.query('begin');
      await owner.query('lock table private.unclaimed_files in access exclusive mode');
      await new Promise<void>((resolve) => {
        const headers = {
          authorization: `Bearer ${here.app.serviceKey}`,
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': '1000000',
        };
        const upload = httpRequest(new URL('/storage/v1/object/closed/broken.bin', here.app.url), {
          method: 'POST',
          headers,
        });
        upload.on('error', () => resolve());
        upload.write('--b\r\ncontent-disposition: form-data; name=""; filename="x"\r\n\r\nbytes');
        void vi
          .waitFor(
            async () =>
              expect(
                await here.app.sql(
                  `select from pg_locks where not granted and relation = 'private.unclaimed_files'::regclass`,
                ),
              ).toHaveLength(1),
            { timeout: 60_000 },
          )
          .finally(() => upload.destroy(new Error('gone')));
      });
      // Answered after the server has heard of it, as the connection closed before this one was opened.
      await here.service.storage.listBuckets();
      await owner.query('rollback');
      await owner.end();
      await here.expectAgreement();
      expect((await here.service.storage.from('closed').exists('broken.bin')).data).toBe(false);
    });

    test('cannot be crossed by writing the version of another row, nor one that was never uploaded', async () => {
      await here.service.storage.from('closed').upload('mine', 'x', { upsert: true });
      const [row] = await here.app.sql<{ version: string }>(`select version from storage.objects where name = 'mine'`);
      expect(row).toBeDefined();
      for (const version of [row?.version, randomUUID()])
        await expect(
          here.app.sql(`insert into storage.objects (bucket_id, name, version) values ('closed', 'stolen', $1)`, [
            version,
          ]),
        ).rejects.toThrow(/already|duplicate|no uploaded file/);
    });

    /** Somebody replaces the file, and the change is not there for others until `act`, which is done when something waits for it, has begun. */
    async function replaceMeanwhile<T>(
      name: string,
      by: { readonly bytes: string; readonly type: string },
      act: () => PromiseLike<T>,
      lockedFirst: string,
    ): Promise<T> {
      const [row] = await here.app.sql<{ version: string }>('select version from storage.objects where name = $1', [
        name,
      ]);
      const version = randomUUID();
      await here.files.store.put(version, bytesOf(by.bytes));
      const owner = new pg.Client(connectionOptions(here.app.ownerUrl));
      await owner.connect();
      try {
        await owner.query('begin');
        await owner.query(lockedFirst);
        await owner.query(
          `insert into private.unclaimed_files (version, due_at) values ($1, now() + interval '1 day')`,
          [version],
        );
        await owner.query(
          `update storage.objects set version = $1, metadata = metadata || jsonb_build_object('size', $2::int, 'mimetype', $3::text) where name = $4`,
          [version, by.bytes.length, by.type, name],
        );
        const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid');
        const acted = act();
        // A request of the client leaves with the first who waits for it.
        const done = Promise.resolve(acted);
        await vi.waitFor(
          async () =>
            expect(
              await here.app.sql('select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))', [rows[0]?.pid]),
            ).not.toEqual([]),
          { timeout: 60_000 },
        );
        await here.files.store.remove(row?.version ?? '');
        await owner.query('commit');
        return await done;
      } finally {
        await owner.end();
      }
    }

    test('a copy of what is being replaced is one of what has replaced it', async () => {
      const bucket = here.service.storage.from('closed');
      await bucket.upload('racing.txt', 'before', { contentType: 'text/plain', upsert: true });
      const { error } = await replaceMeanwhile(
        'racing.txt',
        { bytes: 'and after', type: 'text/markdown' },
        () => bucket.copy('racing.txt', 'copied.txt'),
        'lock table private.unclaimed_files in access exclusive mode',
      );
      expect(error).toBeNull();
      expect(await textOf((await bucket.download('copied.txt')).data)).toBe('and after');
      expect((await bucket.info('copied.txt')).data).toMatchObject({ contentType: 'text/markdown', size: 9 });
      await bucket.remove(['racing.txt', 'copied.txt']);
      await here.expectAgreement();
    });

    test('a move to a bucket with limits looks at what is there when it moves', async () => {
      await here.service.storage.createBucket('pictures', { public: false, allowedMimeTypes: ['image/*'] });
      const bucket = here.service.storage.from('closed');
      await bucket.upload('racing.png', 'no mark of its own', { contentType: 'image/png', upsert: true });
      const { error } = await replaceMeanwhile(
        'racing.png',
        { bytes: '<html>', type: 'text/html' },
        () => bucket.move('racing.png', 'racing.png', { destinationBucket: 'pictures' }),
        'select',
      );
      expect(error).toMatchObject({ statusCode: '415' });
      expect((await here.service.storage.from('pictures').exists('racing.png')).data).toBe(false);
      await bucket.remove(['racing.png']);
      await here.expectAgreement();
    });

    test('an upload in parts is whole when two servers make a file of it at once, also of no bytes', async () => {
      const { store } = here.files;
      for (const size of [300_000, 0, 400_000, 0, 500_000, 600_000, 700_000, 800_000]) {
        const version = randomUUID();
        const content = 'x'.repeat(size);
        if (size > 0) await store.append(version, 0, bytesOf(content));
        const ended = await Promise.allSettled([1, 2, 3].map(() => store.finish(version, size)));
        // In S3 one may find a part gone that another has put in its place already, and is asked again.
        const done = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value.size] : []));
        expect(done).toEqual(here.files.settings.STORAGE_DIR === undefined ? done : [size, size, size]);
        expect((await store.finish(version, size)).size).toBe(size);
        expect(await store.sizeOf(version)).toBe(size);
        await store.remove(version);
      }
      await here.expectAgreement();
    });

    test('agree again after a crash at any point before the row: what nobody claimed in time is removed', async () => {
      const [half, whole] = [randomUUID(), randomUUID()];
      // As a crash leaves them: an upload that was under way, and one whose row was not written any more.
      await here.files.store.put(whole, bytesOf('bytes'));
      await here.files.store.append(half, 0, bytesOf('byt'));
      await here.app.sql('insert into private.unclaimed_files (version, due_at) values ($1, now()), ($2, now())', [
        half,
        whole,
      ]);
      await here.service.storage.from('closed').remove(['nothing']);
      await here.expectAgreement();
    });

    test('an upload that takes longer than its reservation is refused rather than kept without bytes', async () => {
      const version = randomUUID();
      await here.app.sql(
        `insert into private.unclaimed_files (version, due_at) values ($1, now() - interval '1 second')`,
        [version],
      );
      await expect(
        here.app.sql(`insert into storage.objects (bucket_id, name, version) values ('closed', 'late', $1)`, [version]),
      ).rejects.toThrow(/no uploaded file/);
      await here.service.storage.from('closed').remove(['nothing']);
      await here.expectAgreement();
    });
  });
});
