// Log lines that leave the process, whoever wrote them and however they got in.

import { expect, test } from 'vitest';
import { readConfig } from '../../server/config/read-config.ts';
import { forEyes, openLog, scrub } from '../../server/open-log.ts';

function logOnce(write: (log: ReturnType<typeof openLog>) => void): string {
  let line = '';
  const { config } = readConfig({ env: { LOG_LEVEL: 'trace' } });
  write(
    openLog(config, {
      write: (text) => {
        line += text;
      },
    }),
  );
  return line;
}

test('a line is one JSON object with level, time and message', () => {
  const line = logOnce((log) => log.info({ port: 3000 }, 'serving'));
  expect(line.endsWith('\n')).toBe(true);
  expect(JSON.parse(line)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    pid: process.pid,
    port: 3000,
    msg: 'serving',
  });
});

test('fields that hold secrets are masked wherever they stand', () => {
  const line = logOnce((log) =>
    log.info(
      {
        password: 'p1-secret',
        req: { headers: { authorization: 'p2-secret', cookie: 'p3-secret', apikey: 'p4-secret' } },
        body: { refresh_token: 'p5-secret', client_secret: 'p6-secret' },
        answer: { device_code: 'p7-secret', user_code: 'p8-secret' },
      },
      'x',
    ),
  );
  expect(line).not.toMatch(/p\d-secret/);
});

test('errors keep their stack and lose their secrets', () => {
  const error = Object.assign(new Error('connect postgres://kanbase:p1-secret@db.example.test/kanbase failed'), {
    cause: new Error('token=p2-secret'),
  });
  const line = logOnce((log) => log.error({ err: error }, 'the database does not answer'));
  expect(JSON.parse(line).err.stack).toContain('log.test.ts');
  expect(line).toContain('db.example.test');
  expect(line).not.toMatch(/p\d-secret/);
});

test.each([
  ['a token', 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.c2lnbmF0dXJl', 'Bearer [token]'],
  ['an opaque key', 'key sb_secret_abcDEF-123_x', 'key sb_secret_[key]'],
  ["the payment provider's key", 'sk_live_51Habc', 'sk_live_[key]'],
  ['a form', '/verify?token=abc&type=signup', '/verify?token=[secret]&type=signup'],
  [
    'a form of a program',
    'client_secret=abc&device_code=def&user_code=BCDF-GHJK&client_id=x',
    'client_secret=[secret]&device_code=[secret]&user_code=[secret]&client_id=x',
  ],
  [
    'an answer to a device',
    '{"client_secret":"abc","device_code":"def","user_code":"BCDF-GHJK"}',
    '{"client_secret":"[secret]","device_code":"[secret]","user_code":"[secret]"}',
  ],
  ['JSON in JSON', String.raw`{"body":"{\"password\":\"abc\"}"}`, String.raw`{"body":"{\"password\":\"[secret]\"}"}`],
  ['nothing secret', '{"msg":"serving","port":3000}', '{"msg":"serving","port":3000}'],
])('%s', (_name, line, clean) => {
  expect(scrub(line)).toBe(clean);
});

test('at a terminal a line is short', () => {
  const line = logOnce((log) => log.warn({ port: 3000, err: new Error('no') }, 'not ready'));
  expect(forEyes(line)).toMatch(/^\d\d:\d\d:\d\d warn {2}not ready \{"port":3000\}\nError: no\n {4}at /);
});
