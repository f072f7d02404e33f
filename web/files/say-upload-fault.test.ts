// Reasons why a file was not uploaded, as the app tells them: each its own, whatever status carried it.

import { expect, test } from 'vitest';
import { Refusal } from '../commands.ts';
import { t } from '../strings/messages.ts';
import { readRefusal } from './file-door.ts';
import { sayUploadFault } from './say-upload-fault.ts';

const attachment = { name: 'notes.txt', size_bytes: 5 };

test('too many unfinished uploads, a store that fails and a quota are not a file too large', () => {
  const unfinished = readRefusal('You have 100 uploads that are not finished', 429, 'TooManyUploads');
  expect(sayUploadFault(unfinished, attachment)).toBe(t('files.fault.unfinished'));
  const unwritable = readRefusal('Files cannot be written on the server', 503, 'StorageUnwritable');
  expect(sayUploadFault(unwritable, attachment)).toBe(t('files.fault.unwritable'));
  const quota = readRefusal('The files of this project may have 1000 bytes together', 413, 'QuotaExceeded');
  expect(sayUploadFault(quota, attachment)).toBe(t('files.fault.quota'));
  const large = readRefusal('The object exceeded the maximum allowed size', 413, 'EntityTooLarge');
  expect(sayUploadFault(large, attachment)).toContain('5');
  expect(sayUploadFault(new Refusal('nobody answered', '', 0), attachment)).toBe(t('files.unreachable'));
});
