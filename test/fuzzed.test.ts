// A thousand requests of the generator behind `npm run bench -- --fuzz`, over all APIs: none is answered with 5xx.

import { Agent } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { ask, NoResponse } from '../bench/ask.ts';
import { learn } from '../bench/fuzz-known.ts';
import { fuzzRequest, readDoors } from '../bench/fuzz-requests.ts';
import { startPaymentStandIn, webhookSecret } from '../bench/payment-stand-in.ts';
import { taken } from '../bench/plant.ts';
import { seeded } from '../bench/seeded.ts';
import type { OpenApi } from '../server/http/open-api.ts';
import { unsubscribeUrl } from '../server/mail/unsubscribe.ts';
import { startApp } from './helpers/app.ts';
import { forSuite } from './helpers/for-suite.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const payments = forSuite(startPaymentStandIn);
const app = forSuite(() => startApp({ settings: payments.settings }));
afterAll(async () => {
  agent.destroy();
});

test('random requests at every door never make the server fail', async () => {
  const document = taken<OpenApi>(await ask(agent, app.url, { method: 'GET', path: '/openapi.json' }));
  const doors = readDoors(document);
  const door = { agent, url: app.url, anonKey: app.anonKey };
  const known = await learn({
    door,
    serviceKey: app.serviceKey,
    webhookSecret,
    makeOperator: (email) => app.sql('select private.set_operator($1, true)', [email]),
    unsubscribe: (id) => unsubscribeUrl(app.url, id, app.services.sessions.deriveKey('unsubscribe from mail')),
  });
  const failed: string[] = [];
  const met = new Set<string>();
  const letIn = new Set<string>();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < 1000) {
      const request = fuzzRequest(doors, seeded(next++), known);
      try {
        const { status, body } = await ask(agent, app.url, request, 60_000);
        met.add(request.door);
        if (status < 300) letIn.add(request.door);
        if (status >= 500) failed.push(`${request.method} ${request.path} ${status} ${body}`);
      } catch (error) {
        // A body that is refused while it arrives: the connection is closed with the answer.
        if (!(error instanceof NoResponse) || error.late) failed.push(String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  expect(failed).toEqual([]);
  expect(met).toEqual(new Set(doors.draw));
  // Behind doors that need a secret somebody gets, too, so that more than their refusals is tried.
  expect([...letIn]).toEqual(expect.arrayContaining(['billing', 'admin', 'feeds', 'tables']));
});
