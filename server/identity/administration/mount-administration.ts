// /invite and /admin: for the service key, a table of contents.

import type { FastifyInstance } from 'fastify';
import { described } from '../../http/describe-routes.ts';
import type { IdentityContext } from '../identity-context.ts';
import { serving } from '../serving.ts';
import {
  deleteFactor,
  deleteUserPasskey,
  listAudit,
  listFactors,
  listUserPasskeys,
  renameFactor,
} from './admin-extras.ts';
import { generateLink, invite } from './admin-links.ts';
import { changeUser, createUser, deleteUser, listUsers, readUserById } from './admin-users.ts';
import { createProvider, deleteProvider, listProviders, readProvider, updateProvider } from './custom-providers.ts';
import * as admin from './described.ts';
import * as customProviders from './described-providers.ts';

export function mountAdministration(door: FastifyInstance, context: IdentityContext): void {
  const serve = serving(context);

  door.post('/invite', described(admin.invite), serve(invite));
  door.get('/admin/users', described(admin.listUsers), serve(listUsers));
  door.post('/admin/users', described(admin.createUser), serve(createUser));
  door.get('/admin/users/:user_id', described(admin.getUserById), serve(readUserById));
  door.put('/admin/users/:user_id', described(admin.updateUserById), serve(changeUser));
  door.delete('/admin/users/:user_id', described(admin.deleteUser), serve(deleteUser));
  door.get('/admin/users/:user_id/factors', described(admin.listUserFactors), serve(listFactors));
  door.put('/admin/users/:user_id/factors/:factor_id', described(admin.updateUserFactor), serve(renameFactor));
  door.delete('/admin/users/:user_id/factors/:factor_id', described(admin.deleteUserFactor), serve(deleteFactor));
  door.get('/admin/users/:user_id/passkeys', described(admin.listUserPasskeys), serve(listUserPasskeys));
  door.delete(
    '/admin/users/:user_id/passkeys/:passkey_id',
    described(admin.deleteUserPasskey),
    serve(deleteUserPasskey),
  );
  door.post('/admin/generate_link', described(admin.generateLink), serve(generateLink));
  door.get('/admin/custom-providers', described(customProviders.listProviders), serve(listProviders));
  door.post('/admin/custom-providers', described(customProviders.createProvider), serve(createProvider));
  door.get('/admin/custom-providers/:identifier', described(customProviders.getProvider), serve(readProvider));
  door.put('/admin/custom-providers/:identifier', described(customProviders.updateProvider), serve(updateProvider));
  door.delete('/admin/custom-providers/:identifier', described(customProviders.deleteProvider), serve(deleteProvider));
  door.get('/admin/audit', described(admin.readAudit), serve(listAudit));
}
