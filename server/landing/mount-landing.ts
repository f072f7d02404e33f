// The landing doors: leads, the end of a sign-in, the public settings, and the built pages.

import type { FastifyInstance } from 'fastify';
import type { House } from '../house.ts';
import { answerPlainErrors, readBodiesAsBytes, readJsonObject, refuseOtherMethods } from '../http/plain-errors.ts';
import { networkOf } from '../limits/network-of.ts';
import { landingError } from './errors.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { storeLead } from './lead-rows.ts';
import { openPublicSettings } from './public-settings.ts';
import { readLead } from './read-lead.ts';
import { servePages } from './serve-pages.ts';

const leadLimit = 16 * 1024;

export async function mountLanding(app: FastifyInstance, house: House): Promise<void> {
  const { config, database, limits } = house;
  const publicSettings = openPublicSettings(house);

  await app.register(async (door) => {
    answerPlainErrors(door);
    readBodiesAsBytes(door, leadLimit);

    door.post('/api/lead', async (request) => {
      const lead = readLead(readJsonObject(request), request.headers.referer);
      const limit = { name: 'lead', points: config.landing.leadsPerMinute, windowSeconds: 60 };
      const { allowed, retryAfterSeconds } = await limits.take(limit, networkOf(request.ip));
      if (!allowed)
        throw landingError('KB602', {
          message: `Too many addresses were left from here. Try again in ${retryAfterSeconds} seconds.`,
          headers: { 'retry-after': String(retryAfterSeconds) },
        });
      await storeLead(database, lead, config.landing.leadNotify);
      return {};
    });

    refuseOtherMethods(door, 'POST', '/api/lead');

    door.get('/auth/callback', (request, reply) => finishSignIn(house, request, reply));
    refuseOtherMethods(door, 'GET', '/auth/callback');

    door.get('/api/settings', async (_request, reply) => {
      reply.header('cache-control', 'no-cache');
      return publicSettings();
    });
  });

  await servePages(app, house, publicSettings);
}
