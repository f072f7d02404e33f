// Pages door: leads, the end of a sign-in, the public settings, and the built pages.

import type { FastifyInstance } from 'fastify';
import { described } from '../http/describe-routes.ts';
import { NOBODY, response } from '../http/open-api.ts';
import { answerPlainErrors, refuseOtherMethods, takeObject } from '../http/plain-errors.ts';
import { leaveBodies } from '../http/read-json.ts';
import { networkOf } from '../limits/network-of.ts';
import { refundUnless } from '../limits/refund.ts';
import type { Services } from '../services.ts';
import { pagesError } from './errors.ts';
import { finish, finishSignIn } from './finish-sign-in.ts';
import { storeLead } from './lead-rows.ts';
import { openPublicSettings } from './public-settings.ts';
import { leaveLead, readLead } from './read-lead.ts';
import { servePages } from './serve-pages.ts';

export async function mountPages(app: FastifyInstance, services: Services): Promise<void> {
  const { config, database, limits } = services;
  const publicSettings = openPublicSettings(services);

  await app.register(async (door) => {
    answerPlainErrors(door);
    leaveBodies(door);

    door.post('/api/lead', described(leaveLead), async (request) => {
      const limit = { name: 'lead', points: config.landing.leadsPerMinute, windowSeconds: 60 };
      const network = networkOf(request.ip);
      const { allowed, retryAfterSeconds } = await limits.take(limit, network);
      if (!allowed)
        throw pagesError(
          'KB602',
          `Too many addresses were left from here. Try again in ${retryAfterSeconds} seconds.`,
          { headers: { 'retry-after': String(retryAfterSeconds) } },
        );
      const fields = await takeObject(request);
      const lead = await refundUnless(limits, limit, network, () => readLead(fields, request.headers.referer));
      await storeLead(database, lead, config.landing.leadNotify);
      return {};
    });

    refuseOtherMethods(door, 'POST', '/api/lead');

    door.get('/auth/callback', described(finish), (request, reply) => finishSignIn(services, request, reply));
    refuseOtherMethods(door, 'GET', '/auth/callback');

    door.get('/api/settings', described(settings), async (_request, reply) => {
      reply.header('cache-control', 'no-cache');
      return publicSettings();
    });
  });

  await servePages(app, services, publicSettings);
}

const tags = ['Landing'];

const settings = {
  operationId: 'publicSettings',
  tags,
  summary: 'What the pages need to know',
  security: NOBODY,
  responses: { 200: response('Public settings', { type: 'object' }) },
};
