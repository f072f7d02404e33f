// The frame by the door users enter: health, unknown paths, request limits.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

test('the process says that it is up', async () => {
  const answer = await fetch(`${app.url}/health`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ status: 'ok' });
});
