// Types of files are read from their bytes, and nothing sent of them ever runs in this origin: files that lie about themselves, files that
// are two things at once, and the ways around a bucket that takes some types only.

import { request as httpRequest } from 'node:http';
import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, test } from 'vitest';
import { beginningBytes, detectType } from '../../server/files/objects/detect-type.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { openTestStore } from './test-store.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const png = bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR');
const jpeg = bytes('\xff\xd8\xff\xe0\0\x10JFIF');
const gif = bytes('GIF89a\x01\0\x01\0');
const pdf = bytes('%PDF-1.7\n');
const zip = bytes('PK\x03\x04\x14\0');
const program = bytes('\x7fELF\x02\x01\x01');
const html = bytes('<!doctype html><script>alert(1)</script>');
const svg = bytes('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');

test.each([
  ['a picture', png],
  ['a picture', jpeg],
  ['a picture', gif],
  ['a picture', bytes('RIFF\x10\0\0\0WEBPVP8 ')],
  ['a picture', bytes('\0\0\0\x1cftypavif')],
  ['sound or film', bytes('\0\0\0\x18ftypmp42')],
  ['sound or film', bytes('RIFF\x10\0\0\0WAVEfmt ')],
  ['sound or film', bytes('ID3\x04')],
  ['sound or film', bytes('OggS\0\x02')],
  ['sound or film', bytes('\x1aE\xdf\xa3')],
  ['a PDF', pdf],
  ['an archive', zip],
  ['an archive', Buffer.concat([Buffer.alloc(257, 'x'), bytes('ustar')])],
  ['a document', bytes('{\\rtf1')],
  ['a font', bytes('wOF2')],
  ['a program', program],
  ['markup', html],
  ['markup', svg],
  ['markup', bytes('\xef\xbb\xbf \n\t<?xml version="1.0"?>')],
  ['markup', Buffer.from('\ufeff<html>', 'utf16le')],
  ['markup', bytes('\xfe\xff\0<\0h\0t')],
  [null, bytes('1 < 2, and <3 for you')],
  [null, bytes('BM is how this text begins')],
  [null, bytes('')],
])('%s is known by its first bytes (%#)', (name, start) => {
  expect(detectType(start)?.name ?? null).toBe(name);
});

