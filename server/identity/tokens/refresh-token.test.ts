import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRefreshToken, writeRefreshToken } from './refresh-token.ts';

const key = Buffer.alloc(32, 7);

test('a refresh token reads back as written, and any other text is refused', () => {
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.integer({ min: 1, max: 2 ** 40 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (sessionId, counter, at, flip) => {
        const token = writeRefreshToken({ sessionId, counter }, key);
        expect(readRefreshToken(token, key)).toEqual({ sessionId, counter });
        const bytes = Buffer.from(token, 'base64url');
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ flip;
        expect(readRefreshToken(bytes.toString('base64url'), key)).toBeNull();
        expect(readRefreshToken(token, Buffer.alloc(32, 8))).toBeNull();
      },
    ),
  );
  fc.assert(fc.property(fc.string(), (text) => readRefreshToken(text, key) === null));
});
