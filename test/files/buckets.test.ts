// Buckets through the unmodified client: create, read, list, change, empty and delete, and the rights for it.

import { describe, expect, test } from 'vitest';
import { onEachStore } from './each-store.ts';

onEachStore((here) => {
  describe('buckets', () => {
    test('are made, read, listed, changed, emptied and deleted with the service key', async () => {
      const { storage } = here.service;
      expect(await storage.createBucket('one', { public: false, fileSizeLimit: '1kb' })).toMatchObject({
        data: { name: 'one' },
        error: null,
      });
      expect((await storage.createBucket('one')).error).toMatchObject({ statusCode: '409', status: 400 });
      const second = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
      const one = {
        id: 'one',
        name: 'one',
        owner: '',
        public: false,
        file_size_limit: 1000,
        allowed_mime_types: null,
        created_at: expect.stringMatching(second),
        updated_at: expect.stringMatching(second),
      };
      expect((await storage.getBucket('one')).data).toEqual(one);
      expect((await storage.listBuckets({ search: 'one' })).data).toEqual([{ ...one, type: 'STANDARD' }]);
      expect((await storage.listBuckets()).data?.map(({ id }) => id)).toEqual([
        'attachments',
        'avatars',
        'closed',
        'exports',
        'one',
        'open',
      ]);
      expect((await storage.listBuckets({ search: 'pe', limit: 1 })).data?.map(({ id }) => id)).toEqual(['open']);
      expect((await storage.updateBucket('one', { public: true, allowedMimeTypes: ['text/*'] })).data).toEqual({
        message: 'Successfully updated',
      });
      expect((await storage.getBucket('one')).data).toMatchObject({ public: true, allowed_mime_types: ['text/*'] });
      expect((await storage.from('one').upload('a/b.txt', 'b', { contentType: 'text/plain' })).error).toBeNull();
      expect((await storage.deleteBucket('one')).error).toMatchObject({ statusCode: '409' });
      expect((await storage.emptyBucket('one')).data).toEqual({
        message: 'Empty bucket has been queued. Completion may take up to an hour.',
      });
      expect((await storage.deleteBucket('one')).data).toEqual({ message: 'Successfully deleted' });
      expect((await storage.getBucket('one')).error).toMatchObject({ statusCode: '404', message: 'Bucket not found' });
      await here.expectAgreement();
    });

    test('of kinds that are not offered, or with names that are none, are refused in plain words', async () => {
      expect(
        (await here.service.storage.createBucket('lake', { public: false, type: 'ANALYTICS' })).error?.message,
      ).toBe('A bucket of type ANALYTICS is not offered by this service');
      expect((await here.service.storage.createBucket('a/b')).error?.message).toBe('Bucket name invalid');
    });

    test('are nothing that people can see or make without a policy', async () => {
      const { client } = await here.app.createUser();
      expect((await client.storage.listBuckets()).data).toEqual([]);
      expect((await client.storage.createBucket('mine')).error).toMatchObject({
        statusCode: '403',
        message: 'new row violates row-level security policy',
      });
    });
  });

  test.each(['s3/x', 'vector/CreateIndex', 'iceberg/v1/config'])('%s is answered as not offered', async (address) => {
    const response = await here.app.request(`/storage/v1/${address}`, { method: 'POST', body: '{}' });
    expect(await response.json()).toMatchObject({ code: 'FeatureNotEnabled', statusCode: '409' });
  });
});