describe('a server', () => {
  let service: SupabaseClient;

  const files = forSuite(() => openTestStore('disk'));
  const app = forSuite(() => startApp({ settings: files.settings }));
  beforeAll(async () => {
    service = app.client({ key: app.serviceKey });
    await service.storage.createBucket('any', { public: true });
    await service.storage.createBucket('pictures', { public: true, allowedMimeTypes: ['image/*'] });
    await service.storage.createBucket('papers', {
      public: true,
      allowedMimeTypes: ['application/pdf', 'text/plain', 'application/zip', 'application/octet-stream'],
    });
  });

  const send = async (bucket: string, contentType: string, body: Buffer) =>
    (await service.storage.from(bucket).upload('x', body, { contentType, upsert: true })).error?.message ?? 'taken';

  test.each([
    ['pictures', 'image/png', png, 'taken'],
    // Any picture passes for another: clients mix them up, and browsers do not care.
    ['pictures', 'image/png', jpeg, 'taken'],
    ['pictures', 'image/png', pdf, 'The bytes are a PDF, not image/png'],
    ['pictures', 'image/jpeg', zip, 'The bytes are an archive, not image/jpeg'],
    ['pictures', 'image/gif', program, 'The bytes are a program, not image/gif'],
    ['pictures', 'image/png', svg, 'The bytes are markup, not image/png'],
    ['pictures', 'image/svg+xml', svg, 'taken'],
    ['pictures', 'image/svg+xml', png, 'The bytes are a picture, not image/svg+xml'],
    ['pictures', 'image/png', bytes('nothing that is known'), 'taken'],
    ['papers', 'application/pdf', pdf, 'taken'],
    ['papers', 'application/pdf', html, 'The bytes are markup, not application/pdf'],
    ['papers', 'text/plain', html, 'taken'],
    ['papers', 'text/plain', program, 'The bytes are a program, not text/plain'],
    ['papers', 'application/zip', program, 'The bytes are a program, not application/zip'],
    ['papers', 'application/octet-stream', program, 'taken'],
    ['any', 'image/png', html, 'The bytes are markup, not image/png'],
    ['any', 'audio/mpeg', html, 'The bytes are markup, not audio/mpeg'],
    ['any', 'font/woff2', svg, 'The bytes are markup, not font/woff2'],
    // Nothing but a wrong name: a file that people attach, whatever their browser calls it.
    ['any', 'audio/mpeg', zip, 'taken'],
    ['any', 'text/html', html, 'taken'],
  ])('in the bucket %s says to %s (%#)', async (bucket, type, body, outcome) => {
    expect(await send(bucket, type, body)).toBe(outcome);
  });

  test('looks at the beginning however small the pieces are that it comes in', async () => {
    for (const piece of [1, 7, beginningBytes - 1]) {
      const answer = await new Promise<string>((resolve, reject) => {
        const url = new URL('/storage/v1/object/pictures/pieces', app.url);
        const headers = { authorization: `Bearer ${app.serviceKey}`, 'content-type': 'image/png', 'x-upsert': 'true' };
        const upload = httpRequest(url, { method: 'POST', headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          response.on('end', () => resolve(text));
        });
        upload.on('error', reject);
        const body = Buffer.concat([Buffer.alloc(200, ' '), html]);
        for (let at = 0; at < body.length; at += piece) upload.write(body.subarray(at, at + piece));
        upload.end();
      });
      expect(JSON.parse(answer)).toMatchObject({ code: 'InvalidMimeType' });
    }
    expect((await service.storage.from('pictures').exists('pieces')).data).toBe(false);
  });

  test('takes nothing by copy or move that it would not by upload', async () => {
    const any = service.storage.from('any');
    await any.upload('page', html, { contentType: 'text/html', upsert: true });
    await any.upload('film', bytes('\0\0\0\x18ftypmp42'), { contentType: 'image/png', upsert: true });
    const copy = (destinationBucket: string, mimetype: string) =>
      app.request('/storage/v1/object/copy', {
        method: 'POST',
        token: app.serviceKey,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ bucketId: 'any', sourceKey: 'page', destinationKey: 'copied', destinationBucket },
          ...{ copyMetadata: false, metadata: { mimetype } },
        }),
      });
    expect(await (await copy('pictures', 'image/png')).json()).toMatchObject({ code: 'InvalidMimeType' });
    expect(await (await copy('any', 'image/png')).json()).toMatchObject({ code: 'InvalidMimeType' });
    for (const to of [
      any.copy('film', 'y', { destinationBucket: 'pictures' }),
      any.move('film', 'y', { destinationBucket: 'pictures' }),
    ])
      expect((await to).error).toMatchObject({
        statusCode: '415',
        message: 'The bytes are sound or film, not image/png',
      });
    expect((await service.storage.from('pictures').exists('y')).data).toBe(false);
  });

  describe('sends', () => {
    const sent = async (contentType: string, body: Buffer) => {
      const { error } = await service.storage.from('any').upload('sent', body, { contentType, upsert: true });
      expect(error).toBeNull();
      const { headers } = await app.request('/storage/v1/object/public/any/sent', { token: null });
      return {
        type: headers.get('content-type'),
        sniffed: headers.get('x-content-type-options') !== 'nosniff',
        isSaved: headers.get('content-disposition')?.startsWith('attachment') ?? false,
        isBoxed: headers.get('content-security-policy')?.includes('sandbox') ?? false,
      };
    };

    test.each([
      // A type that nobody knows and that browsers open as XHTML, scripts and all.
      ['audio/x+xml', bytes('<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>')],
      ['image/svg+xml', svg],
      ['text/html; charset=utf-8', html],
      ['TEXT/HTML', html],
      ['text/xml', svg],
      ['application/xhtml+xml', html],
      ['model/x+xml', html],
      ['text/javascript', bytes('alert(1)')],
      ['application/x-shockwave-flash', bytes('FWS')],
      ['multipart/x-mixed-replace', html],
    ])('%s to be saved, boxed in', async (type, body) => {
      expect(await sent(type, body)).toEqual({ type, sniffed: false, isSaved: true, isBoxed: true });
    });

    test.each([
      // Two things at once: what counts is the one that is said, and nobody guesses.
      ['image/gif', Buffer.concat([gif, bytes('=1;alert(1)//<script>alert(1)</script>')])],
      ['image/jpeg', Buffer.concat([jpeg, html])],
      ['image/png', Buffer.concat([png, zip, html])],
      ['application/pdf', Buffer.concat([pdf, html])],
      ['text/plain', html],
      ['application/json', html],
    ])('%s as what it says, and nothing else', async (type, body) => {
      expect(await sent(type, body)).toEqual({ type, sniffed: false, isSaved: false, isBoxed: false });
    });
  });

  // Browsers part the header at commas and take the last type they find, in quotes too.
  describe.each(['image/png;,text/html', 'image/png; a="b,text/html"'])(
    'the type %s, which browsers read in another way,',
    (double) => {
      const picture = { type: 'image/png', isSaved: false, isBoxed: false };
      const post = (path: string, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>) =>
        app.request(`/storage/v1${path}`, { method: 'POST', token: app.serviceKey, headers, body });
      const asked = async (path: string, method = 'GET') => {
        const { status, headers } = await app.request(`/storage/v1${path}`, { method, token: null });
        expect(status).toBe(200);
        return {
          type: headers.get('content-type'),
          isSaved: headers.get('content-disposition')?.startsWith('attachment') ?? false,
          isBoxed: headers.get('content-security-policy')?.includes('sandbox') ?? false,
        };
      };
      const copy = (metadata: Record<string, string>) =>
        post(
          '/object/copy',
          { 'content-type': 'application/json' },
          JSON.stringify({
            ...{ bucketId: 'any', sourceKey: 'double', destinationKey: 'copy of double' },
            ...{ copyMetadata: metadata.mimetype === undefined, metadata },
          }),
        );
      const any = () => service.storage.from('any');
      const text = new Uint8Array(bytes('GIF89a=1;<script>alert(1)</script>'));

      test('is not kept of an upload, with a token or by a link', async () => {
        expect((await post('/object/any/double', { 'content-type': double, 'x-upsert': 'true' }, text)).status).toBe(
          200,
        );
        expect(await asked('/object/public/any/double')).toEqual(picture);
        const { data } = await any().createSignedUploadUrl('double', { upsert: true });
        const put = await app.request(`/storage/v1/object/upload/sign/any/double?token=${data?.token}`, {
          ...{ method: 'PUT', token: null, headers: { 'content-type': double }, body: text },
        });
        expect(put.status).toBe(200);
        expect(await asked('/object/public/any/double')).toEqual(picture);
      });

      test('is not kept of a resumable upload', async () => {
        const named = { bucketName: 'any', objectName: 'double', contentType: double };
        const headers = {
          'tus-resumable': '1.0.0',
          'upload-length': String(text.length),
          'upload-metadata': Object.entries(named)
            .map(([name, value]) => `${name} ${btoa(value)}`)
            .join(','),
          ...{ 'content-type': 'application/offset+octet-stream', 'x-upsert': 'true' },
        };
        expect((await post('/upload/resumable', headers, text)).status).toBe(201);
        expect(await asked('/object/public/any/double')).toEqual(picture);
      });

      test('is no type for a copy', async () => {
        await any().upload('double', Buffer.from(text), { contentType: 'image/png', upsert: true });
        expect(await (await copy({ mimetype: double })).json()).toMatchObject({ code: 'InvalidRequest' });
      });

      test('is not sent of a row that has had it for long, whoever asks', async () => {
        await any().upload('double', Buffer.from(text), { contentType: 'image/png', upsert: true });
        await any().remove(['copy of double']);
        await app.sql(
          `update storage.objects set metadata = metadata || jsonb_build_object('mimetype', $1::text) where name = 'double'`,
          [double],
        );
        for (const method of ['GET', 'HEAD']) expect(await asked('/object/public/any/double', method)).toEqual(picture);
        const { data } = await any().createSignedUrl('double', 60);
        const { pathname, search } = new URL(data?.signedUrl ?? '');
        expect(await asked(`${pathname}${search}`.replace('/storage/v1', ''))).toEqual(picture);
        expect((await any().info('double')).data?.contentType).toBe(picture.type);
        expect((await copy({})).status).toBe(200);
        expect(await asked('/object/public/any/copy%20of%20double')).toEqual(picture);
      });
    },
  );

  test('a row whose caching is no header is sent without', async () => {
    await service.storage.from('any').upload('odd', bytes('text'), { contentType: 'text/plain', upsert: true });
    await app.sql(
      `update storage.objects set metadata = metadata || jsonb_build_object('cacheControl', E'a\\nb') where name = 'odd'`,
    );
    const { status, headers } = await app.request('/storage/v1/object/public/any/odd', { token: null });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
  });

  test.each([
    ['text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['audio/webm;codecs=opus', 'audio/webm;codecs=opus'],
    ['video/mp4; codecs="avc1.42E01E" ; a=b', 'video/mp4; codecs="avc1.42E01E" ; a=b'],
    // As browsers call what they record.
    ['video/webm;codecs=vp8,opus', 'video/webm'],
  ])('shows %s as %s', async (contentType, shown) => {
    await service.storage.from('any').upload('sent', bytes('text'), { contentType, upsert: true });
    const { headers } = await app.request('/storage/v1/object/public/any/sent', { token: null });
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([shown, null]);
  });
});
