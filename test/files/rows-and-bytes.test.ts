// Rows and bytes name the same files, whatever breaks off in between.

import { randomBytes, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { onEachStore } from './each-store.ts';

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
