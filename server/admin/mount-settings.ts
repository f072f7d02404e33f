// Admin routes for settings: lists all of them, and changes those that operators may change while the server runs. The database writes the change
// and checks the right; settings given by a flag or the environment can't be changed.

import type { FastifyInstance } from 'fastify';
import { sql } from '../database/sql.ts';
import { described } from '../http/describe-routes.ts';
import { readPath } from '../http/read-parameters.ts';
import type { Services } from '../services.ts';
import { callAdmin } from './call-admin.ts';
import * as says from './described.ts';
import { adminError } from './errors.ts';
import { bodyOf } from './read-request.ts';

export function mountSettings(door: FastifyInstance, services: Services): void {
  const { storedSettings } = services;

  door.get('/settings', described(says.listSettings), async (request) => {
    await callAdmin(services, request, sql`select private.admin_me() as value`);
    return services.listSettings().map(({ room, name, meaning, value, source, isSecret }) => {
      const place = storedSettings.placeOf(name);
      return {
        room,
        name,
        meaning,
        value,
        source,
        is_secret: isSecret,
        change: place === null ? 'none' : place.isLocked ? 'locked' : 'open',
      };
    });
  });

  door.put('/settings/:name', described(says.changeSetting), async (request) => {
    // Who is no operator learns nothing of what there is.
    await callAdmin(services, request, sql`select private.admin_me() as value`);
    const { name } = readPath(request, says.changeSetting);
    const place = storedSettings.placeOf(name);
    if (place === null) throw adminError('KB803', `${name.slice(0, 60)} cannot be changed here`);
    if (place.isLocked)
      throw adminError(
        'KB804',
        `${name} is set by a flag, the environment or .env of the server, and cannot be changed here`,
      );
    const { value: sent } = await bodyOf(request, says.changeSetting);
    // None takes the change away.
    const text = sent?.trim() || null;
    if (text !== null) check(name, text, place.setting.read);
    const [value, sealed] = place.setting.secret
      ? [null, text === null ? null : storedSettings.seal(text)]
      : [text, null];
    await callAdmin(services, request, sql`select private.admin_change_setting(${name}, ${value}, ${sealed}) as value`);
    await storedSettings.reload();
    return services.listSettings().find((row) => row.name === name);
  });
}

function check(name: string, text: string, read: (text: string) => unknown): void {
  try {
    read(text);
  } catch (error) {
    throw adminError('KB805', `${name} must be ${(error as Error).message}`);
  }
  if (name !== 'SMTP_URL') return;
  const isAddress = URL.canParse(text) && /^smtps?:\/\/[^/]/i.test(text) && new URL(text).hostname !== '';
  if (!isAddress)
    throw adminError('KB805', 'SMTP_URL must be an address such as smtps://user:password@mail.example.com:465');
}
